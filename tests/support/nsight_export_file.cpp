// The part of NsightExport that knows the machine, and writes the file.
#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "tests/support/nsight_export.h"
#include "tests/support/sqlite_file.h"

namespace gputlm {
namespace {

// ENUM_CUPTI_STREAM_TYPE.
int number_of(captured::StreamKind kind) {
  switch (kind) {
    case captured::StreamKind::kDefault: return 1;
    case captured::StreamKind::kNonBlocking: return 2;
    case captured::StreamKind::kNull: return 3;
  }
  throw std::logic_error("no such kind of stream");
}

std::string name_of(NsightVersion version) {
  switch (version) {
    case NsightVersion::k2024_5: return "2024.5";
    case NsightVersion::k2025_5: return "2025.5";
    case NsightVersion::k2026_2: return "2026.2";
  }
  throw std::logic_error("no such version of Nsight Systems");
}

constexpr std::int64_t kMachine = std::int64_t{1} << 48;
constexpr std::int64_t kSecond = 1'000'000'000;

}  // namespace

NsightExport::NsightExport(NsightVersion version) : version_(version) {
  // The tool lists all processes of the machine.
  add("PROCESSES",
      {{"globalPid", kMachine | std::int64_t{1} << 24}, {"pid", std::int64_t{1}}, {"name", std::string("init")}});
  add("TARGET_INFO_SESSION_START_TIME", {{"utcEpochNs", std::int64_t{1'700'000'000} * kSecond},
                                         {"utcTime", std::string("2023-11-14T22:13:20.000")},
                                         {"localTime", std::string("2023-11-14T23:13:20.000")},
                                         {"systemClockNs", std::int64_t{1'000} * kSecond}});
  add("ANALYSIS_DETAILS", {{"globalVid", kMachine},
                           {"duration", std::int64_t{10} * kSecond},
                           {"startTime", std::int64_t{1'000} * kSecond},
                           {"stopTime", std::int64_t{1'010} * kSecond}});
}

NsightExport& NsightExport::gpu() { return gpu(Gpu{}); }

NsightExport& NsightExport::gpu(const Gpu& gpu) {
  Row row = {{"vmId", kMachine}, {"name", gpu.name}, {"chipName", gpu.chip}, {"isDiscrete", std::int64_t{1}}};
  const auto put = [&](const char* column, std::uint64_t value) {
    row.push_back({column, static_cast<std::int64_t>(value)});
  };
  put("id", gpu.number);
  put("cuDevice", gpu.cuda_number);
  put("smCount", gpu.sms);
  put("l2CacheSize", gpu.l2);
  put("totalMemory", gpu.memory);
  put("memoryBandwidth", gpu.memory_bytes_per_s);
  put("clockRate", gpu.clock_hz);
  put("asyncEngines", gpu.copy_engines);
  put("maxWarpsPerSm", gpu.warps_per_sm);
  put("maxBlocksPerSm", gpu.blocks_per_sm);
  put("maxShmemPerSm", gpu.shared_per_sm);
  put("maxRegistersPerSm", gpu.registers_per_sm);
  put("threadsPerWarp", 32);
  put("maxThreadsPerBlock", 1024);
  for (const char* column : {"computeMajor", "smMajor"}) put(column, gpu.compute_major);
  for (const char* column : {"computeMinor", "smMinor"}) put(column, gpu.compute_minor);
  add("TARGET_INFO_GPU", std::move(row));
  return *this;
}

NsightExport& NsightExport::sees(std::uint32_t process, std::uint32_t number, const Gpu& gpu) {
  Row row = {{"gpuId", std::int64_t{gpu.number}}, {"cudaId", std::int64_t{number}}, {"pid", std::int64_t{process}}};
  if (at_least(NsightVersion::k2026_2)) row.push_back({"numMultiprocessors", std::int64_t{gpu.sms}});
  add("TARGET_INFO_CUDA_DEVICE", std::move(row));
  return *this;
}

NsightExport& NsightExport::environment(const std::string& name, const std::string& value) {
  add("META_DATA_CAPTURE",
      {{"name", std::string("PROCESS_0:ENVIRONMENT_VARIABLE")}, {"value", name + "=\"" + value + "\""}});
  return *this;
}

NsightExport::Thread NsightExport::thread(std::uint32_t process, std::uint32_t number, const std::string& name) {
  const Thread thread{process, number == 0 ? process : number};
  if (calls_.count(process) == 0) {
    calls_[process] = 0;
    add("PROCESSES", {{"globalPid", kMachine | std::int64_t{process} << 24},
                      {"pid", std::int64_t{process}},
                      {"name", "/usr/bin/" + name}});
    if (!first_context_) context(process, 1);
  }
  add("ThreadNames", {{"nameId", string(name)},
                      {"priority", std::int64_t{20}},
                      {"globalTid", kMachine | std::int64_t{process} << 24 | thread.thread}});
  return thread;
}

NsightExport::Context NsightExport::context(std::uint32_t process, std::uint32_t id, std::uint32_t device,
                                            std::uint32_t null_stream) {
  const Context context{process, device, id};
  if (!first_context_) first_context_ = context;
  Row row = {
      {"nullStreamId", std::int64_t{null_stream}}, {"hwId", std::int64_t{0}},          {"vmId", std::int64_t{1}},
      {"processId", std::int64_t{process}},        {"deviceId", std::int64_t{device}}, {"contextId", std::int64_t{id}}};
  if (at_least(NsightVersion::k2025_5)) {
    row.push_back({"parentContextId", std::int64_t{0}});
    row.push_back({"isGreenContext", std::int64_t{0}});
  }
  add("TARGET_INFO_CUDA_CONTEXT_INFO", std::move(row));
  // Exports of 2026.2 list neither null streams nor those that the driver makes for itself.
  if (!at_least(NsightVersion::k2026_2)) stream(context, null_stream, 0, StreamKind::kNull);
  return context;
}

NsightExport::Context NsightExport::green_context(const Context& parent, std::uint32_t id) {
  Row row = {{"nullStreamId", std::int64_t{0}},
             {"hwId", std::int64_t{0}},
             {"vmId", std::int64_t{1}},
             {"processId", std::int64_t{parent.process}},
             {"deviceId", std::int64_t{parent.device}},
             {"contextId", std::int64_t{id}}};
  if (at_least(NsightVersion::k2025_5)) {
    row.push_back({"parentContextId", std::int64_t{parent.id}});
    row.push_back({"isGreenContext", std::int64_t{1}});
  }
  add("TARGET_INFO_CUDA_CONTEXT_INFO", std::move(row));
  return {parent.process, parent.device, parent.id, id};
}

const NsightExport::Context& NsightExport::first_context() const {
  if (!first_context_) throw std::logic_error("the export has no context: it needs a thread first");
  return *first_context_;
}

NsightExport::Stream NsightExport::unlisted_stream(const Context& context, std::uint32_t id) { return {context, id}; }
NsightExport::Stream NsightExport::unlisted_stream(std::uint32_t id) { return {first_context(), id}; }

NsightExport::Stream NsightExport::stream(std::uint32_t id, std::int32_t priority, StreamKind kind) {
  return stream(first_context(), id, priority, kind);
}

NsightExport::Stream NsightExport::stream(const Context& context, std::uint32_t id, std::int32_t priority,
                                          StreamKind kind) {
  add("TARGET_INFO_CUDA_STREAM",
      {{"streamId", std::int64_t{id}},
       {"hwId", std::int64_t{0}},
       {"vmId", std::int64_t{1}},
       {"processId", std::int64_t{context.process}},
       {"contextId", std::int64_t{context.green > 0 ? context.green : context.id}},
       {"priority", std::int64_t{static_cast<std::uint32_t>(priority)}},  // as the tool writes a negative one
       {"flag", std::int64_t{number_of(kind)}}});
  return {context, id};
}

// Ids are keys, not positions: neither dense nor from 0 on.
std::int64_t NsightExport::string(const std::string& text) {
  const auto found = strings_.find(text);
  if (found != strings_.end()) return found->second;
  return strings_[text] = 1'000 + 7 * static_cast<std::int64_t>(strings_.size());
}

void NsightExport::add(const char* table, Row row) { rows_[table].push_back(std::move(row)); }

NsightExport& NsightExport::with_empty_tables() {
  empty_tables_ = true;
  return *this;
}
NsightExport& NsightExport::then(const std::string& sql) {
  statements_.push_back(sql);
  return *this;
}

std::vector<std::pair<std::string, std::string>> NsightExport::about() const {
  const std::string version = name_of(version_);
  const bool is_24 = version_ == NsightVersion::k2024_5, is_25 = version_ == NsightVersion::k2025_5;
  const std::string minor = is_24 ? "13" : is_25 ? "24" : "25", micro = is_24 ? "2" : "0";
  return {{"EXPORT_PRODUCT_NAME", "NVIDIA Nsight Systems"},
          {"EXPORT_PRODUCT_VERSION", version + (is_24   ? ".1.113"
                                                : is_25 ? ".2.266"
                                                        : ".1.210")},
          {"EXPORT_PRODUCT_DATE", version},
          {"EXPORT_SCHEMA_VERSION", "3." + minor + "." + micro},
          {"EXPORT_SCHEMA_VERSION_MAJOR", "3"},
          {"EXPORT_SCHEMA_VERSION_MINOR", minor},
          {"EXPORT_SCHEMA_VERSION_MICRO", micro},
          {"EXPORT_PLATFORM", "linux-desktop"},
          {"EXPORT_ARCH", "x64"},
          {"EXPORT_PARAM_OVERWRITE", "false"},
          {"EXPORT_PARAM_APPEND", "false"},
          {"EXPORT_PARAM_LAZY", empty_tables_ ? "false" : "true"},
          {"EXPORT_PARAM_TIME_NORMALIZE", "false"},
          {"EXPORT_PARAM_TIME_SHIFT", "0"},
          {"EXPORT_CONFIG_TIME_SHIFT", "0"}};
}

void NsightExport::write(const std::string& path) const {
  std::map<std::string, std::vector<Row>> rows = rows_;
  for (const auto& [text, id] : strings_) rows["StringIds"].push_back({{"id", id}, {"value", text}});
  for (const auto& [name, value] : about()) rows["META_DATA_EXPORT"].push_back({{"name", name}, {"value", value}});

  std::filesystem::remove(path);
  SqliteFile file(path);
  file.run("PRAGMA synchronous = OFF; BEGIN");
  const std::vector<NsightColumn>& all = nsight_columns();
  for (auto first = all.begin(); first != all.end();) {
    const std::string table = first->table;
    const auto last = std::find_if(first, all.end(), [&](const NsightColumn& c) { return c.table != table; });
    std::vector<NsightColumn> columns;
    std::set<std::string> known;
    for (; first != last; ++first) {
      known.insert(first->name);
      if (at_least(first->since)) columns.push_back(*first);
    }
    const std::vector<Row>& data = rows[table];
    if (!data.empty() && columns.empty()) throw std::logic_error(name_of(version_) + " has no table " + table);
    if (columns.empty() || (data.empty() && !empty_tables_)) continue;

    std::string declared;
    for (const NsightColumn& c : columns)
      declared += (declared.empty() ? "" : ", ") + c.name + " " + c.type + (c.required ? " NOT NULL" : "");
    file.run("CREATE TABLE " + table + " (" + declared + ")");
    SqliteRows in_order;
    for (const Row& row : data) {
      std::map<std::string, SqliteValue> by_name;
      for (const auto& [name, value] : row) {
        if (known.count(name) == 0) throw std::logic_error(table + " has no column " + name);
        by_name[name] = value;
      }
      std::vector<SqliteValue>& values = in_order.emplace_back();
      for (const NsightColumn& c : columns) values.push_back(by_name[c.name]);
    }
    file.insert(table, in_order);
  }
  for (const NsightNames& names : nsight_names(version_)) {
    file.run("CREATE TABLE " + names.table + " (id INTEGER PRIMARY KEY NOT NULL, name TEXT, label TEXT)");
    SqliteRows in_order;
    for (const NsightName& row : names.rows) in_order.push_back({std::int64_t{row.id}, row.name, row.label});
    file.insert(names.table, in_order);
  }
  file.run("COMMIT");
  for (const std::string& statement : statements_) file.run(statement);
}

}  // namespace gputlm

/// The schema of workload files (docs/workload.md). What is read where: workload_file_kernel.cpp (kernels),
/// workload_file.cpp (applications), workload_file_arrivals.cpp (releases), workload_file_memory.cpp (copies).
#include <array>
#include <string>
#include <vector>

#include "models/kernel/program_kernel.h"
#include "platform/input/schema.h"
#include "platform/input/schema_forms.h"
#include "platform/input/sm_set.h"
#include "platform/input/workload_limits.h"

namespace gputlm {
namespace {

using schema::Json;
using schema::Key;
using schema::kRequired;

// --- Kernels ---

Json dimensions(const std::array<std::uint64_t, 3>& most) {
  Json items = Json::array();
  for (const std::uint64_t bound : most) items.push_back(schema::whole_number(1, bound));
  return schema::any_of({items[0], {{"type", "array"}, {"items", items}, {"additionalItems", false}, {"minItems", 1}}});
}

Json stride() {
  constexpr auto kMax = static_cast<std::int64_t>(kMaxAddress);
  return schema::signed_number(-kMax, kMax);
}

Json footprint() { return schema::bytes(1, kMaxAddress); }

/// One kind of pattern.
Json pattern(const std::string& kind, std::vector<Key> keys) {
  Json base = schema::any_of(
      {schema::bytes(0, kMaxAddress), schema::matching("^[A-Za-z]"), schema::matching("^0[xX][0-9a-fA-F]+$")});
  keys.insert(keys.begin(),
              {{"kind", {{"const", kind}}, "", kRequired},
               {"base", base, "First address, or the name of managed memory; without it, addresses of its own"}});
  return schema::mapping(keys);
}

Json patterns() {
  const Key around{"footprint", footprint(), "Addresses go around within so many bytes"};
  Key needed = around;
  needed.required = true;
  const Key per_iteration{"iteration_stride", stride(), "Bytes from an iteration of the loops to the next"};
  return schema::any_of({
      pattern("coalesced", {around}),
      pattern("strided", {{"stride", stride(), "Bytes from a thread to the next", kRequired}, around}),
      pattern("affine", {{"lane_stride", stride(), "Bytes from a lane to the next"},
                         {"warp_stride", stride(), "Bytes from a warp to the next"},
                         {"block_stride", stride(), "Bytes from a block to the next"},
                         per_iteration,
                         around}),
      pattern("indexed", {{"thread_x_stride", stride(), "Bytes for each threadIdx.x"},
                          {"thread_y_stride", stride(), "Bytes for each threadIdx.y"},
                          {"block_x_stride", stride(), "Bytes for each blockIdx.x"},
                          {"block_y_stride", stride(), "Bytes for each blockIdx.y"},
                          per_iteration,
                          around}),
      pattern("broadcast", {per_iteration}),
      pattern("random", {needed}),
      pattern("set_conflict", {{"cache_bytes", schema::bytes(1, Bytes{1} << 30), "Of the cache", kRequired},
                               {"ways", schema::whole_number(1, 1024), "Its associativity", kRequired},
                               {"line_bytes", schema::bytes(1, Bytes{1} << 20), "Its line; default 128"},
                               {"lines", schema::whole_number(1, 1u << 20), "That are touched; default twice the ways"},
                               {"set", schema::whole_number(0, 1u << 30), "That they are in; default 0"}}),
      pattern("reuse", {{"bytes", schema::bytes(1, kMaxAddress), "Working set, swept again and again", kRequired},
                        {"owner", schema::one_of({"block", "warp"}), "Whose it is; default block"},
                        {"cold", schema::number(0, 1), "Share of accesses that go elsewhere; default 0"}}),
  });
}

Json source_registers() {
  const Json one = schema::whole_number(0, kNoRegister - 1);
  Json several = schema::list(one);
  several["maxItems"] = kMaxSources;
  return schema::any_of({one, several});
}

Key destination() { return {"dst", schema::whole_number(0, kNoRegister - 1), "Register that it writes"}; }
Key sources() { return {"src", source_registers(), "Registers that it reads"}; }

/// Of an instruction with a result: named registers or a distance.
Json with_result(std::vector<Key> keys) {
  keys.push_back(destination());
  keys.push_back(sources());
  keys.push_back(
      {"distance", schema::whole_number(0, kMaxDistance), "It needs the result of the one so many before it"});
  Json form = schema::mapping(keys);
  const Json no_list{{"not", {{"type", "array"}, {"maxItems", 0}}}};
  form["if"] = schema::any_of({{{"required", {"dst"}}}, {{"required", {"src"}}, {"properties", {{"src", no_list}}}}});
  form["then"] = {{"properties", {{"distance", {{"const", 0}}}}}};
  return form;
}

Json arithmetic() {
  return schema::any_of({{{"type", "null"}},
                         schema::whole_number(1, kMaxCodeLength),
                         with_result({{"count", schema::whole_number(1, kMaxCodeLength), "How many of them"}})});
}

/// A load, store or atomic: `widths` in bytes a thread, `spaces` of memory.
std::vector<Key> memory(const Json& widths, const std::vector<std::string>& spaces) {
  return {{"pattern", schema::text(), "Name of an address pattern of the kernel", kRequired},
          {"width", {{"enum", widths}}, "Bytes a thread; default 4"},
          {"space", schema::one_of(spaces), "Default global"},
          {"offset", stride(), "Bytes from the addresses of the pattern"}};
}

Json load() {
  return schema::any_of(
      {schema::text(), with_result(memory({1, 2, 4, 8, 16}, {"global", "local", "shared", "constant"}))});
}

Json store() {
  std::vector<Key> keys = memory({1, 2, 4, 8, 16}, {"global", "local", "shared"});
  keys.push_back(sources());
  keys.push_back({"distance", {{"const", 0}}});
  return schema::any_of({schema::text(), schema::mapping(keys)});
}

Json atomic() { return schema::any_of({schema::text(), with_result(memory({4, 8}, {"global", "shared"}))}); }

Json spin() {
  const auto time = [](double most) { return schema::number(0, most); };
  Json form = schema::mapping({{"us", time(kMaxSpinUs), "Microseconds from the block's start"},
                               {"ns", time(kMaxSpinUs * 1e3), "Nanoseconds from the block's start"},
                               {"us_per_sm", time(kMaxSpinPerSmUs), "More for each number of the SM"},
                               {"ns_per_sm", time(kMaxSpinPerSmUs * 1e3), "More for each number of the SM"}});
  form["minProperties"] = 1;
  form["allOf"] = {schema::not_together({"us", "ns"}), schema::not_together({"us_per_sm", "ns_per_sm"})};
  return form;
}

/// Work that the blocks divide, which is in nothing else.
Json work() {
  return schema::mapping(
      {{"units", dimensions(kMaxBlocks), "A number or [x, y, z]; as many as blocks or more", kRequired},
       {"schedule", schema::one_of({"dynamic", "static"}), "Who does which; default dynamic"},
       {"body", schema::reference("program"), "For each unit", kRequired}});
}

/// An element of the program named `program`. In a part for some warps of a block are no barriers.
Json element(const std::string& program, bool barriers, bool outermost = false) {
  std::vector<Key> keys;
  std::vector<std::string> alone;
  for (const char* name : {"fp32", "int", "fp64", "sfu", "tensor", "control"}) {
    keys.push_back({name, schema::reference("arithmetic"), "How many, or with registers"});
    alone.emplace_back(name);
  }
  for (const char* name : {"load", "store", "atomic"})
    keys.push_back({name, schema::reference(name), "Name of an address pattern, or with more"});
  if (barriers) {
    alone.emplace_back("barrier");
    keys.push_back({"barrier", schema::whole_number(0, kBarriers - 1), "Its number"});
  }
  constexpr std::uint64_t kLastWarp = kMaxThreadsPerBlock / kWarpSize - 1;
  keys.insert(keys.end(),
              {{"spin", spin(), "Waits until so long after the block's start"},
               {"loop",
                schema::mapping({{"count", schema::whole_number(1, kMaxIterations), "Iterations", kRequired},
                                 {"varies", schema::boolean(), "The kernel's variation changes the count"},
                                 {"body", schema::reference(program), "", kRequired}}),
                "Again and again"},
               {"warps",
                schema::mapping({{"first", schema::whole_number(0, kLastWarp), "Default 0"},
                                 {"last", schema::whole_number(0, kLastWarp), "Default the block's last"},
                                 {"body", schema::reference("part"), "", kRequired}}),
                "A part for some warps of a block"}});
  if (outermost) keys.push_back({"work", work(), "Units of work that the blocks divide"});
  Json several = schema::mapping(keys);
  several["minProperties"] = several["maxProperties"] = 1;
  return schema::any_of({schema::one_of(alone), several});
}

Json variation() {
  std::vector<Json> forms;
  const std::vector<std::string> names{"uniform", "normal", "exponential", "few_long"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double most = largest_spread(static_cast<Variation::Distribution>(i));
    forms.push_back(schema::mapping({{"spread", schema::number(0, most), "", kRequired},
                                     {"distribution", {{"const", names[i]}}, "", i > 0}}));  // the first is the default
  }
  return schema::any_of(forms);
}

Json kernel() {
  return schema::mapping(
      {{"grid", dimensions(kMaxBlocks), "Blocks: a number or [x, y, z]", kRequired},
       {"block", dimensions(kMaxThreads), "Threads of a block: a number or [x, y, z]; 1024 at most", kRequired},
       {"registers", schema::whole_number(0, kNoRegister), "A thread; default 32"},
       {"shared_memory", schema::bytes(0, kMaxSharedMemory), "A block; default 0"},
       {"variation", variation(), "Of the runtimes of blocks"},
       {"patterns", schema::named(schema::reference("pattern")), "Address patterns, by name"},
       {"program", schema::reference("whole program"), "What each warp does", kRequired}});
}

// --- Applications ---

Json microseconds(double most = kMaxReleaseUs) { return schema::number(0, most); }

std::vector<Key> arrival_forms() {
  return {{"release_us", microseconds(), "Not before, from the start of the phase"},
          {"repeat", schema::whole_number(1, kMaxRepeats), "How often"},
          {"period_us", microseconds(), "Least time from a release to the next"},
          {"sporadic_us", microseconds(kMaxSporadicUs), "Mean of what that time is longer"},
          {"jitter_us", microseconds(), "Each release is later by up to so much"},
          {"seed", schema::whole_number(0, ~std::uint64_t{0}), "Of what is drawn"},
          {"releases_us", schema::list(microseconds(), 1), "In the place of all these: a list of times"}};
}

/// A mapping with `keys` and those of releases, which need each other.
Json released(std::vector<Key> keys) {
  const std::vector<Key> more = arrival_forms();
  keys.insert(keys.end(), more.begin(), more.end());
  Json form = schema::mapping(keys);
  const Json repeated{{"required", {"repeat"}}, {"properties", {{"repeat", {{"minimum", 2}}}}}};
  Json others = Json::array();
  for (const Key& key : more) {
    if (std::string(key.name) != "releases_us") others.push_back({{"required", {key.name}}});
  }
  form["dependencies"] = {{"period_us", repeated},
                          {"sporadic_us", repeated},
                          {"seed", schema::any_key({"sporadic_us", "jitter_us"})},
                          {"releases_us", {{"not", {{"anyOf", others}}}}}};
  return form;
}

/// A place where commands stand. In a thread they name their streams; those of a job have no deadlines of their own, and
/// are no jobs.
struct Place {
  bool thread, job;
  std::string name() const { return std::string(thread ? "call" : "command") + (job ? " of a job" : ""); }
};

Json deadline() { return microseconds(); }

Json launch(const Place& place) {
  std::vector<Key> keys{{"kernel", schema::text(), "Name of a kernel", kRequired}};
  if (place.thread) keys.push_back({"stream", schema::text(), "Name of a stream of the application", kRequired});
  keys.insert(keys.end(),
              {{"grid", dimensions(kMaxBlocks), "In the place of the kernel's"},
               {"block", dimensions(kMaxThreads), "In the place of the kernel's"},
               {"label", schema::text(), "What results call it; default the kernel's name"},
               {"phase", schema::whole_number(0, kMaxPhases), "Starts when all launches of the one before have ended"},
               {"budget", schema::whole_number(1, kMaxBudget), "Of its warps; only qaws heeds it"},
               {"alone_cycles", schema::whole_number(1, kMaxAloneCycles), "That it takes alone; only oracles heed it"},
               {"cache_config", schema::one_of({"any", "shared", "l1", "equal"}), "As cudaFuncSetCacheConfig"}});
  if (!place.job) keys.push_back({"deadline_us", deadline(), "Of each repetition, for its response time"});
  Json form = released(keys);
  return place.thread ? form : schema::any_of({schema::text(), form});
}

Json address() {
  return schema::any_of(
      {schema::whole_number(0, kMaxAddress), schema::matching("^([0-9]+|0[xX][0-9a-fA-F]+|[^0-9].*)$")});
}

Json fixed_address() {
  return schema::any_of({schema::whole_number(0, kMaxAddress), schema::matching("^([0-9]+|0[xX][0-9a-fA-F]+)$")});
}

Json allocated() { return schema::bytes(1, kMaxAllocated); }

std::vector<Json> copies(const Place& place) {
  std::vector<Key> common{{"label", schema::text(), "What results call it"},
                          {"blocking", schema::boolean(), "The thread waits for its end; default false"}};
  if (place.thread) common.push_back({"stream", schema::text(), "Name of a stream of the application", kRequired});
  const auto with = [&](std::vector<Key> keys) {
    keys.insert(keys.end(), common.begin(), common.end());
    return schema::mapping(keys);
  };
  const auto copy = [&](const char* kind, bool from_host, bool to_host) {
    std::vector<Key> keys{{"copy", {{"const", kind}}, "", kRequired},
                          {"from", address(), "Address, or name of an allocation", !from_host},
                          {"to", address(), "Address, or name of an allocation", !to_host},
                          {"bytes", allocated(), "", kRequired}};
    keys.push_back({"pageable", from_host || to_host ? schema::boolean() : Json{{"const", false}},
                    "Of the host's memory; default false"});
    return with(keys);
  };
  return {copy("host_to_device", true, false), copy("device_to_host", false, true),
          copy("device_to_device", false, false),
          with({{"memset", allocated(), "How many bytes", kRequired},
                {"to", address(), "Address, or name of an allocation", kRequired}})};
}

Json command(const Place& place) {
  const auto call = [&](std::vector<Key> keys) {
    if (place.thread) keys.push_back({"stream", schema::text(), "Name of a stream of the application", kRequired});
    return schema::mapping(keys);
  };
  std::vector<Json> forms{
      launch(place),
      call({{"record", schema::text(), "Event: reached when all before it in the stream has ended", kRequired}}),
      call({{"wait", schema::text(), "Event that the stream waits for", kRequired}}),
      call({{"synchronize", {{"const", "stream"}}, "The thread waits for the stream", kRequired}}),
      schema::mapping({{"synchronize", {{"const", "device"}}, "The thread waits for its application", kRequired}}),
      schema::mapping({{"host_us", microseconds(), "The thread computes for so long", kRequired}}),
      schema::mapping({{"malloc", schema::text(), "Name of device memory", kRequired},
                       {"bytes", allocated(), "", kRequired},
                       {"address", fixed_address(), "Default one of its own"}}),
      schema::mapping({{"free", schema::text(), "Name of device memory", kRequired}})};
  for (const Json& form : copies(place)) forms.push_back(form);
  if (!place.job) {
    forms.push_back(released({{"job", schema::text(), "Name of the task", kRequired},
                              {"phase", schema::whole_number(0, kMaxPhases)},
                              {"deadline_us", deadline(), "Of each job, for its response time"},
                              {"commands", schema::list(schema::reference(Place{place.thread, true}.name()), 1),
                               "That are released together", kRequired}}));
  }
  return schema::any_of(forms);
}

Json stream() {
  Json form = schema::mapping(
      {{"name", schema::text(), "", kRequired},
       {"priority", schema::signed_number(kMinPriority, kMaxPriority), "Lower is more urgent; default 0"},
       {"default", schema::boolean(), "CUDA's NULL stream, one an application; default false"},
       {"non_blocking", schema::boolean(), "Takes no part in the order of the default stream; default false"},
       {"launches", schema::list(schema::reference("launch")), "One after the other"},
       {"commands", schema::list(schema::reference("command")), "What a host thread of its own puts into it"}});
  const Json is_true{{"const", true}};
  form["allOf"] = {schema::not_together({"launches", "commands"}),
                   {{"not",
                     {{"required", {"default", "non_blocking"}},
                      {"properties", {{"default", is_true}, {"non_blocking", is_true}}}}}}};
  return form;
}

Json sms() {
  const Json item = schema::any_of({schema::whole_number(0, kMaxSms - 1), schema::matching("^[0-9]+(-[0-9]+)?$")});
  return schema::any_of({item, schema::list(item, 1)});
}

/// Keys of every application.
std::vector<Key> application_forms() {
  return {{"sms", sms(), "SMs that its blocks go to: [0-29, 35]; default all"},
          {"relaunch", schema::boolean(), "Again until every application has ended once; default false"},
          {"sm_percent", schema::whole_number(1, 100), "Share of the SMs"},
          {"thread_percent", schema::whole_number(1, 100), "Share of each SM's threads, as CUDA's MPS has it"},
          {"time_slice_us", schema::number(kMinSliceUs, kMaxReleaseUs), "Of its context"},
          {"timeslice_priority", schema::one_of({"low", "medium", "high"}), "Of its context"}};
}

Json trace_application() {
  const Json launches =
      schema::any_of({schema::whole_number(1, ~std::uint64_t{0}),
                      schema::matching("^[1-9][0-9]*(-[1-9][0-9]*)?(,[1-9][0-9]*(-[1-9][0-9]*)?)*$")});
  std::vector<Key> keys = application_forms();
  keys.insert(
      keys.end(),
      {{"trace", schema::text(), "A launch list, its folder, or a kernel's trace; relative to the file", kRequired},
       {"name", schema::text(), "Default that of the folder or file"},
       {"kernels", schema::any_of({launches, schema::list(launches, 1)}), "Launches of the list, from 1: 3-9"},
       {"priority", schema::signed_number(kMinPriority, kMaxPriority), "Of its streams; default 0"},
       {"budget", schema::whole_number(1, kMaxBudget), "Of its launches; only qaws heeds it"},
       {"deadline_us", deadline(), "Of each repetition, for its response time"}});
  Json form = released(keys);
  form["allOf"] = {schema::not_together({"sms", "sm_percent"})};
  return form;
}

Json application() {
  std::vector<Key> keys{
      {"name", schema::text(), "", kRequired},
      {"streams", schema::list(schema::reference("stream"), 1), "", kRequired},
      {"threads",
       schema::list(schema::mapping({{"name", schema::text(), "", kRequired},
                                     {"calls", schema::list(schema::reference("call")), "In order", kRequired}})),
       "Of the host program; without it, each stream has its own"}};
  const std::vector<Key> common = application_forms();
  keys.insert(std::next(keys.begin()), common.begin(), common.end());
  Json form = schema::mapping(keys);
  form["allOf"] = {schema::not_together({"sms", "sm_percent"})};
  form["if"] = {{"not", {{"required", {"threads"}}}}};
  form["then"] = {{"properties", {{"streams", {{"items", schema::any_key({"launches", "commands"})}}}}}};
  return form;
}

Json workload() {
  const Json managed =
      schema::mapping({{"bytes", allocated(), "", kRequired}, {"address", fixed_address(), "Default one of its own"}});
  Json form = schema::mapping(
      {{"managed", schema::named(managed), "Managed memory, by name"},
       {"kernels", schema::named(schema::reference("kernel")), "By name"},
       {"applications",
        schema::list(schema::any_of({schema::reference("application"), schema::reference("traced application")}), 1),
        "", kRequired}});
  const Json traces_only{{"applications", {{"items", {{"required", {"trace"}}}}}}};
  form["allOf"] = {schema::any_of({Json{{"required", {"kernels"}}}, Json{{"properties", traces_only}}})};
  Json definitions{{"kernel", kernel()},
                   {"pattern", patterns()},
                   {"whole program", schema::list(schema::reference("element of the whole"), 1)},
                   {"element of the whole", element("program", true, true)},
                   {"program", schema::list(schema::reference("element"), 1)},
                   {"element", element("program", true)},
                   {"part", schema::list(schema::reference("element of a part"), 1)},
                   {"element of a part", element("part", false)},
                   {"arithmetic", arithmetic()},
                   {"load", load()},
                   {"store", store()},
                   {"atomic", atomic()},
                   {"application", application()},
                   {"traced application", trace_application()},
                   {"stream", stream()},
                   {"launch", launch({false, false})}};
  for (const bool job : {false, true}) {
    for (const bool thread : {false, true}) definitions[Place{thread, job}.name()] = command({thread, job});
  }
  form["definitions"] = definitions;
  return form;
}

GPUTLM_REGISTER {
  schemas().add({{"workload", 10}, "A workload: kernels as programs, and the applications that launch them", workload});
}

}  // namespace
}  // namespace gputlm

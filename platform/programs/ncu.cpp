/// Reads the tables of Nsight Compute.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <deque>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "platform/files/atomic_file.h"
#include "platform/programs/kernel_profile.h"
#include "platform/programs/ncu_fields.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"
#include "tlm/base/text.h"

namespace gputlm {
namespace ncu {
namespace {

// --- Lines: text precedes and follows a table ---

/// Reads records of CSV, or lines of text, which have no fields.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool next() {
    if (rest_.empty()) return false;
    line_ = next_line_;
    fields_.clear();
    unquoted_.clear();
    std::string_view record = rest_;
    if (!read(record)) {  // for example a line that begins with an unterminated quote
      fields_.clear();
      record = rest_.substr(std::min(rest_.find('\n'), rest_.size() - 1) + 1);
    }
    const std::string_view taken = rest_.substr(0, rest_.size() - record.size());
    next_line_ += static_cast<std::size_t>(std::count(taken.begin(), taken.end(), '\n'));
    rest_ = record;
    return true;
  }
  const std::vector<std::string_view>& fields() const { return fields_; }  ///< valid until the next line
  std::size_t line() const { return line_; }

 private:
  bool read(std::string_view& record) {
    for (;;) {
      if (starts_with(record, "\"")) {
        if (!read_quoted(record)) return false;
      } else {
        const std::size_t end = std::min(record.find_first_of(",\n"), record.size());
        const bool cr = end > 0 && record[end - 1] == '\r';
        fields_.push_back(record.substr(0, end - cr));
        record.remove_prefix(end);
      }
      if (starts_with(record, "\r")) record.remove_prefix(1);
      if (record.empty()) return true;
      const char after = record.front();
      record.remove_prefix(1);
      if (after == '\n') return true;
      if (after != ',') return false;
    }
  }
  bool read_quoted(std::string_view& record) {
    const std::string_view from = record.substr(1);
    std::size_t end = from.find('"');
    bool doubled = false;
    while (end != std::string_view::npos && from.substr(end + 1, 1) == "\"") {
      doubled = true;
      end = from.find('"', end + 2);
    }
    if (end == std::string_view::npos) return false;
    std::string_view field = from.substr(0, end);
    if (doubled) {
      std::string& plain = unquoted_.emplace_back(field);
      for (std::size_t at = 0; (at = plain.find("\"\"", at)) != std::string::npos;) plain.erase(at++, 1);
      field = plain;
    }
    fields_.push_back(field);
    record = from.substr(end + 1);
    return true;
  }

  std::string_view rest_;
  std::size_t line_ = 0, next_line_ = 1;
  std::vector<std::string_view> fields_;
  std::deque<std::string> unquoted_;
};

// --- Metrics ---

// Within the limits of a demand (models/kernel/demand.h), including sums.
constexpr double kMostCount = 1e17, kMostUs = 1e12, kMostMhz = 1e5;

enum class Dimension : std::uint8_t { kTime, kRate, kCount, kBytes, kShare };

/// The supported metrics, by the names in their rows.
const std::unordered_map<std::string_view, std::pair<const FormatField*, Dimension>>& known_metrics() {
  static const auto all = [] {
    std::unordered_map<std::string_view, std::pair<const FormatField*, Dimension>> known;
    for (const FormatField* field : format.fields()) {
      if (field->place == kColumns) continue;
      const std::string_view unit = field->unit;
      known[field->name] = {field, unit == "ns"         ? Dimension::kTime
                                   : unit == "cycles/s" ? Dimension::kRate
                                   : unit == "B"        ? Dimension::kBytes
                                   : unit == "%"        ? Dimension::kShare
                                                        : Dimension::kCount};
    }
    return known;
  }();
  return all;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// The factor that converts a time to us or a rate to MHz; otherwise the factor of the prefix.
std::optional<double> factor_of(std::string_view unit, Dimension dimension) {
  static const std::map<std::string, double> kTimes{{"ns", 1e-3}, {"nsecond", 1e-3}, {"us", 1},  {"usecond", 1},
                                                    {"ms", 1e3},  {"msecond", 1e3},  {"s", 1e6}, {"second", 1e6}};
  switch (dimension) {
    case Dimension::kTime: {
      const auto found = kTimes.find(lower(unit));
      return found == kTimes.end() ? std::nullopt : std::optional(found->second);
    }
    case Dimension::kRate: {
      const std::string name = lower(unit);
      for (const auto& [hertz, mhz] : {std::pair("hz", 1e-6), {"khz", 1e-3}, {"mhz", 1.0}, {"ghz", 1e3}}) {
        if (name == hertz) return mhz;
      }
      if (!starts_with(name, "cycle/")) return std::nullopt;
      const auto found = kTimes.find(name.substr(6));
      return found == kTimes.end() ? std::nullopt : std::optional(1 / found->second);
    }
    case Dimension::kShare: return unit == "%" || unit.empty() ? std::optional(0.01) : std::nullopt;
    case Dimension::kBytes:
    case Dimension::kCount: break;
  }
  double factor = 1;
  constexpr std::string_view kPrefixes = "KMGT";  // powers of 1000: Nsight Compute CLI, --print-units
  const std::size_t prefix = unit.size() > 1 && std::islower(static_cast<unsigned char>(unit[1])) != 0
                                 ? kPrefixes.find(unit[0])
                                 : std::string_view::npos;
  if (prefix != std::string_view::npos) {
    factor = std::pow(1000.0, static_cast<double>(prefix + 1));
    unit.remove_prefix(1);
  }
  if (dimension == Dimension::kBytes && !unit.empty() && unit != "byte") return std::nullopt;
  return factor;
}

const char* units_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::kTime: return "ns, us, ms, s, nsecond, usecond, msecond, second";
    case Dimension::kRate: return "hz, Khz, Mhz, Ghz, cycle/nsecond, cycle/usecond, cycle/second";
    case Dimension::kShare: return "%";
    case Dimension::kBytes: return "byte, Kbyte, Mbyte, Gbyte, Tbyte";
    case Dimension::kCount: break;
  }
  return "any";
}

/// Parses 1,234,567.8 without thousands separators; none if it is not such a number.
std::optional<double> number_of(std::string_view text) {
  std::string digits;
  if (text.find(',') == std::string_view::npos) {
    digits = text;
  } else {
    const std::string_view whole = text.substr(0, text.find('.'));
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const bool place = (whole.size() - i) % 4 == 0;
      if ((whole[i] == ',') != place || (i == 0 && place)) return std::nullopt;
      if (!place) digits += whole[i];
    }
    digits += text.substr(whole.size());
  }
  return parse_number<double>(digits);
}

bool is_measured(std::string_view text) {
  const std::string name = lower(text);
  return !name.empty() && name.find("n/a") == std::string::npos && name.find("nan") == std::string::npos &&
         name.find("inf") == std::string::npos && name != "-";
}

using Values = std::map<const FormatField*, double>;  ///< values in us, MHz, shares, and without prefixes

/// The sum of the first alternative whose terms are all known, plus the known terms of `beside`.
std::optional<double> value_of(const Values& values,
                               std::initializer_list<std::initializer_list<const FormatField*>> all,
                               std::initializer_list<const FormatField*> beside = {}) {
  for (const auto& alternative : all) {
    double sum = 0;
    if (!std::all_of(alternative.begin(), alternative.end(), [&](const FormatField* field) {
          const auto found = values.find(field);
          if (found != values.end()) sum += found->second;
          return found != values.end();
        }))
      continue;
    for (const FormatField* field : beside) {
      if (const auto found = values.find(field); found != values.end()) sum += found->second;
    }
    return sum;
  }
  return std::nullopt;
}

/// DRAM sectors have 32 bytes, like those of the L2.
std::optional<double> bytes_of(const Values& values, const FormatField& bytes, const FormatField& op_bytes,
                               const FormatField& sectors) {
  if (const auto known = value_of(values, {{&bytes}, {&op_bytes}})) return known;
  const auto count = value_of(values, {{&sectors}});
  return count ? std::optional(32 * *count) : std::nullopt;
}

/// Different counter passes do not see the same launch, so shares may exceed 1 ("Metrics Guide, Range and Precision" of the
/// guide).
std::optional<double> share_of(const std::optional<double>& value) {
  return value ? std::optional(std::min(*value, 1.0)) : std::nullopt;
}

KernelDemand demand_of(const Values& values) {
  const auto known = [&](auto... alternatives) { return value_of(values, {{alternatives}...}); };
  KernelDemand demand;
  demand.duration_us = known(&kTime, &kTimeMean, &kPageTime);
  demand.sm_mhz = known(&kSmRate, &kSmspRate, &kGpcRate, &kPageRate);
  const auto cycles = known(&kGpcCycles, &kSmCycles, &kSmCyclesMean, &kPageCycles);
  if (!demand.sm_mhz && cycles && demand.duration_us.value_or(0) > 0) demand.sm_mhz = *cycles / *demand.duration_us;
  if (demand.sm_mhz && (*demand.sm_mhz < 1 || *demand.sm_mhz > kMostMhz))
    demand.sm_mhz.reset();  // impossible for a launch
  demand.instructions = known(&kSmspInstructions, &kSmInstructions, &kPageInstructions);
  demand.of_pipe.fp32 = value_of(values, {{&kFma}}, {&kFp16});
  demand.of_pipe.integer = value_of(values, {{&kAlu}}, {&kUniform});
  demand.of_pipe.fp64 = known(&kFp64);
  demand.of_pipe.sfu = known(&kXu);
  demand.of_pipe.tensor = known(&kTensor);
  if (!demand.of_pipe.tensor) demand.of_pipe.tensor = value_of(values, {{&kHmma}}, {&kImma, &kDmma});
  demand.of_pipe.load_store = known(&kLsu);
  demand.of_pipe.control = value_of(values, {{&kCbu}}, {&kAdu});
  demand.shared_wavefronts = value_of(values, {{&kShared}, {&kSharedLoads, &kSharedStores}});
  demand.l1_sectors = known(&kL1Sectors, &kL1All);
  if (!demand.l1_sectors)
    demand.l1_sectors = value_of(values, {{&kGlobalLoads, &kGlobalStores}},
                                 {&kGlobalAtomics, &kGlobalReductions, &kLocalLoads, &kLocalStores});
  demand.l1_hit_rate = share_of(known(&kL1HitRate, &kPageL1));
  demand.l2_read_sectors = known(&kTexReads, &kReads);
  demand.l2_write_sectors = value_of(values, {{&kTexWrites}}, {&kTexAtomics, &kTexReductions});
  if (!demand.l2_write_sectors) demand.l2_write_sectors = value_of(values, {{&kWrites}}, {&kAtomics, &kReductions});
  demand.l2_hit_rate = share_of(known(&kL2HitRate, &kPageL2));
  demand.dram_read_bytes = bytes_of(values, kDramRead, kDramOpRead, kDramSectorsRead);
  demand.dram_write_bytes = bytes_of(values, kDramWritten, kDramOpWritten, kDramSectorsWritten);
  demand.warps_active = share_of(known(&kWarpsActive, &kPageWarps));
  return demand;
}

// --- The table ---

/// "(16385, 1, 1)"
std::optional<Dim3> shape_of(std::string_view text) {
  std::array<std::uint32_t, 3> extent{};
  std::size_t count = 0;
  while (!text.empty() && count < 3) {
    if (const auto number = take_number<std::uint32_t>(text))
      extent[count++] = *number;
    else
      text.remove_prefix(1);
  }
  if (count < 3 || std::find(extent.begin(), extent.end(), 0u) != extent.end()) return std::nullopt;
  return Dim3{extent[0], extent[1], extent[2]};
}

class Table {
 public:
  explicit Table(const std::string& path) : path_(path) {}

  KernelProfile read(const std::string& text) {
    Lines lines(starts_with(text, "\xEF\xBB\xBF") ? std::string_view(text).substr(3) : text);
    while (lines.next()) {
      line_ = lines.line();
      if (std::find(lines.fields().begin(), lines.fields().end(), kKernelName.name) != lines.fields().end()) {
        begin(lines.fields());
      } else if (!columns_.empty()) {
        add(lines.fields());
      }
    }
    if (columns_.empty())
      throw InputError(path_, 0,
                       "has no table of Nsight Compute; allowed: the output of ncu --csv, for a report ncu --import "
                       "REPORT.ncu-rep --page raw --csv (docs/demands.md)");
    if (launches_.empty()) throw InputError(path_, 0, "the table of Nsight Compute has no launch");
    return profile();
  }

 private:
  struct Launch {
    ProfiledLaunch of;
    Values values;
    std::size_t line;
  };

  void begin(const std::vector<std::string_view>& header) {
    columns_.assign(header.begin(), header.end());
    units_.clear();
    metrics_.clear();
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const auto known = known_metrics().find(columns_[c]);
      if (known != known_metrics().end() && known->second.first->place == kMetrics) metrics_.insert(c);
    }
    id_ = place(kId);
    process_ = place(kProcess);
    name_ = place(kKernelName);
    metric_ = place(kMetricName);
    unit_ = place(kMetricUnit);
    value_ = place(kMetricValue);
    if (!value_ && metric_) value_ = place(kAverage);
    invocations_ = place(kInvocations);
    grid_ = place(kGridSize);
    block_ = place(kBlockSize);
    if (metric_ && !(value_ && (id_ || invocations_)))
      fail(fmt::format("the table has '{}', but not '{}' and '{}', or '{}' and '{}'", kMetricName.name, kId.name,
                       kMetricValue.name, kInvocations.name, kAverage.name));
    if (!metric_ && !id_) fail(fmt::format("the table has neither '{}' nor '{}'", kId.name, kMetricName.name));
  }
  std::optional<std::size_t> place(const FormatField& column) const {
    const auto found = std::find(columns_.begin(), columns_.end(), column.name);
    return found == columns_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - columns_.begin()));
  }
  std::string_view field(const std::vector<std::string_view>& fields, std::optional<std::size_t> place) const {
    return place && *place < fields.size() ? fields[*place] : std::string_view();
  }

  /// Lines outside the table do not begin with the number of a launch or process, or have fewer fields.
  void add(const std::vector<std::string_view>& fields) {
    const std::size_t needed = metric_ ? std::max(*metric_, *value_) + 1 : columns_.size();
    if (fields.size() < needed) return;
    const std::string_view first = field(fields, id_ ? id_ : process_);
    if (!metric_ && first.empty() && units_.empty()) units_.assign(fields.begin(), fields.end());
    if (!parse_number<std::uint64_t>(first)) return;
    Launch& launch = launch_of(fields);
    if (metric_) {
      note(launch, field(fields, metric_), field(fields, unit_), field(fields, value_));
      return;
    }
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (metrics_.count(c) > 0)
        note(launch, columns_[c], c < units_.size() ? std::string_view(units_[c]) : std::string_view(), fields[c]);
    }
  }

  Launch& launch_of(const std::vector<std::string_view>& fields) {
    std::string key(field(fields, process_));
    key += ' ';
    if (id_) {
      key += field(fields, id_);
    } else {  // a row of a summary
      for (const auto column : {std::optional(*name_), grid_, block_}) (key += field(fields, column)) += '\n';
    }
    const auto [known, is_new] = place_.emplace(std::move(key), launches_.size());
    if (!is_new) return launches_[known->second];
    Launch& launch = launches_.emplace_back();
    launch.line = line_;
    launch.of.name = field(fields, name_);
    if (launch.of.name.empty()) fail("a launch has no kernel name");
    launch.of.grid = shape_of(field(fields, grid_));
    launch.of.block = shape_of(field(fields, block_));
    launch.of.demand.source = fmt::format("{}, line {}", std::filesystem::path(path_).filename().string(), line_);
    if (!id_) {
      const auto count = number_of(field(fields, invocations_));
      if (!count || *count < 1 || *count > 1e15)
        fail(fmt::format("{}: found '{}', allowed: a number from 1 on", kInvocations.name,
                         shortened(std::string(field(fields, invocations_)))));
      launch.of.launches = static_cast<std::uint64_t>(*count);
    }
    return launch;
  }

  void note(Launch& launch, std::string_view metric, std::string_view unit, std::string_view value) const {
    const auto known = known_metrics().find(metric);
    if (known == known_metrics().end() || !is_measured(value)) return;
    const auto [row, dimension] = known->second;
    const auto number = number_of(value);
    if (!number || *number < 0 || !std::isfinite(*number))
      fail(fmt::format(
          "{}: found '{}', allowed: a number from 0 on, as 1,234.5, or n/a (ncu writes numbers as its locale "
          "has them: LC_ALL=C)",
          row->name, shortened(std::string(value))));
    const auto factor = factor_of(unit, dimension);
    if (!factor)
      fail(fmt::format("{}: found the unit '{}', allowed: {}", row->name, shortened(std::string(unit)),
                       units_of(dimension)));
    const double most = dimension == Dimension::kTime ? kMostUs : kMostCount;
    if (*number * *factor > most)
      fail(fmt::format("{}: found '{} {}', which is more than any launch has", row->name, shortened(std::string(value)),
                       shortened(std::string(unit))));
    launch.values.emplace(row, *number * *factor);  // a metric on several pages keeps its first value
  }

  KernelProfile profile() {
    KernelProfile profile{path_, {}};
    for (Launch& launch : launches_) {
      std::string source = std::move(launch.of.demand.source);
      launch.of.demand = demand_of(launch.values);
      launch.of.demand.source = std::move(source);
      const auto count = [&](const FormatField& metric, const FormatField& page) -> std::optional<std::uint64_t> {
        const auto value = value_of(launch.values, {{&metric}, {&page}});
        return value && *value < 1e18 ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
      };
      launch.of.blocks = launch.of.grid ? std::optional(launch.of.grid->count()) : count(kGridCount, kPageGrid);
      launch.of.threads = launch.of.block ? std::optional(launch.of.block->count()) : count(kBlockCount, kPageBlock);
      profile.launches.push_back(std::move(launch.of));
    }
    return profile;
  }

  [[noreturn]] void fail(const std::string& what) const { throw InputError(path_, line_, what); }

  const std::string& path_;
  std::size_t line_ = 0;
  std::vector<std::string> columns_, units_;  ///< columns and units of the current table
  std::set<std::size_t> metrics_;             ///< columns with metrics
  std::optional<std::size_t> id_, process_, name_, metric_, unit_, value_, invocations_, grid_, block_;
  std::deque<Launch> launches_;
  std::unordered_map<std::string, std::size_t> place_;  ///< index in launches_
};

}  // namespace
}  // namespace ncu

KernelProfile parse_profile(const std::string& text, const std::string& path) { return ncu::Table(path).read(text); }

KernelProfile read_profile(const std::string& path) { return parse_profile(read_text(path), path); }

}  // namespace gputlm

#include "platform/input/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

#include "models/policy/policy.h"
#include "platform/input/nearest.h"
#include "tlm/access.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

constexpr std::uint64_t kWarp = 32;
constexpr unsigned kMaxPorts = 64;  // arbiters of GPC port, crossbar and sub-core hold their requests in 64 bits

[[noreturn]] void fail(const Origin& origin, const std::string& what) {
  throw InputError(origin.source, origin.line, what);
}

[[noreturn]] void fail(const Origin& origin, const Parameter& parameter, std::string_view found) {
  fail(origin, fmt::format("{}: found '{}', allowed: {}", parameter.key, found, parameter.allowed()));
}

bool is_power_of_two(std::uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

bool has_shape(std::uint64_t n, Shape shape) {
  switch (shape) {
    case Shape::kAny: return true;
    case Shape::kPowerOfTwo: return is_power_of_two(n);
    case Shape::kWholeWarps: return n % kWarp == 0;
  }
  return false;
}

template <typename Number>
std::optional<Number> parse(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// A byte count, plain or with a binary unit.
std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  std::uint64_t unit = 1;
  for (const auto& [suffix, factor] : {std::pair{"KiB", 1ull << 10}, {"MiB", 1ull << 20}, {"GiB", 1ull << 30}}) {
    if (text.size() > 3 && text.substr(text.size() - 3) == suffix) {
      unit = factor;
      text.remove_suffix(3);
      while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
      break;
    }
  }
  const auto count = parse<std::uint64_t>(text);
  if (!count || *count > (1ull << 62) / unit) return std::nullopt;
  return *count * unit;
}

std::optional<std::uint64_t> parse_integer(const Parameter& parameter, std::string_view text) {
  const auto value = parameter.unit == "bytes" ? parse_bytes(text) : parse<std::uint64_t>(text);
  if (!value || *value < parameter.min || *value > parameter.max || !has_shape(*value, parameter.shape)) {
    return std::nullopt;
  }
  return value;
}

std::vector<std::string> policy_names(const std::string& decision_name) {
  std::vector<std::string> names;
  for (const PolicyInfo* const policy : decision(decision_name).policies()) names.push_back(policy->name);
  return names;
}

/// An option that somebody may mean who leaves out the policy: "sm.two_level.active_warps" for "sm.active_warps". Empty
/// if there is none.
std::string option_called(std::string_view key) {
  const std::size_t dot = key.find('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view unit = key.substr(0, dot), option = key.substr(dot + 1);
  for (const DecisionInfo* const decision : decisions()) {
    if (decision->unit() != unit) continue;
    for (const PolicyInfo* const policy : decision->policies()) {
      for (const OptionInfo& info : policy->options) {
        if (info.name == option) return fmt::format("{}.{}.{}", unit, policy->name, option);
      }
    }
  }
  return {};
}

/// Calls `visit` with the value of the parameter. Works on a copy: `field` gives a pointer to change the value through.
template <typename Visitor>
auto visit_value(const Parameter& parameter, GpuConfig config, Visitor visit) {
  return std::visit([&](const auto* value) { return visit(*value); }, parameter.field(config));
}

struct AsText {
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  template <typename Number>
  std::string operator()(Number value) const {
    return fmt::format("{}", value);  // of a real: the shortest text that reads back as the same value
  }
};

/// One assignment by type; false if the text is no allowed value.
struct Assign {
  const Parameter& parameter;
  std::string_view text;

  bool operator()(unsigned* field) const { return integer(field); }
  bool operator()(Bytes* field) const { return integer(field); }
  bool operator()(double* field) const {
    const auto value = parse<double>(text);
    // Written so that "not a number" fails.
    if (!value || !(*value >= static_cast<double>(parameter.min) && *value <= static_cast<double>(parameter.max))) {
      return false;
    }
    *field = *value;
    return true;
  }
  bool operator()(bool* field) const {
    if (text != "true" && text != "false") return false;
    *field = text == "true";
    return true;
  }
  bool operator()(std::string* field) const {
    if (!parameter.decision.empty()) {
      const auto names = policy_names(parameter.decision);
      if (std::find(names.begin(), names.end(), text) == names.end()) return false;
    } else if (text.empty()) {
      return false;
    }
    *field = text;
    return true;
  }

 private:
  template <typename Integer>
  bool integer(Integer* field) const {
    const auto value = parse_integer(parameter, text);
    if (!value) return false;
    *field = static_cast<Integer>(*value);
    return true;
  }
};

void assign(GpuConfig& config, const Parameter& parameter, std::string_view value, const Origin& origin) {
  if (!std::visit(Assign{parameter, value}, parameter.field(config))) fail(origin, parameter, value);
}

void require(bool holds, const Origin& origin, const std::string& rule, const std::string& found) {
  if (!holds) fail(origin, fmt::format("{}; found {}", rule, found));
}

void validate_sm(const GpuConfig& gpu, const Origin& origin) {
  const SmConfig& sm = gpu.sm;
  require(sm.warps % sm.sub_cores == 0, origin, "sm.warps must be a multiple of sm.sub_cores",
          fmt::format("{} warps and {} sub-cores", sm.warps, sm.sub_cores));
  require(sm.warps / sm.sub_cores <= kMaxPorts, origin,
          fmt::format("sm.warps / sm.sub_cores must not exceed {}", kMaxPorts),
          fmt::format("{} warps and {} sub-cores", sm.warps, sm.sub_cores));
  require(sm.max_threads_per_block <= sm.threads, origin, "sm.max_threads_per_block must not exceed sm.threads",
          fmt::format("{} and {}", sm.max_threads_per_block, sm.threads));
  require(sm.max_threads_per_block <= sm.warps * kWarp, origin,
          "sm.max_threads_per_block must not exceed 32 threads for each of sm.warps",
          fmt::format("{} threads and {} warps", sm.max_threads_per_block, sm.warps));
  require(sm.l1.bytes % (sm.l1.ways * kLineBytes) == 0, origin,
          fmt::format("sm.l1.bytes must be a multiple of sm.l1.ways x {} bytes", kLineBytes),
          fmt::format("{} bytes and {} ways", sm.l1.bytes, sm.l1.ways));
}

void validate_memory(const GpuConfig& gpu, const Origin& origin) {
  require(gpu.slices() <= kMaxPorts, origin,
          fmt::format("dram.channels x l2.slices_per_channel must not exceed {}", kMaxPorts),
          fmt::format("{} x {}", gpu.dram.channels, gpu.l2.slices_per_channel));
  require(gpu.l2.bytes % (gpu.slices() * gpu.l2.ways * kLineBytes) == 0, origin,
          fmt::format("l2.bytes must be a multiple of L2 slices x l2.ways x {} bytes", kLineBytes),
          fmt::format("{} bytes, {} slices and {} ways", gpu.l2.bytes, gpu.slices(), gpu.l2.ways));
  require(gpu.noc.header_bytes <= gpu.noc.flit_bytes, origin, "noc.header_bytes must not exceed noc.flit_bytes",
          fmt::format("{} and {}", gpu.noc.header_bytes, gpu.noc.flit_bytes));
  if (const std::string what = contradiction(gpu.dram); !what.empty()) fail(origin, what);
}

void validate_mmu(const GpuConfig& gpu, const Origin& origin) {
  const MmuConfig& mmu = gpu.mmu;
  const auto multiple = [&](const char* of, unsigned entries, unsigned ways) {
    require(entries % ways == 0, origin, fmt::format("the entries of {} must be a multiple of its ways", of),
            fmt::format("{} entries and {} ways", entries, ways));
  };
  multiple("sm.tlb", gpu.sm.tlb.entries, gpu.sm.tlb.ways);
  multiple("mmu.tlb", mmu.tlb_entries, mmu.tlb_ways);
  require(mmu.page_bytes <= mmu.prefetch_bytes && mmu.prefetch_bytes <= mmu.block_bytes &&
              mmu.block_bytes <= mmu.device_memory,
          origin,
          "mmu.page_bytes, mmu.prefetch_bytes, mmu.block_bytes and mmu.device_memory must not fall in this order",
          fmt::format("{}, {}, {} and {}", mmu.page_bytes, mmu.prefetch_bytes, mmu.block_bytes, mmu.device_memory));
}

}  // namespace

bool Parameter::is_number() const { return decision.empty() && max > 0; }

std::string Parameter::type() const {
  GpuConfig any;
  switch (field(any).index()) {
    case 0:
    case 1: return unit == "bytes" ? "bytes" : "integer";
    case 2: return "real";
    case 3: return "boolean";
    default: return "name";
  }
}

std::string Parameter::allowed() const {
  if (is_number()) {
    std::string range = fmt::format("{} to {}", min, max);
    if (!unit.empty()) range += " " + unit;
    if (shape == Shape::kPowerOfTwo) range += ", a power of two";
    if (shape == Shape::kWholeWarps) range += ", a multiple of 32";
    return range;
  }
  if (!decision.empty()) return fmt::format("{}", fmt::join(policy_names(decision), ", "));
  return type() == "boolean" ? "true, false" : "any text but none";
}

const Parameter& find_parameter(std::string_view key, const Origin& origin) {
  static const auto index = [] {
    std::unordered_map<std::string_view, const Parameter*> by_key;
    for (const Parameter& parameter : parameters()) by_key.emplace(parameter.key, &parameter);
    return by_key;
  }();
  if (const auto found = index.find(key); found != index.end()) return *found->second;
  std::string near = option_called(key);
  if (near.empty()) {
    std::vector<std::string> keys;
    for (const Parameter& parameter : parameters()) keys.push_back(parameter.key);
    near = nearest_name(key, keys);
  }
  fail(origin, fmt::format("no parameter '{}'{}; 'gputlm list parameters' shows all", key,
                           near.empty() ? std::string() : fmt::format("; did you mean '{}'?", near)));
}

void set_parameter(GpuConfig& config, std::string_view key, std::string_view value, const Origin& origin) {
  assign(config, find_parameter(key, origin), value, origin);
}

void set_assignment(GpuConfig& config, std::string_view assignment) {
  const Origin origin{fmt::format("--set {}", assignment)};
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) fail(origin, "found no '=', allowed: KEY=VALUE");
  set_parameter(config, assignment.substr(0, equals), assignment.substr(equals + 1), origin);
}

std::string parameter_text(const Parameter& parameter, const GpuConfig& config) {
  return visit_value(parameter, config, AsText());
}

nlohmann::ordered_json to_json(const GpuConfig& config) {
  nlohmann::ordered_json root = nlohmann::ordered_json::object();
  for (const Parameter& parameter : parameters()) {
    nlohmann::ordered_json* node = &root;
    std::string_view rest = parameter.key;
    for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
      node = &(*node)[std::string(rest.substr(0, dot))];
      rest.remove_prefix(dot + 1);
    }
    visit_value(parameter, config, [&](const auto& value) { (*node)[std::string(rest)] = value; });
  }
  return root;
}

void validate(const GpuConfig& config, const Origin& origin) {
  GpuConfig checked = config;
  for (const Parameter& parameter : parameters()) {
    assign(checked, parameter, parameter_text(parameter, config), origin);
  }
  validate_sm(config, origin);
  validate_memory(config, origin);
  validate_mmu(config, origin);
  require(config.sms_per_gpc <= kMaxPorts && config.gpcs() <= kMaxPorts, origin,
          fmt::format("neither sms_per_gpc nor the GPCs may exceed {}", kMaxPorts),
          fmt::format("{} SMs a GPC and {} GPCs", config.sms_per_gpc, config.gpcs()));
}

}  // namespace gputlm

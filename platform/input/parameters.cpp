#include "platform/input/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

#include "models/kernel/instruction.h"
#include "models/noc/switch_core.h"
#include "models/policy/policy.h"
#include "platform/files/json_text.h"
#include "platform/files/numbers.h"
#include "platform/input/instances_form.h"
#include "platform/input/nearest.h"
#include "tlm/access.h"
#include "tlm/base/error.h"
#include "tlm/base/utf8.h"

namespace gputlm {
namespace {

constexpr std::size_t kMaxText = 200;      // bytes of a text
constexpr unsigned kMaxSubCoreWarps = 64;  // a warp scheduler holds its requests in 64 bits

[[noreturn]] void fail(const Origin& origin, const std::string& what) {
  throw InputError(origin.source, origin.line, what);
}

std::optional<std::uint64_t> parse_integer(const Parameter& parameter, std::string_view text) {
  const auto value = parameter.unit == "bytes" ? parse_size(text) : parse_number<std::uint64_t>(text);
  return value && parameter.allows(*value) ? value : std::nullopt;
}

std::vector<std::string> policy_names(const std::string& decision_name) {
  std::vector<std::string> names;
  for (const PolicyInfo* const policy : decision(decision_name).policies()) names.push_back(policy->name);
  return names;
}

[[noreturn]] void fail(const Origin& origin, const Parameter& parameter, std::string_view found) {
  std::string meant = parameter.unit == "bytes" ? byte_suggestion(found) : "";
  if (!parameter.decision.empty()) {
    std::vector<KnownName> policies;
    for (const PolicyInfo* const policy : decision(parameter.decision).policies())
      policies.push_back({policy->name, policy->description});
    meant = question(names_meant(found, policies));
  }
  fail(origin, fmt::format("{}: found '{}'{}{} allowed: {}", parameter.name, shortened(std::string(found)), meant,
                           meant.empty() ? "," : "", parameter.allowed()));
}

/// The option meant by a user who leaves out the policy: "sm.two_level.active_warps" for "sm.active_warps". Empty if there is
/// none.
std::string option_called(std::string_view key) {
  const std::size_t dot = key.find('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view unit = key.substr(0, dot), option = key.substr(dot + 1);
  for (const DecisionInfo* const decision : decisions()) {
    if (decision->unit() != unit) continue;
    for (const PolicyInfo* const policy : decision->policies()) {
      for (const Field& info : policy->options) {
        if (info.name == option) return fmt::format("{}.{}.{}", unit, options_owner(policy->name), option);
      }
    }
  }
  return {};
}

/// Calls `visit` with the value of the parameter. Works on a copy: Parameter::value returns a pointer for changing it.
template <typename Visitor>
auto visit_value(const Parameter& parameter, GpuConfig config, Visitor visit) {
  return std::visit([&](const auto* value) { return visit(*value); }, parameter.value(config));
}

struct AsText {
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  template <typename Number>
  std::string operator()(Number value) const {
    return fmt::format("{}", value);  // of a real: the shortest text that reads back as the same value
  }
};

/// Assignment by type; false if the text is not an allowed value.
struct Assign {
  const Parameter& parameter;
  std::string_view text;

  bool operator()(unsigned* field) const { return integer(field); }
  bool operator()(Bytes* field) const { return integer(field); }
  bool operator()(double* field) const {
    const auto value = parse_number<double>(text);
    // Written so that NaN fails.
    if (!value || !(*value >= static_cast<double>(parameter.least) && *value <= static_cast<double>(parameter.most))) {
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
    } else if (!is_plain_text(text) || text.empty() || text.size() > kMaxText) {
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
  if (!std::visit(Assign{parameter, value}, parameter.value(config))) fail(origin, parameter, value);
}

/// Rules between parameters.
class Rules {
 public:
  Rules(const GpuConfig& gpu, const Origin& origin, const Origins& origins)
      : gpu_(gpu), origin_(origin), origins_(origins) {}

  void check() const {
    check_gpcs();
    check_sm();
    check_memory();
    check_mmu();
  }

 private:
  void require(bool holds, const std::string& rule, const std::string& found) const {
    if (!holds) fail_together(fmt::format("{}; found {}", rule, found), origin_, origins_);
  }

  void check_gpcs() const {
    const std::vector<unsigned> sms = gpu_.sms_of_gpcs();
    unsigned sum = 0;
    bool fit = true;
    for (const unsigned count : sms) {
      fit = fit && count >= 1 && count <= gpu_.sms_per_gpc;
      sum += count;
    }
    require(fit, "gpc_sms must be even, or numbers from 1 to sms_per_gpc with + between them",
            fmt::format("{} and {}", gpu_.gpc_sms, gpu_.sms_per_gpc));
    require(sum == gpu_.sms, "gpc_sms must be even, or have as many together as sms",
            fmt::format("{}, which are {}, and {}", gpu_.gpc_sms, sum, gpu_.sms));
    const WorkDistributorConfig& distributor = gpu_.work_distributor;
    require(distributor.cluster_blocks <= distributor.non_portable_cluster_blocks,
            "work_distributor.cluster_blocks must not exceed work_distributor.non_portable_cluster_blocks",
            fmt::format("{} and {}", distributor.cluster_blocks, distributor.non_portable_cluster_blocks));
  }

  void check_sm() const {
    const SmConfig& sm = gpu_.sm;
    require(sm.warps % sm.sub_cores == 0, "sm.warps must be a multiple of sm.sub_cores",
            fmt::format("{} warps and {} sub-cores", sm.warps, sm.sub_cores));
    require(sm.warps / sm.sub_cores <= kMaxSubCoreWarps,
            fmt::format("sm.warps / sm.sub_cores must not exceed {}", kMaxSubCoreWarps),
            fmt::format("{} warps and {} sub-cores", sm.warps, sm.sub_cores));
    require(sm.max_threads_per_block <= sm.threads, "sm.max_threads_per_block must not exceed sm.threads",
            fmt::format("{} and {}", sm.max_threads_per_block, sm.threads));
    require(sm.max_threads_per_block <= sm.warps * kWarpSize,
            "sm.max_threads_per_block must not exceed 32 threads for each of sm.warps",
            fmt::format("{} threads and {} warps", sm.max_threads_per_block, sm.warps));
    require(sm.l1.bytes % (sm.l1.ways * kLineBytes) == 0,
            fmt::format("sm.l1.bytes must be a multiple of sm.l1.ways x {} bytes", kLineBytes),
            fmt::format("{} bytes and {} ways", sm.l1.bytes, sm.l1.ways));
  }

  void check_memory() const {
    require(gpu_.slices() <= SwitchCore::kMaxInputs,
            fmt::format("dram.channels x l2.slices_per_channel must not exceed {}", SwitchCore::kMaxInputs),
            fmt::format("{} x {}", gpu_.dram.channels, gpu_.l2.slices_per_channel));
    require(gpu_.l2.bytes % (gpu_.slices() * gpu_.l2.ways * kLineBytes) == 0,
            fmt::format("l2.bytes must be a multiple of L2 slices x l2.ways x {} bytes", kLineBytes),
            fmt::format("{} bytes, {} slices and {} ways", gpu_.l2.bytes, gpu_.slices(), gpu_.l2.ways));
    require(gpu_.l2.applications <= std::min(gpu_.l2.mshrs, gpu_.l2.queue),
            "l2.applications must not exceed l2.mshrs and l2.queue: each has one of both at least",
            fmt::format("{}, {} and {}", gpu_.l2.applications, gpu_.l2.mshrs, gpu_.l2.queue));
    require(gpu_.noc.header_bytes <= gpu_.noc.flit_bytes, "noc.header_bytes must not exceed noc.flit_bytes",
            fmt::format("{} and {}", gpu_.noc.header_bytes, gpu_.noc.flit_bytes));
    if (const std::string what = contradiction(gpu_.dram); !what.empty()) fail_together(what, origin_, origins_);
  }

  void check_mmu() const {
    const MmuConfig& mmu = gpu_.mmu;
    const auto multiple = [&](const char* of, const char* by, unsigned entries, unsigned ways) {
      require(entries % ways == 0, fmt::format("{} must be a multiple of {}", of, by),
              fmt::format("{} entries and {} ways", entries, ways));
    };
    multiple("sm.tlb.entries", "sm.tlb.ways", gpu_.sm.tlb.entries, gpu_.sm.tlb.ways);
    multiple("mmu.tlb_entries", "mmu.tlb_ways", mmu.tlb_entries, mmu.tlb_ways);
    require(mmu.page_bytes <= mmu.prefetch_bytes && mmu.prefetch_bytes <= mmu.block_bytes &&
                mmu.block_bytes <= mmu.device_memory,
            "mmu.page_bytes, mmu.prefetch_bytes, mmu.block_bytes and mmu.device_memory must not fall in this order",
            fmt::format("{}, {}, {} and {}", mmu.page_bytes, mmu.prefetch_bytes, mmu.block_bytes, mmu.device_memory));
  }

  const GpuConfig& gpu_;
  const Origin& origin_;
  const Origins& origins_;
};

/// The keys of parameters that occur in a text.
std::vector<std::string> keys_in(const std::string& text) {
  const auto in_key = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
  std::vector<std::string> keys;
  for (auto at = text.begin(); at != text.end();) {
    const auto begin = std::find_if(at, text.end(), in_key);
    at = std::find_if_not(begin, text.end(), in_key);
    const std::string word(begin, at);
    const bool known =
        std::any_of(parameters().begin(), parameters().end(), [&](const Parameter& p) { return p.name == word; });
    if (known && std::find(keys.begin(), keys.end(), word) == keys.end()) keys.push_back(word);
  }
  return keys;
}

std::string shown(const Origin& origin) {
  return origin.source + (origin.line != 0 ? fmt::format(":{}", origin.line) : std::string());
}

}  // namespace

std::string Parameter::type() const {
  GpuConfig any;
  switch (value(any).index()) {
    case 0:
    case 1: return unit == "bytes" ? "bytes" : "integer";
    case 2: return "real";
    case 3: return "boolean";
    default: return "name";
  }
}

std::string Parameter::allowed() const {
  if (is_number()) return range();
  if (!decision.empty()) return fmt::format("{}", fmt::join(policy_names(decision), ", "));
  return type() == "boolean" ? "true, false" : "text of 1 to 200 bytes, without control characters";
}

const Parameter& find_parameter(std::string_view key, const Origin& origin) {
  static const auto index = [] {
    std::unordered_map<std::string_view, const Parameter*> by_key;
    for (const Parameter& parameter : parameters()) by_key.emplace(parameter.name, &parameter);
    return by_key;
  }();
  if (const auto found = index.find(key); found != index.end()) return *found->second;
  std::vector<std::string> meant;
  if (const std::string option = option_called(key); !option.empty()) {
    meant = {option};
  } else {
    std::vector<KnownName> known;
    for (const Parameter& parameter : parameters()) known.push_back({parameter.name, parameter.meaning});
    meant = names_meant(key, known);
  }
  fail(origin, fmt::format("no parameter '{}'{}{} 'gputlm list parameters' shows all", shortened(std::string(key)),
                           question(meant), meant.empty() ? ";" : ""));
}

void set_parameter(GpuConfig& config, std::string_view key, std::string_view value, const Origin& origin,
                   Origins* origins) {
  assign(config, find_parameter(key, origin), value, origin);
  if (origins) origins->emplace_back(key, origin);
}

void set_assignment(GpuConfig& config, std::string_view assignment, Origins* origins) {
  const Origin origin{"--set " + shortened(std::string(assignment))};
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) fail(origin, "found no '=', allowed: KEY=VALUE");
  set_parameter(config, assignment.substr(0, equals), assignment.substr(equals + 1), origin, origins);
}

std::string parameter_text(const Parameter& parameter, const GpuConfig& config) {
  return visit_value(parameter, config, AsText());
}

nlohmann::ordered_json to_json(const GpuConfig& config) {
  nlohmann::ordered_json root = nlohmann::ordered_json::object();
  for (const Parameter& parameter : parameters()) {
    if (parameter.may_be_unknown && parameter_text(parameter, config) == "0") continue;
    visit_value(parameter, config, [&](const auto& value) { object_at(root, parameter.name) = value; });
  }
  if (!config.instances.empty()) root["instances"] = written_instances(config.instances);
  return root;
}

void validate(const GpuConfig& config, const Origin& origin, const Origins& origins) {
  GpuConfig checked = config;
  for (const Parameter& parameter : parameters()) {
    assign(checked, parameter, parameter_text(parameter, config), origin);
  }
  Rules(config, origin, origins).check();
}

void fail_together(const std::string& what, const Origin& origin, const Origins& origins) {
  const std::vector<std::string> keys = keys_in(what);
  std::string places;
  for (const std::string& key : keys) {
    const auto set =
        std::find_if(origins.rbegin(), origins.rend(), [&](const auto& entry) { return entry.first == key; });
    if (set != origins.rend())
      places += fmt::format("{}{} set at {}", places.empty() ? " (" : ", ", key, shown(set->second));
  }
  const auto last = std::find_if(origins.rbegin(), origins.rend(), [&](const auto& entry) {
    return std::find(keys.begin(), keys.end(), entry.first) != keys.end();
  });
  fail(last == origins.rend() ? origin : last->second, what + (places.empty() ? "" : places + ")"));
}

}  // namespace gputlm

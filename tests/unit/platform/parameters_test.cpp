#include "platform/input/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "models/policy/policy.h"
#include "platform/cli/catalogue.h"
#include "platform/input/preset.h"
#include "tests/unit/error_of.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const Origin kHere{"here.yaml", 7};

std::string error_of_setting(const std::string& key, const std::string& value) {
  GpuConfig config;
  return error_of([&] { set_parameter(config, key, value, kHere); });
}

/// A number in the middle of a parameter's range that its shape allows and that differs from the default.
std::uint64_t inner_value(const Parameter& parameter) {
  std::string current = parameter_text(parameter, GpuConfig());
  for (std::uint64_t value = parameter.least; value <= parameter.most; value = value == 0 ? 1 : 2 * value) {
    const std::uint64_t candidate = parameter.shape == Field::Shape::kAny && value < parameter.most ? value + 1 : value;
    if (std::to_string(candidate) != current) return candidate;
  }
  ADD_FAILURE() << parameter.name << " has a single value";
  return parameter.least;
}

std::vector<std::string> policy_names(const std::string& of) {
  std::vector<std::string> names;
  for (const PolicyInfo* const policy : decision(of).policies()) names.push_back(policy->name);
  return names;
}

std::string other_value(const Parameter& parameter) {
  std::string current = parameter_text(parameter, GpuConfig());
  if (parameter.is_number()) return std::to_string(inner_value(parameter));
  if (parameter.type() == "boolean") return current == "true" ? "false" : "true";
  if (parameter.decision.empty()) return "another name";
  for (const std::string& name : policy_names(parameter.decision)) {
    if (name != current) return name;
  }
  return current;  // a decision with one policy
}

TEST(Parameters, HaveDifferentKeysAndADescription) {
  std::set<std::string> keys;
  for (const Parameter& parameter : parameters()) {
    EXPECT_TRUE(keys.insert(parameter.name).second) << parameter.name;
    EXPECT_FALSE(parameter.meaning.empty()) << parameter.name;
    EXPECT_FALSE(parameter.allowed().empty()) << parameter.name;
  }
}

TEST(Parameters, NameDifferentFields) {
  GpuConfig config;
  std::set<const void*> fields;
  for (const Parameter& parameter : parameters()) {
    std::visit([&](auto* field) { EXPECT_TRUE(fields.insert(field).second) << parameter.name; },
               parameter.value(config));
  }
}

// Leaving fields out is how they are counted.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/// Stands for any field, to count how many of them a struct takes.
struct AnyField {
  template <typename Field>
  operator Field() const;  // NOLINT(google-explicit-constructor): it has to convert in aggregate initialisation
};

template <typename Struct, typename... Fields>
constexpr auto takes(int) -> decltype(Struct{std::declval<Fields>()...}, true) {
  return true;
}
template <typename Struct, typename... Fields>
constexpr bool takes(...) {
  return false;
}
template <typename Struct, typename... Fields>
constexpr std::size_t fields() {
  if constexpr (takes<Struct, Fields..., AnyField>(0)) {
    return fields<Struct, Fields..., AnyField>();
  } else {
    return sizeof...(Fields);
  }
}

#pragma GCC diagnostic pop

TEST(Parameters, CoverEveryFieldOfTheConfiguration) {
  constexpr std::size_t pipes = 7;
  const std::size_t sm = fields<SmConfig>() - 1 + fields<SmLimits>() - pipes - 1 + pipes * fields<PipeConfig>() +
                         fields<L1Config>() - 1 + fields<SmTlbConfig>();
  const std::size_t dram = fields<DramConfig>() - 2 + fields<DramTiming>() + fields<DramEnergy>();
  const std::size_t units = fields<NocConfig>() + fields<L2Config>() + fields<MemoryMapConfig>() +
                            fields<WorkDistributorConfig>() + fields<HostConfig>() + fields<CopyEngineConfig>() +
                            fields<HostLinkConfig>() + fields<HostMemoryConfig>() + fields<MmuConfig>() +
                            fields<MigConfig>() + fields<ClusterNetworkConfig>();
  constexpr std::size_t structs = 13;  // members of GpuConfig that are counted by their own
  const std::size_t options = 5;       // of SmConfig, NocConfig, L2Config, DramConfig and WorkDistributorConfig each
  const std::size_t others = 2;        // instances, which are a list, and which GPCs of one lie where: no parameters
  const auto is_field = [](const Parameter& parameter) { return parameter.source.empty(); };
  EXPECT_EQ(static_cast<std::size_t>(std::count_if(parameters().begin(), parameters().end(), is_field)),
            fields<GpuConfig>() - structs - others + sm + dram + units - options);
}

TEST(Parameters, HaveDefaultsThatAreAllowed) {
  const GpuConfig defaults;
  for (const Parameter& parameter : parameters()) {
    if (parameter.name == "name") continue;
    GpuConfig config;
    EXPECT_NO_THROW(set_parameter(config, parameter.name, parameter_text(parameter, defaults), kHere))
        << parameter.name;
  }
}

TEST(Parameters, RoundTripFromTextToTheConfigurationToJson) {
  for (const Parameter& parameter : parameters()) {
    GpuConfig config;
    const std::string text = other_value(parameter);
    set_parameter(config, parameter.name, text, kHere);
    EXPECT_EQ(parameter_text(parameter, config), text) << parameter.name;
    auto json = to_json(config);
    const auto before = to_json(GpuConfig());
    std::string pointer = "/" + parameter.name;
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    const nlohmann::ordered_json::json_pointer at(pointer);
    const auto value = json[at];
    if (value.is_number()) {
      EXPECT_EQ(value.get<double>(), std::stod(text)) << parameter.name;
    } else {
      EXPECT_EQ(value.is_string() ? value.get<std::string>() : value.dump(), text) << parameter.name;
    }
    if (parameter.may_be_unknown) {  // not there before, and the only one of its group
      json[at.parent_pointer().parent_pointer()].erase(at.parent_pointer().back());
    } else {
      json[at] = before[at];
    }
    EXPECT_EQ(json, before) << parameter.name << " changed another parameter too";
  }
}

TEST(Parameters, EnforceTheBoundsOfEveryNumber) {
  for (const Parameter& parameter : parameters()) {
    if (!parameter.is_number()) continue;
    EXPECT_EQ(error_of_setting(parameter.name, std::to_string(parameter.least)), "") << parameter.name;
    EXPECT_EQ(error_of_setting(parameter.name, std::to_string(parameter.most)), "") << parameter.name;
    std::vector<std::string> bad = {
        std::to_string(parameter.most + 1), "-1", "", "x", "1x", " 1", "18446744073709551616"};
    if (parameter.least > 0) bad.push_back(std::to_string(parameter.least - 1));
    if (parameter.type() != "real") bad.push_back(std::to_string(parameter.least) + ".5");
    if (parameter.type() == "real") bad.insert(bad.end(), {"nan", "inf"});
    if (parameter.shape != Field::Shape::kAny) bad.push_back(std::to_string(parameter.most - 1));
    for (const std::string& text : bad) {
      const std::string error = error_of_setting(parameter.name, text);
      EXPECT_THAT(error, HasSubstr("here.yaml:7: " + parameter.name + ": found '" + text + "', allowed: " +
                                   std::to_string(parameter.least) + " to " + std::to_string(parameter.most)));
    }
  }
}

TEST(Parameters, RefuseNamesAndSwitchesThatDoNotExist) {
  // Those of rtl/ follow, in builds that have them.
  EXPECT_THAT(error_of_setting("sm.warp_scheduler", "grr"),
              StartsWith("here.yaml:7: sm.warp_scheduler: found 'grr'; did you mean 'lrr'? allowed: lrr, gto, gty, "
                         "lrr_greedy, two_level, qaws"));
  EXPECT_EQ(error_of_setting("dram.bank_hash", "yes"),
            "here.yaml:7: dram.bank_hash: found 'yes', allowed: true, false");
  for (const Parameter& parameter : parameters()) {
    if (parameter.decision.empty()) continue;
    EXPECT_FALSE(policy_names(parameter.decision).empty()) << parameter.name;
    for (const std::string& name : policy_names(parameter.decision)) {
      EXPECT_EQ(error_of_setting(parameter.name, name), "");
    }
  }
}

TEST(Parameters, ReadByteCountsWithBinaryUnits) {
  GpuConfig config;
  set_parameter(config, "l2.bytes", "3MiB", kHere);
  EXPECT_EQ(config.l2.bytes, 3u * 1024 * 1024);
  set_parameter(config, "sm.shared_memory", "48 KiB", kHere);
  EXPECT_EQ(config.sm.shared_memory, 49152u);
  EXPECT_THAT(error_of_setting("sm.warps", "1KiB"), HasSubstr("found '1KiB'"));
  EXPECT_THAT(error_of_setting("l2.bytes", "18014398509481985KiB"), HasSubstr("allowed: 128 to"));
}

TEST(Parameters, SuggestTheNearestKeyForAnUnknownOne) {
  EXPECT_THAT(error_of_setting("sm.wraps", "1"),
              HasSubstr("here.yaml:7: no parameter 'sm.wraps'; did you mean 'sm.warps'"));
  EXPECT_THAT(error_of_setting("dram.timing.trrds", "1"), HasSubstr("did you mean 'dram.timing.tRRDS'"));
  EXPECT_THAT(error_of_setting("noc.hop", "1"), HasSubstr("no parameter 'noc.hop'"));
}

TEST(Parameters, AreSetByAssignments) {
  GpuConfig config;
  set_assignment(config, "sm.warps=64");
  EXPECT_EQ(config.sm.warps, 64u);
  EXPECT_EQ(error_of([&] { set_assignment(config, "sm.warps"); }), "--set sm.warps: found no '=', allowed: KEY=VALUE");
  EXPECT_THAT(error_of([&] { set_assignment(config, "sm.warps=0"); }),
              HasSubstr("--set sm.warps=0: sm.warps: found '0', allowed: 1 to 128 warps"));
}

TEST(Parameters, FormAFileThatGivesTheSameGpuAgain) {
  for (const PresetInfo& preset : presets()) {
    const GpuConfig again = parse_gpu(to_json(preset.config).dump(2), "dump.json");
    EXPECT_EQ(to_json(again), to_json(preset.config)) << preset.name;
  }
}

struct Rule {
  std::vector<std::string> assignments;
  std::string message;
};

TEST(Validation, RefusesWhatDoesNotFitTogether) {
  const std::vector<Rule> rules = {
      {{"sm.warps=30"}, "sm.warps must be a multiple of sm.sub_cores; found 30 warps and 4 sub-cores"},
      {{"sm.max_threads_per_block=2048"}, "sm.max_threads_per_block must not exceed sm.threads"},
      {{"sm.threads=4096", "sm.max_threads_per_block=2048"},
       "sm.max_threads_per_block must not exceed 32 threads for each of sm.warps"},
      {{"sm.l1.bytes=65000"}, "sm.l1.bytes must be a multiple of sm.l1.ways x 128 bytes"},
      {{"l2.bytes=3000000"}, "l2.bytes must be a multiple of L2 slices x l2.ways x 128 bytes"},
      {{"dram.channels=129"}, "dram.channels x l2.slices_per_channel must not exceed 256; found 129 x 2"},
      {{"sm.sub_cores=1", "sm.warps=65"}, "sm.warps / sm.sub_cores must not exceed 64"},
      {{"dram.bank_groups=32"}, "dram.bank_groups must not exceed dram.banks"},
      {{"dram.timing.tRC=49"}, "dram.timing.tRC must be at least dram.timing.tRAS; found 49 and 50"},
      {{"dram.timing.tCCDL=3"}, "dram.timing.tCCDL must be 0 (no bank groups) or at least dram.timing.tCCDS"},
      {{"l2.applications=8", "l2.queue=4"}, "l2.applications must not exceed l2.mshrs and l2.queue"},
      {{"noc.header_bytes=41"}, "noc.header_bytes must not exceed noc.flit_bytes"},
  };
  for (const Rule& rule : rules) {
    GpuConfig config = load_gpu("rtx2060");
    for (const std::string& assignment : rule.assignments) set_assignment(config, assignment);
    EXPECT_THAT(error_of([&] { validate(config, {"gpu"}); }), HasSubstr("gpu: " + rule.message));
  }
}

TEST(Validation, ChecksRangesOfValuesThatWereSetInCode) {
  GpuConfig config = load_gpu("rtx2060");
  config.noc.hop_latency = 0;
  EXPECT_THAT(error_of([&] { validate(config, {"gpu"}); }), HasSubstr("noc.hop_latency: found '0'"));
  config = load_gpu("rtx2060");
  config.sm.warp_scheduler = "none";
  EXPECT_THAT(error_of([&] { validate(config, {"gpu"}); }), HasSubstr("sm.warp_scheduler: found 'none'"));
}

TEST(Catalogues, HaveAllThatIsRegisteredAndNoTrailingSpaces) {
  std::size_t all_policies = 0;
  for (const DecisionInfo* const decision : decisions()) all_policies += decision->policies().size();
  EXPECT_EQ(catalogues().at("gpus").listing({}).items.size(), presets().size());
  const Listing listed = catalogues().at("parameters").listing({"turing68"});
  ASSERT_EQ(listed.items.size(), parameters().size());
  EXPECT_EQ(listed.items[1].json["key"], "sms");
  EXPECT_EQ(listed.items[1].json["value"], 68);
  EXPECT_EQ(catalogues().at("policies").listing({}).items.size(), all_policies);
  for (const Catalogue& catalogue : catalogues()) {
    const std::string text = text_of(catalogue.listing({}));
    EXPECT_EQ(text.find(" \n"), std::string::npos) << catalogue.name;
    EXPECT_EQ(text.back(), '\n') << catalogue.name;
  }
}

}  // namespace
}  // namespace gputlm

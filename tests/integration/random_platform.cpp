#include "tests/integration/random_platform.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "models/policy/policy.h"
#include "platform/input/parameters.h"
#include "platform/input/preset.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// An SM has room for a block of any random program (random_workload.h, random_host_program.h), and there are two
/// priorities.
bool can_run_the_programs(const GpuConfig& config) {
  constexpr unsigned kThreads = 256, kWarps = kThreads / 32, kRegisters = 64;
  const SmConfig& sm = config.sm;
  const unsigned step = sm.register_granularity, of_a_warp = (kRegisters * 32 + step - 1) / step * step;
  return sm.threads >= kThreads && sm.max_threads_per_block >= kThreads && sm.warps >= kWarps &&
         sm.registers >= kWarps * of_a_warp && sm.shared_memory >= 8192 && config.work_distributor.priorities >= 2;
}

}  // namespace

RandomPlatform::RandomPlatform(std::uint64_t seed) : RandomNumbers(seed) {
  const std::vector<PresetSource>& sources = preset_sources();
  config_ = load_gpu(sources[within(0, sources.size() - 1)].name);
  config_.work_distributor.priorities = 2;
  // Small, so that what is shared is fought for, and a run takes no longer than it must.
  const unsigned sms = number(2, 6);  // half of them is at least one
  try_to_set("sms", std::to_string(sms));
  try_to_set("sms_per_gpc", std::to_string(number(1, sms)));
  for (unsigned tries = 0; tries < 4 && config_.dram.channels > 4; ++tries) {
    try_to_set("dram.channels", std::to_string(number(1, 4)));
    try_to_set("l2.bytes", std::to_string(config_.slices() * config_.l2.ways * 128 * (16u << number(0, 5))));
    try_to_set("dram.channels", std::to_string(number(1, 4)));
  }
  std::vector<const Parameter*> all;
  for (const Parameter& parameter : parameters()) all.push_back(&parameter);
  for (std::size_t i = all.size() - 1; i > 0; --i) std::swap(all[i], all[within(0, i)]);
  const unsigned share = number(0, 3) * 15;  // of the parameters that change, in percent
  for (const Parameter* parameter : all) {
    if (!parameter->decision.empty() || chance(share)) try_to_set(parameter->name, another_value(*parameter));
  }
}

std::string RandomPlatform::text() const { return to_json(config_).dump(1); }

void RandomPlatform::try_to_set(const std::string& key, const std::string& value) {
  GpuConfig changed = config_;
  try {
    set_parameter(changed, key, value, {"random", 0});
    validate(changed, {"random", 0});
  } catch (const InputError&) {
    return;
  }
  if (can_run_the_programs(changed)) config_ = changed;
}

std::string RandomPlatform::another_value(const Parameter& parameter) {
  const std::string now = parameter_text(parameter, config_);
  if (!parameter.decision.empty()) {
    const auto policies = decision(parameter.decision).policies();
    const PolicyInfo& policy = *policies[within(0, policies.size() - 1)];
    const std::string& name = policy.name;
    if (policy.has(Property::kNeedsDurations)) return now;  // they are measured for the run: gputlm calibrate
    // What is decided in hardware has its own tests; it is slow, and made for some sizes only.
    return name.find('@') == std::string::npos || chance(20) ? name : now;
  }
  if (parameter.type() == "boolean") return chance(50) ? "true" : "false";
  // SMs and channels are small as they are. The size of what is fetched into memory only costs.
  if (!parameter.is_number() || parameter.name == "sms" || parameter.name == "dram.channels") return now;
  const auto clamped = [&](double value) {
    return std::to_string(static_cast<std::uint64_t>(
        std::clamp(value, static_cast<double>(parameter.least), static_cast<double>(parameter.most))));
  };
  const double value = std::stod(now);
  if (chance(25)) return clamped(static_cast<double>(parameter.least + number(0, 2)));
  if (parameter.shape == Field::Shape::kPowerOfTwo) return clamped(value / 8 * static_cast<double>(1u << number(0, 5)));
  const double step = parameter.shape == Field::Shape::kMultipleOf32 ? 32 : 1;
  const auto steps = static_cast<std::uint64_t>(value / step);
  if (steps == 0) return clamped(static_cast<double>(number(0, 40)) * step);  // what the preset leaves out
  return clamped(static_cast<double>(within(steps / 4, 2 * steps + 2)) * step);
}

}  // namespace gputlm

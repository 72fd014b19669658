/// Runs of the program with a policy's model and with its hardware.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/program.h"

namespace gputlm {

/// A result without the section on policies: their names, and counters that only the model has.
inline std::string without_policies(const std::string& result) {
  auto json = nlohmann::ordered_json::parse(result);
  json.erase("policies");
  return json.dump(2);
}

/// Runs with the model and with the hardware as the policy that `parameter` selects. Only the policy's name, and what it
/// counts itself, may differ.
inline void expect_the_same(const std::string& input, const std::string& parameter, const std::string& policy,
                            std::vector<std::string> options) {
  options.insert(options.end(), {"--set", parameter + "=" + policy});
  const FinishedRun model = run_workload(input, options);
  options.back() += "@rtl";
  const FinishedRun rtl = run_workload(input, options);
  // The policy's name is in the configuration, and in the warning that a policy does not look at budgets.
  std::string result = without_policies(rtl.result_text);
  const std::string value = '"' + policy, set = parameter + '=' + policy, hardware = "@rtl";
  ASSERT_NE(result.find(value + hardware), std::string::npos);
  for (const std::string& name : {value, set}) {
    const std::size_t at = result.find(name + hardware);
    if (at != std::string::npos) result.erase(at + name.size(), hardware.size());
  }
  EXPECT_EQ(result, without_policies(model.result_text));
  EXPECT_EQ(rtl.blocks_text, model.blocks_text);
}

}  // namespace gputlm

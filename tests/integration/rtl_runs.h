/// Runs of the program with a policy's model and with its hardware.
#pragma once

#include <string>
#include <vector>

#include "tests/integration/program.h"

namespace gputlm {

/// Runs with the model and with the hardware as what `parameter` chooses; all that may differ is the policy's name.
inline void expect_the_same(const std::string& input, const std::string& parameter, const std::string& policy,
                            std::vector<std::string> options) {
  options.insert(options.end(), {"--set", parameter + "=" + policy});
  const FinishedRun model = run_workload(input, options);
  options.back() += "@rtl";
  FinishedRun rtl = run_workload(input, options);
  const std::string name = '"' + policy + "@rtl\"";
  const std::size_t at = rtl.result_text.find(name);
  ASSERT_NE(at, std::string::npos);
  rtl.result_text.replace(at, name.size(), '"' + policy + '"');
  EXPECT_EQ(rtl.result_text, model.result_text);
  EXPECT_EQ(rtl.blocks_text, model.blocks_text);
}

}  // namespace gputlm

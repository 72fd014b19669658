#include "testbench/kind/recording.h"

#include <optional>

#include "tlm/base/numbers.h"

namespace gputlm {

RecordingValue::RecordingValue(const std::string& probe, const std::string& value, const char* what)
    : probe_(probe), what_(what) {
  if (value.empty()) return;
  const std::size_t comma = value.find(',');
  const auto of_unit = parse_number<std::size_t>(value.substr(0, comma));
  const auto most =
      comma == std::string::npos ? std::optional(decisions) : parse_number<std::uint64_t>(value.substr(comma + 1));
  if (!of_unit || !most || *most == 0) {
    throw InputError(fmt::format("--probe {}: found '{}', allowed: {}={}[,DECISIONS], numbers, e.g. {}=0,20000", probe,
                                 shortened(value), probe, what, probe));
  }
  unit = *of_unit;
  decisions = *most;
}

void RecordingValue::check(std::size_t units) const {
  if (unit < units) return;
  throw InputError(fmt::format("--probe {}: found {} {}, allowed: 0 to {}", probe_, what_, unit, units - 1));
}

}  // namespace gputlm

#include "testbench/lockstep/report.h"

#include <fmt/format.h>

namespace gputlm {

std::string run_line(const std::string& name, std::uint64_t seed, const LockstepResult& result) {
  return fmt::format("{:<28} seed {} {:>10} decisions {:>10} cycles  coverage {}/{}", name, seed, result.decisions,
                     result.cycles, result.coverage.reached(), result.coverage.all().size());
}

std::string difference_text(const LockstepResult& result, const std::string& waveform, const std::string& again) {
  return fmt::format("DIFFERENCE in cycle {} after {} decisions\n{}  waveform: {}\n  again: {}\n",
                     result.difference->cycle, result.decisions, result.difference->text, waveform, again);
}

std::string list_of_points(const CoveragePoints& coverage) {
  std::string text;
  for (const CoveragePoints::Point& point : coverage.all())
    text += fmt::format("  {:>10} {}\n", point.hits, point.name);
  return text;
}

std::string list_of_gaps(const CoveragePoints& coverage) {
  std::string text;
  for (const std::string& name : coverage.missing()) text += fmt::format("  NOT REACHED: {}\n", name);
  return text;
}

std::string knob_options(const FixedKnobs& knobs) {
  std::string text;
  for (const auto& [name, value] : knobs) text += fmt::format(" --{} {}", name, value);
  return text;
}

}  // namespace gputlm

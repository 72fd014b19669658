#include "platform/cli/check/traffic.h"

#include <fmt/format.h>

#include "platform/probes/recordings.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

class RecordingOfRun final : public Recording {
 public:
  RecordingOfRun(const RecordedRun& run, const std::string& kind)
      : Recording(recording_readers().at(kind).events(run)), run_(run) {}
  bool knows(const std::string& parameter) const override { return run_.knows(parameter); }
  double number(const std::string& parameter) const override { return run_.number(parameter); }
  std::string name(const std::string& parameter) const override { return run_.name(parameter); }

 private:
  const RecordedRun& run_;
};

}  // namespace

RecordedDecisions decisions_of(const DesignKind& kind, const std::string& folder) {
  if (!kind.recorded) {
    throw InputError(
        fmt::format("{}: no probe records the decisions of a {}; allowed: {}", folder, kind.name, recorded_kinds()));
  }
  const RecordedRun run(folder);
  return kind.recorded(RecordingOfRun(run, kind.name));
}

std::string recorded_kinds() {
  std::string kinds;
  for (const DesignKind& kind : design_kinds()) {
    if (kind.recorded) kinds += (kinds.empty() ? "" : ", ") + kind.name;
  }
  return kinds;
}

}  // namespace gputlm

#include "platform/input/application_alone.h"
#include "platform/input/yaml_reader.h"
#include "platform/lab/study.h"
#include "platform/run/check_fits.h"
#include "tests/fuzz/target.h"

namespace gputlm::fuzz {
namespace {

/// Names of files are those of the programs that come with the source.
void attack_sweep(const std::string& text) {
  const Study study = Study::read(YamlNode::load_text(text, kName), GPUTLM_SOURCE_DIR "/workloads");
  const auto points = study.points();
  for (const StudyPoint& point : {points.front(), points.back()}) {
    const Workload& workload = study.workload(point);
    check_fits(study.config(point), workload);
    for (std::size_t i = 0; i < workload.applications.size(); ++i)
      application_alone(workload, static_cast<ApplicationId>(i));
  }
}

const Registration of_sweep{{"sweep", Grammar::kYaml, attack_sweep, {"workloads"}}};

}  // namespace
}  // namespace gputlm::fuzz

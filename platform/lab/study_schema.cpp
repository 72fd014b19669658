/// The schema of sweep files (docs/sweep.md), which platform/lab/study.cpp reads.
#include "platform/input/parameters.h"
#include "platform/input/parameters_schema.h"
#include "platform/input/schema.h"
#include "platform/input/schema_forms.h"
#include "platform/lab/slurm.h"

namespace gputlm {
namespace {

using schema::Json;
using schema::kRequired;

Json entries(const Json& item) {
  Json form = schema::list(item, 1);
  form["uniqueItems"] = true;
  return form;
}

Json study() {
  Json one = Json::object(), several = Json::object();
  for (const Parameter& parameter : parameters()) {
    one[parameter.key] = schema::reference(parameter.key);
    several[parameter.key] = entries(schema::reference(parameter.key));
  }
  const auto by_key = [](const Json& properties) {
    return Json{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  };
  std::vector<schema::Key> of_slurm;
  for (const SlurmKey& key : slurm_keys()) {
    of_slurm.push_back(
        {key.name.c_str(), key.most > 0 ? schema::whole_number(1, key.most) : schema::text(), key.help.c_str()});
  }
  Json form = schema::mapping({{"description", schema::text(), "What is asked, in a line"},
                               {"gpus", entries(schema::text()), "Presets or GPU files; default that of gputlm run"},
                               {"set", by_key(one), "Parameters of every run"},
                               {"vary", by_key(several), "Every combination of these"},
                               {"workloads", entries(schema::text()), "Files", kRequired},
                               {"seeds", entries(schema::whole_number(0, ~std::uint64_t{0})), "Default 1"},
                               {"alone", schema::boolean(), "Also each application alone; default false"},
                               {"slurm", schema::mapping(of_slurm), "For gputlm sweep --slurm"}});
  form["definitions"] = parameter_definitions();
  return form;
}

GPUTLM_REGISTER { schemas().add({{"study"}, "A sweep: GPUs x settings x workloads x seeds", study}); }

}  // namespace
}  // namespace gputlm

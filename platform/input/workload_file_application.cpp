#include "platform/input/workload_file_application.h"

#include <utility>

namespace gputlm {

const MapForm& application_form() {
  static const MapForm form =
      MapForm("application")
          .fields<ApplicationSpec>()
          .not_together({"sm_percent", "sms"}, "an application has 'sms' or 'sm_percent', not both");
  return form;
}

ApplicationSpec read_application(const YamlMap& map, std::string name) {
  ApplicationSpec spec;
  spec.name = std::move(name);
  spec.file = map.node().file();
  const auto sms = map.find("sms");
  spec.line = sms ? sms->line() : map.node().line();
  read_fields(map, spec);
  return spec;
}

}  // namespace gputlm

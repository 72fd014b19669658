#include "platform/input/instances_form.h"

namespace gputlm {

using schema::Json;

const MapForm& instance_form() {
  static const MapForm form =
      MapForm("instance")
          .fields<InstanceSpec>()
          .rule({[](const YamlMap& map) {
                   const bool profile = map.find("profile").has_value();
                   if (profile && (map.find("gpcs") || map.find("channels") || map.find("sms")))
                     map.node().fail("an instance has 'profile', or 'gpcs', 'channels' and perhaps 'sms', not both");
                   if (!profile && !(map.find("gpcs") && map.find("channels")))
                     map.node().fail("an instance needs 'profile', or 'gpcs' and 'channels'");
                 },
                 [](Json& schema) {
                   const auto with = [](const char* key) { return Json{{"required", {key}}}; };
                   schema["oneOf"] = {Json{{"required", {"profile"}},
                                           {"not", schema::any_of({with("gpcs"), with("channels"), with("sms")})}},
                                      Json{{"required", {"gpcs", "channels"}}, {"not", with("profile")}}};
                 }});
  return form;
}

Json instances_schema() {
  Json form = schema::named(schema::any_of({schema::text(), schema::reference("instance")}));
  form["minProperties"] = 1;
  return form;
}

std::vector<InstanceSpec> read_instances(const YamlNode& node) {
  std::vector<InstanceSpec> all;
  for (const auto& [name, value] : node.entries()) {
    InstanceSpec& spec = all.emplace_back();
    spec.name = name;
    spec.file = value.file();
    spec.line = value.line();
    if (value.is_scalar()) {
      spec.profile = value.text();
    } else {
      read_fields(instance_form().read(value), spec);
    }
  }
  if (all.empty()) node.fail("found no instance, allowed: one or more, by name");
  return all;
}

Json written_instances(const std::vector<InstanceSpec>& instances) {
  Json all = Json::object();
  for (const InstanceSpec& spec : instances) {
    Json& one = all[spec.name] = Json::object();
    write_fields(spec, one);
  }
  return all;
}

}  // namespace gputlm

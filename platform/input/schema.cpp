#include "platform/input/schema.h"

#include <nlohmann/json.hpp>

namespace gputlm {

Registry<Schema>& schemas() {
  static Registry<Schema> registry("schema");
  return registry;
}

nlohmann::ordered_json schema_document(const Schema& schema) {
  nlohmann::ordered_json document{{"$schema", "http://json-schema.org/draft-07/schema#"},
                                  {"title", "gputlm " + schema.name},
                                  {"description", schema.description}};
  document.update(schema.make());
  return document;
}

}  // namespace gputlm

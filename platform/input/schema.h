/// JSON schemas of the files that the program reads: editors complete, explain and check by them while one types, other
/// programs before they write. A schema refuses nothing that the reader takes; what it cannot say (names that must be
/// somewhere else in the file, contradictions between parameters) only the reader refuses. docs/schemas.md lists both.
///
/// They are of draft 7, which every editor knows.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>

#include "tlm/registry.h"

namespace gputlm {

struct Schema : Registered {
  std::string description;  ///< of the file, in a line
  std::function<nlohmann::ordered_json()> make;
};

Registry<Schema>& schemas();

/// As a document, with what a schema says of itself.
nlohmann::ordered_json schema_document(const Schema& schema);

}  // namespace gputlm

/// The keys of workload files, by the mapping that they stand in: what docs/workload.md explains, whole.
#include "platform/cli/catalogue.h"
#include "platform/input/map_form.h"
#include "platform/input/workload_file_forms.h"

namespace gputlm {
namespace {

Listing keys(const ListOptions&) {
  Listing listing{{{"key", Column::Form::kKey}, {"values"}, {"default"}, {"meaning"}}, {}};
  for (const MapForm* const form : workload_forms()) {
    for (const MapForm::Key& key : form->keys()) {
      const std::string name = form->name() + "." + key.name, values = forms::allowed(key.form),
                        standard = key.required ? "required" : key.standard;
      const std::string meaning = key.meaning + (key.source.empty() ? "" : " (" + key.source + ")");
      listing.items.push_back({name,
                               key.meaning,
                               {name, values + (key.unit.empty() ? "" : " " + key.unit), standard, meaning},
                               {{"name", name},
                                {"values", values},
                                {"default", key.standard},
                                {"required", key.required},
                                {"unit", key.unit},
                                {"meaning", key.meaning},
                                {"source", key.source}}});
    }
  }
  return listing;
}

GPUTLM_REGISTER { catalogues().add({{"keys"}, "key", "Keys of workload files, by the mapping they stand in", keys}); }

}  // namespace
}  // namespace gputlm

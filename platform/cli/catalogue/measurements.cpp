// Measurements by others on real GPUs that judge the model, with their sources, and those that the model misses.
#include <fmt/format.h>

#include "platform/cli/catalogue.h"
#include "platform/experiments/silicon/measured.h"
#include "platform/lab/figure.h"

namespace gputlm {
namespace {

using Form = Column::Form;

struct Missed {
  std::string ours, why;
};

/// The known miss of a figure in the full form.
Missed missed(const std::string& experiment, const std::string& figure) {
  for (const KnownMiss& miss : known_misses().of(experiment)) {
    const auto found = miss.ours.find(figure);
    if (found != miss.ours.end()) return {found->second.text(), miss.why};
  }
  return {};
}

Listing listing_of_measurements(const ListOptions&) {
  Listing listing{
      {{"experiment", Form::kName}, {"figure"}, {"silicon", Form::kNumber}, {"model", Form::kNumber}, {"source"}}, {}};
  for (const Measurements& of : measurements()) {
    for (const Measurement& m : of.all()) {
      const Missed miss = missed(of.name, m.figure);
      listing.items.push_back(
          {m.figure,
           fmt::format("{}, {}{}", m.value.text(), m.place,
                       miss.ours.empty() ? "" : fmt::format("; the model has {}: {}", miss.ours, miss.why)),
           {of.name, m.figure, m.value.text(), miss.ours, m.place},
           {{"name", m.figure},
            {"experiment", of.name},
            {"silicon", m.value.text()},
            {"model", miss.ours},
            {"why", miss.why},
            {"source", m.place}}});
    }
  }
  return listing;
}

GPUTLM_REGISTER {
  catalogues().add({{"measurements"},
                    "measurement",
                    "Measurements of real GPUs that the model is compared with: their sources, and the model's value "
                    "where it misses (docs/silicon.md)",
                    listing_of_measurements});
}

}  // namespace
}  // namespace gputlm

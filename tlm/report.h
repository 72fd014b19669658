/// The statistics of an assembly's units. Each unit adds its own, by type, and the code that builds a result takes them
/// out. Several of a type are in the order of the units.
#pragma once

#include <any>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tlm/identity.h"

namespace gputlm {

/// A unit's statistics for each application that it has worked for.
template <class Statistics>
using ByApplication = std::map<ApplicationId, Statistics>;

/// `all`, indexed by ApplicationId, as a map: for a unit that counts for all applications.
template <class Statistics>
ByApplication<Statistics> by_application(const std::vector<Statistics>& all) {
  ByApplication<Statistics> result;
  for (const Statistics& its : all) result.emplace(static_cast<ApplicationId>(result.size()), its);
  return result;
}

class Report {
 public:
  struct Entry {
    std::string part;
    std::any statistics;
  };
  /// `part`: part of the unit, if it has several with the same statistics.
  template <class Statistics>
  void add(Statistics statistics, std::string_view part = {}) {
    entries_.push_back({std::string(part), std::move(statistics)});
  }
  /// Deleted: no counter table knows a vector (tlm/counter_table.h). Use ByApplication for statistics by application.
  template <class Statistics>
  void add(std::vector<Statistics> statistics, std::string_view part = {}) = delete;
  template <class Statistics>
  std::vector<Statistics> all(std::string_view part = {}) const {
    std::vector<Statistics> found;
    for (const Entry& entry : entries_) {
      const auto* const statistics = std::any_cast<Statistics>(&entry.statistics);
      if (statistics && entry.part == part) found.push_back(*statistics);
    }
    return found;
  }
  /// In the order in which they were added.
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace gputlm

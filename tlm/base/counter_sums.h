/// The additive counters of a described struct (tlm/base/counters.h) as a row of numbers whose differences are meaningful:
/// counters that add up over units and over time, so neither `latest` nor ratios. Vectors of counters sum to others beside
/// them; only those by application are included.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tlm/base/counters.h"

namespace gputlm {

/// A unit's counters as a whole, and for each application, by its ApplicationId.
template <class T>
struct CounterRow {
  std::vector<T> whole;
  std::vector<std::vector<T>> applications;
};

namespace counters_detail {

/// `parts` of this name are by ApplicationId.
inline constexpr std::string_view kByApplication = "applications";

/// Names, in the order of AddUp's numbers.
class SumNames {
 public:
  SumNames(std::vector<std::string>& whole, std::vector<std::string>& application, std::string prefix)
      : whole_(whole), application_(application), prefix_(std::move(prefix)) {}
  template <class Member, class... Text>
  void counter(Member, const char* name, Text...) {
    whole_.push_back(prefix_ + name);
  }
  template <class... Rest>
  void latest(const Rest&...) {}
  template <class... Rest>
  void ratio(const Rest&...) {}
  template <class Member, std::size_t N>
  void counters(Member, const char* name, const char*, const char*, const std::array<CounterLabel, N>& labels) {
    for (const CounterLabel& label : labels) whole_.push_back(prefix_ + name + "." + label.name);
  }
  template <class Member>
  void counters(Member, const char*, const char*, const char*) {}
  template <class S, class T>
  void part(T S::*, const std::string& name) {
    SumNames names(whole_, application_, name.empty() ? prefix_ : prefix_ + name + ".");
    visit_counters<T>(names);
  }
  template <class S, class T>
  void parts(std::vector<T> S::*, const std::string& name) {
    if (name != kByApplication) return;
    SumNames names(application_, application_, prefix_ + name + ".");
    visit_counters<T>(names);
  }

 private:
  std::vector<std::string>& whole_;
  std::vector<std::string>& application_;
  std::string prefix_;
};

template <class S>
class Sums {
 public:
  Sums(const S& s, std::vector<std::uint64_t>& whole, std::vector<std::vector<std::uint64_t>>* applications)
      : s_(s), whole_(whole), applications_(applications) {}
  template <class... Text>
  void counter(std::uint64_t S::*member, Text...) {
    whole_.push_back(s_.*member);
  }
  template <class... Rest>
  void latest(const Rest&...) {}
  template <class... Rest>
  void ratio(const Rest&...) {}
  template <std::size_t N, class... Text>
  void counters(std::array<std::uint64_t, N> S::*member, Text...) {
    whole_.insert(whole_.end(), (s_.*member).begin(), (s_.*member).end());
  }
  template <class... Text>
  void counters(std::vector<std::uint64_t> S::*, Text...) {}
  template <class T>
  void part(T S::*member, const char*) {
    Sums<T> sums(s_.*member, whole_, applications_);
    visit_counters<T>(sums);
  }
  template <class T>
  void parts(std::vector<T> S::*member, std::string_view name) {
    if (name != kByApplication) return;
    for (const T& one : s_.*member) {
      applications_->emplace_back();
      Sums<T> sums(one, applications_->back(), nullptr);
      visit_counters<T>(sums);
    }
  }

 private:
  const S& s_;
  std::vector<std::uint64_t>& whole_;
  std::vector<std::vector<std::uint64_t>>* applications_;
};

}  // namespace counters_detail

/// Names of the additive counters: of the struct, and of its parts by application.
template <class S>
CounterRow<std::string> sum_names() {
  CounterRow<std::string> names;
  names.applications.emplace_back();
  counters_detail::SumNames visitor(names.whole, names.applications.front(), "");
  visit_counters<S>(visitor);
  return names;
}

/// Their values, in that order.
template <class S>
CounterRow<std::uint64_t> sums(const S& s) {
  CounterRow<std::uint64_t> row;
  counters_detail::Sums<S> visitor(s, row.whole, &row.applications);
  visit_counters<S>(visitor);
  return row;
}

}  // namespace gputlm

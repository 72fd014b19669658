/// Counters with their values, independent of the struct: for code that writes them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tlm/base/counters.h"

namespace gputlm {

/// `name`: as in the description, with dots for nested objects.
class CounterVisitor {
 public:
  virtual ~CounterVisitor() = default;
  virtual void counter(const char* name, std::uint64_t value) = 0;
  virtual void counters(const char* name, const std::vector<std::uint64_t>& values) = 0;
  /// `whole` may be 0.
  virtual void ratio(const char* name, std::uint64_t part, std::uint64_t whole) = 0;
  /// Opens an object of this name; end() closes it.
  virtual void begin(const char* name) = 0;
  /// Opens a list of this name, whose items are unnamed objects.
  virtual void begin_list(const char* name) = 0;
  virtual void begin_item() = 0;
  virtual void end() = 0;
};

namespace counters_detail {

template <class S>
class Values {
 public:
  Values(const S& s, CounterVisitor& visitor) : s_(s), visitor_(visitor) {}
  template <class... Text>
  void counter(std::uint64_t S::*member, const char* name, Text...) {
    visitor_.counter(name, s_.*member);
  }
  template <class... Text>
  void latest(std::uint64_t S::*member, const char* name, Text...) {
    visitor_.counter(name, s_.*member);
  }
  template <std::size_t N>
  void counters(std::array<std::uint64_t, N> S::*member, const char* name, const char*, const char*,
                const std::array<CounterLabel, N>& labels) {
    visitor_.begin(name);
    for (std::size_t i = 0; i < N; ++i) visitor_.counter(labels[i].name, (s_.*member)[i]);
    visitor_.end();
  }
  void counters(std::vector<std::uint64_t> S::*member, const char* name, const char*, const char*) {
    visitor_.counters(name, s_.*member);
  }
  template <class T>
  void part(T S::*member, const char* name) {
    if (*name) visitor_.begin(name);
    Values<T> values(s_.*member, visitor_);
    visit_counters<T>(values);
    if (*name) visitor_.end();
  }
  template <class T>
  void parts(std::vector<T> S::*member, const char* name) {
    visitor_.begin_list(name);
    for (const T& part : s_.*member) {
      visitor_.begin_item();
      Values<T> values(part, visitor_);
      visit_counters<T>(values);
      visitor_.end();
    }
    visitor_.end();
  }
  template <class... Text>
  void ratio(std::uint64_t S::*part, std::uint64_t S::*whole, const char* name, Text...) {
    visitor_.ratio(name, s_.*part, s_.*whole);
  }

 private:
  const S& s_;
  CounterVisitor& visitor_;
};

}  // namespace counters_detail

/// Visits all counters of `s`, in the order of its description.
template <class S>
void visit_values(const S& s, CounterVisitor& visitor) {
  counters_detail::Values<S> values(s, visitor);
  visit_counters<S>(values);
}

}  // namespace gputlm

#include "tlm/base/counters.h"

#include <algorithm>

namespace gputlm {

CounterLayout::CounterLayout(std::vector<Counter> all) : counters(std::move(all)) {
  for (std::size_t i = 0; i < counters.size(); ++i) {
    const Counter& counter = counters[i];
    if (counter.kind == Counter::Kind::kSum)
      runs_.push_back({counter.offset, 1});
    else if (counter.kind != Counter::Kind::kRatio)
      others_.push_back(i);
  }
  std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) { return a.offset < b.offset; });
  std::vector<Run> joined;
  for (const Run& run : runs_) {
    if (!joined.empty() && joined.back().offset + joined.back().count * sizeof(std::uint64_t) == run.offset)
      ++joined.back().count;
    else
      joined.push_back(run);
  }
  runs_ = std::move(joined);
}

std::vector<Field> CounterLayout::fields() const {
  std::vector<Field> fields;
  for (const Counter& counter : counters) {
    if (!counter.vector || !counter.vector->layout) {
      fields.push_back(counter);
      continue;
    }
    for (Field& field : counter.vector->layout->fields()) {
      field.name = counter.name + "." + field.name;
      fields.push_back(std::move(field));
    }
  }
  return fields;
}

void CounterLayout::add(void* to, const void* from) const {
  const auto in = [to](std::size_t offset) { return static_cast<char*>(to) + offset; };
  for (const Run run : runs_) {  // a copy: for all that GCC knows, a sum could be its count
    auto* const sums = reinterpret_cast<std::uint64_t*>(in(run.offset));
    const auto* const more = reinterpret_cast<const std::uint64_t*>(static_cast<const char*>(from) + run.offset);
    std::size_t i = 0;
    for (; i + 4 <= run.count; i += 4) {  // all four are read before one is written, so that GCC vectorises
      const std::uint64_t four[]{sums[i] + more[i], sums[i + 1] + more[i + 1], sums[i + 2] + more[i + 2],
                                 sums[i + 3] + more[i + 3]};
      std::copy(four, four + 4, sums + i);
    }
    for (; i < run.count; ++i) sums[i] += more[i];
  }
  for (const std::size_t i : others_) {
    const Counter& counter = counters[i];
    if (counter.vector) {
      counter.vector->add(in(counter.offset), counter.in(from));
    } else {
      auto& latest = *reinterpret_cast<std::uint64_t*>(in(counter.offset));
      latest = std::max(latest, counter.value(from));
    }
  }
}

const Counter* CounterLayout::of_applications() const {
  const auto found = std::find_if(counters.begin(), counters.end(), [](const Counter& counter) {
    return counter.vector && counter.vector->layout && counter.name == "applications";
  });
  return found == counters.end() ? nullptr : &*found;
}

CounterRow<std::string> CounterLayout::sum_names() const {
  CounterRow<std::string> names;
  names.applications.emplace_back();
  for (const Counter& counter : counters) {
    if (counter.kind == Counter::Kind::kSum) names.whole.push_back(counter.name);
  }
  if (const Counter* const applications = of_applications()) {
    for (const std::string& name : applications->vector->layout->sum_names().whole)
      names.applications.front().push_back(applications->name + "." + name);
  }
  return names;
}

CounterRow<std::uint64_t> CounterLayout::sums(const void* counted) const {
  CounterRow<std::uint64_t> row;
  for (const Counter& counter : counters) {
    if (counter.kind == Counter::Kind::kSum) row.whole.push_back(counter.value(counted));
  }
  if (const Counter* const applications = of_applications()) {
    for (const void* const one : applications->vector->elements(applications->in(counted)))
      row.applications.push_back(applications->vector->layout->sums(one).whole);
  }
  return row;
}

}  // namespace gputlm

#include "tlm/counter_table.h"

namespace gputlm {

std::optional<CounterRow<std::uint64_t>> CounterTable::sums(const std::any& entry) const {
  const auto found = structs(entry);
  if (!found) return std::nullopt;
  if (!found->by_application) return layout->sums(found->all.front().second);
  CounterRow<std::uint64_t> row;
  for (const auto& [application, counted] : found->all) {
    row.applications.resize(application + std::size_t{1});
    row.applications.back() = layout->sums(counted).whole;
  }
  return row;
}

std::optional<CounterRow<std::string>> CounterTable::sum_names(const std::any& entry) const {
  const auto found = structs(entry);
  if (!found) return std::nullopt;
  CounterRow<std::string> names = layout->sum_names();
  return found->by_application ? CounterRow<std::string>{{}, {std::move(names.whole)}} : names;
}

std::vector<CounterBytes> CounterTable::bytes(const std::any& entry) const {
  std::vector<CounterBytes> bytes;
  const auto found = structs(entry);
  if (!found) return bytes;
  for (const auto& [application, counted] : found->all) {
    bytes.push_back({std::nullopt, to_bytes(name, counted)});
    if (found->by_application) bytes.back().application = application;
  }
  return bytes;
}

std::shared_ptr<const void> CounterTable::total(const std::vector<std::string_view>& structs_of_units) const {
  std::shared_ptr<void> total;
  for (const std::string_view one : structs_of_units) {
    const std::shared_ptr<void> read = of_bytes(name, one);
    total ? layout->add(total.get(), read.get()) : static_cast<void>(total = read);
  }
  return total;
}

Registry<CounterTable>& counter_tables() {
  static Registry<CounterTable> tables("counters");
  return tables;
}

const CounterTable& counter_table_of(const std::type_info& type) {
  for (const CounterTable& table : counter_tables()) {
    if (*table.type == type) return table;
  }
  throw InputError(std::string("counters: there is no table of ") + type.name());
}

}  // namespace gputlm

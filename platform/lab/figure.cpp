#include "platform/lab/figure.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "tlm/numbers.h"

namespace gputlm {
namespace {

double number_of(const Quantity& quantity) {
  if (const auto number = quantity.number()) return *number;
  throw std::logic_error("'" + quantity.text() + "' is no number, but is judged as one");
}

}  // namespace

Quantity Quantity::of_text(const std::string& text) {
  Quantity quantity(text);
  quantity.number_ = parse_number<double>(text);
  return quantity;
}

Quantity Quantity::number(double value, int digits, const std::string& unit) {
  Quantity quantity(fmt::format("{:.{}f}", value, digits) + unit);
  quantity.number_ = value;
  return quantity;
}

Band Band::exact() { return {Kind::kExact, "equal"}; }

Band Band::within(double difference) {
  return {Kind::kWithin, fmt::format("within {:.2f}", difference), 0, difference};
}

Band Band::within_share(double share) {
  return {Kind::kWithinShare, fmt::format("within {:.0f} %", share * 100), 0, share};
}

Band Band::range(double least, double most, int digits) {
  return {Kind::kRange, fmt::format("{:.{}f} to {:.{}f}", least, digits, most, digits), least, most};
}

Band Band::near_one(double difference) {
  return {Kind::kRange, fmt::format("within {:.0f} % of 1", 100 * difference), 1 - difference, 1 + difference};
}

Band Band::slower(double than) {
  const double bound = 1.05 * than;
  return {Kind::kAbove, fmt::format("above {:.2f}", bound), bound};
}

Band Band::above(double bound) { return {Kind::kAbove, fmt::format("above {:g}", bound), bound}; }

Band Band::below(double bound) { return {Kind::kBelow, fmt::format("below {:g}", bound), 0, bound}; }

Band Band::trend(std::string name, bool holds) { return {holds ? Kind::kHolds : Kind::kFails, std::move(name)}; }

Band Band::named(std::string name) && {
  name_ = std::move(name);
  return std::move(*this);
}

bool Band::agrees(const Quantity& paper, const Quantity& ours) const {
  switch (kind_) {
    case Kind::kExact: return paper.text() == ours.text();
    case Kind::kWithin: return std::abs(number_of(ours) - number_of(paper)) <= high_;
    case Kind::kWithinShare: return std::abs(number_of(ours) / number_of(paper) - 1) <= high_;
    case Kind::kRange: return low_ <= number_of(ours) && number_of(ours) <= high_;
    case Kind::kAbove: return number_of(ours) > low_;
    case Kind::kBelow: return number_of(ours) < high_;
    case Kind::kHolds: return true;
    case Kind::kFails: return false;
  }
  return false;
}

Figure exact_figure(std::string name, Quantity paper, Quantity ours, std::string note) {
  return {std::move(name), std::move(paper), std::move(ours), Band::exact(), std::move(note)};
}

}  // namespace gputlm

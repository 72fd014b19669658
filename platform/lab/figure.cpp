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

Band Band::exact() {
  Band band;
  band.kind_ = Kind::kExact;
  band.name_ = "equal";
  return band;
}

Band Band::within(double difference) {
  Band band;
  band.kind_ = Kind::kWithin;
  band.high_ = difference;
  band.name_ = fmt::format("within {:.2f}", difference);
  return band;
}

Band Band::within_share(double share) {
  Band band;
  band.kind_ = Kind::kWithinShare;
  band.high_ = share;
  band.name_ = fmt::format("within {:.0f} %", share * 100);
  return band;
}

Band Band::range(double least, double most, int digits) {
  Band band;
  band.kind_ = Kind::kRange;
  band.low_ = least;
  band.high_ = most;
  band.name_ = fmt::format("{:.{}f} to {:.{}f}", least, digits, most, digits);
  return band;
}

Band Band::near_one(double difference) {
  return range(1 - difference, 1 + difference, 2).named(fmt::format("within {:.0f} % of 1", 100 * difference));
}

Band Band::slower(double than) {
  const double bound = 1.05 * than;
  return above(bound).named(fmt::format("above {:.2f}", bound));
}

Band Band::above(double bound) {
  Band band;
  band.kind_ = Kind::kAbove;
  band.low_ = bound;
  band.name_ = fmt::format("above {:g}", bound);
  return band;
}

Band Band::below(double bound) {
  Band band;
  band.kind_ = Kind::kBelow;
  band.high_ = bound;
  band.name_ = fmt::format("below {:g}", bound);
  return band;
}

Band Band::trend(std::string name, bool holds) {
  Band band;
  band.kind_ = Kind::kTrend;
  band.holds_ = holds;
  band.name_ = std::move(name);
  return band;
}

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
    case Kind::kTrend: return holds_;
  }
  return false;
}

Figure exact_figure(std::string name, Quantity paper, Quantity ours, std::string note) {
  return {std::move(name), std::move(paper), std::move(ours), Band::exact(), std::move(note)};
}

}  // namespace gputlm

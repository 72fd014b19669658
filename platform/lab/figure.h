/// One figure of a paper beside ours, and by which band it is judged.
#pragma once

#include <optional>
#include <string>

namespace gputlm {

/// A number as it is shown, or a text: a list, a word, a range.
class Quantity {
 public:
  Quantity() = default;
  Quantity(std::string text) : text_(std::move(text)) {}  // NOLINT(google-explicit-constructor): a text is one
  Quantity(const char* text) : text_(text) {}             // NOLINT(google-explicit-constructor)
  /// A text that is a number as a whole is that number, shown as it is written.
  static Quantity of_text(const std::string& text);
  /// Shown with so many digits behind the point, and its unit.
  static Quantity number(double value, int digits, const std::string& unit = "");

  const std::string& text() const { return text_; }
  std::optional<double> number() const { return number_; }

 private:
  std::string text_;
  std::optional<double> number_;
};

/// What counts as agreement with the paper. Bands on numbers throw std::logic_error when a text is judged by them.
class Band {
 public:
  static Band exact();                                ///< the same text
  static Band within(double difference);              ///< of the paper's number, to both sides
  static Band within_share(double share);             ///< the same as a share of the paper's number
  static Band table() { return within_share(0.10); }  ///< numbers of tables, means
  static Band peak() { return within_share(0.30); }   ///< the largest and smallest of many, read off a picture
  static Band range(double least, double most, int digits);
  static Band near_one(double difference);  ///< a quotient of two that are the same, or nearly
  static Band slower(double than = 1);      ///< by more than 5 %
  static Band above(double bound);
  static Band below(double bound);
  /// What no number says: an order, a trend. `name` says in a word or two what has to hold.
  static Band trend(std::string name, bool holds);

  bool agrees(const Quantity& paper, const Quantity& ours) const;
  /// As it is printed.
  const std::string& name() const { return name_; }
  Band named(std::string name) &&;

 private:
  enum class Kind { kExact, kWithin, kWithinShare, kRange, kAbove, kBelow, kHolds, kFails };
  Band(Kind kind, std::string name, double low = 0, double high = 0)
      : kind_(kind), name_(std::move(name)), low_(low), high_(high) {}
  Kind kind_;
  std::string name_;
  double low_, high_;
};

struct Figure {
  std::string name;
  Quantity paper;  ///< what the paper reports
  Quantity ours;   ///< what the model gives
  Band band;
  std::string note;  ///< why it misses, or what was assumed

  bool agrees() const { return band.agrees(paper, ours); }
};

/// A figure that must be matched exactly.
Figure exact_figure(std::string name, Quantity paper, Quantity ours, std::string note = "");

}  // namespace gputlm

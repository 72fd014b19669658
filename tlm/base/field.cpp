#include "tlm/base/field.h"

#include <charconv>

namespace gputlm {
namespace {

struct AsText {
  std::string operator()(unsigned value) const { return std::to_string(value); }
  std::string operator()(double value) const {
    char text[32];  // the shortest that reads back as the same value
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
  }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string& value) const { return value; }
};

bool has_shape(std::uint64_t number, Field::Shape shape) {
  switch (shape) {
    case Field::Shape::kAny: return true;
    case Field::Shape::kPowerOfTwo: return number != 0 && (number & (number - 1)) == 0;
    case Field::Shape::kMultipleOf32: return number % 32 == 0;
  }
  return false;
}

}  // namespace

std::string Field::default_text() const { return default_value ? std::visit(AsText(), *default_value) : ""; }

bool Field::allows(std::uint64_t number) const { return number >= least && number <= most && has_shape(number, shape); }

std::string Field::range() const {
  std::string text = std::to_string(least) + " to " + std::to_string(most) + (unit.empty() ? "" : " " + unit);
  if (shape == Field::Shape::kPowerOfTwo) text += ", a power of two";
  if (shape == Field::Shape::kMultipleOf32) text += ", a multiple of 32";
  return text;
}

}  // namespace gputlm

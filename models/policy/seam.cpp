#include "models/policy/seam.h"

#include <exception>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr std::size_t kMostNumbers = 16;

}  // namespace

void PolicySeam::refuse(const char* function, const std::string& picked, const std::string& candidates) const {
  throw InputError(policy_ + ": " + function + " picked " + picked + ", allowed: " + candidates + " (of plugin " +
                   plugin_ + ')');
}

void PolicySeam::threw(const char* function) const {
  const auto refusal = [&](const std::string& said) {
    return InputError(policy_ + ": " + said + " (of plugin " + plugin_ + ')');
  };
  const std::string thrown = std::string(function) + " threw ";
  try {
    throw;
  } catch (const InputError& error) {
    throw refusal(error.what());
  } catch (const std::exception& error) {
    throw refusal(thrown + "an exception: " + error.what());
  } catch (...) {
    throw refusal(thrown + "something other than a std::exception");
  }
}

std::string numbers_text(const std::vector<unsigned>& numbers) {
  if (numbers.empty()) return "none";
  std::string text;
  for (std::size_t i = 0; i < numbers.size() && i < kMostNumbers; ++i)
    text += (i ? ", " : "") + std::to_string(numbers[i]);
  if (numbers.size() > kMostNumbers) text += ", ... (" + std::to_string(numbers.size()) + " of them)";
  return text;
}

std::string numbers_below(std::size_t count) {
  if (count == 0) return "none";
  return count == 1 ? "0" : "0 to " + std::to_string(count - 1);
}

}  // namespace gputlm

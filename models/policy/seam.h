/// The seam between a unit and a plugin's policy: guards check the policy's answers against the candidates and catch its
/// exceptions, so that errors are always reported. Each decision has its own guard, an object of its interface around the
/// policy. Policies of the program itself have none, at no cost.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gputlm {

/// The policy that took a decision, for messages.
class PolicySeam {
 public:
  /// `parameter` chose `policy`; `plugin` is its file.
  PolicySeam(std::string_view parameter, std::string_view policy, std::string_view plugin)
      : policy_(std::string(parameter) + '=' + std::string(policy)), plugin_(plugin) {}

  /// Returns the result of `call`. Turns an exception into an InputError that names the policy.
  template <class Call>
  decltype(auto) call(const char* function, Call&& call) const {
    try {
      return call();
    } catch (...) {
      threw(function);
    }
  }
  /// Throws InputError: `function` has picked something that is not a candidate.
  [[noreturn]] void refuse(const char* function, const std::string& picked, const std::string& candidates) const;

 private:
  [[noreturn]] void threw(const char* function) const;

  std::string policy_, plugin_;
};

/// "0, 3, 7", shortened if there are many; "none" if empty.
std::string numbers_text(const std::vector<unsigned>& numbers);
/// "0 to 3": the first `count` numbers.
std::string numbers_below(std::size_t count);

/// Returns `make` unchanged for a policy of the program (`plugin` empty); otherwise wraps its results with
/// Interface::guarded().
template <class Interface, class Setup>
std::function<std::unique_ptr<Interface>(const Setup&)> guarded_make(
    std::function<std::unique_ptr<Interface>(const Setup&)> make, const PolicySeam& seam) {
  return [make = std::move(make), seam](const Setup& setup) -> std::unique_ptr<Interface> {
    std::unique_ptr<Interface> policy = seam.call("its constructor", [&] { return make(setup); });
    return policy ? Interface::guarded(std::move(policy), seam) : nullptr;
  };
}

}  // namespace gputlm

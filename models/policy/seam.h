/// The seam between a unit and a policy that a plugin brings: what such a policy answers is compared with what it was
/// offered, and what it throws is caught, so that nothing it does is silent or ends the program without a word. Each
/// decision has a guard of its own, an object of its interface around the policy; policies of the program itself have none
/// and cost nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gputlm {

/// Who took a decision: for messages.
class PolicySeam {
 public:
  /// `parameter` chose `policy`; `plugin` is the file that it came from.
  PolicySeam(std::string_view parameter, std::string_view policy, std::string_view plugin)
      : policy_(std::string(parameter) + '=' + std::string(policy)), plugin_(plugin) {}

  /// What `call` returns. What it throws becomes an InputError that names the policy.
  template <class Call>
  decltype(auto) call(const char* function, Call&& call) const {
    try {
      return call();
    } catch (...) {
      threw(function);
    }
  }
  /// Throws InputError: `function` has picked what is no candidate.
  [[noreturn]] void refuse(const char* function, const std::string& picked, const std::string& candidates) const;

 private:
  [[noreturn]] void threw(const char* function) const;

  std::string policy_, plugin_;
};

/// "0, 3, 7", shortened where they are many; "none" if there is none.
std::string numbers_text(const std::vector<unsigned>& numbers);
/// "0 to 3": the first `count` numbers.
std::string numbers_below(std::size_t count);

/// `make` as it is for a policy of the program, `plugin` empty; else what it makes has its guard, Interface::guarded().
template <class Interface, class Setup>
std::function<std::unique_ptr<Interface>(const Setup&)> guarded_make(
    std::function<std::unique_ptr<Interface>(const Setup&)> make, const PolicySeam& seam) {
  return [make = std::move(make), seam](const Setup& setup) -> std::unique_ptr<Interface> {
    std::unique_ptr<Interface> policy = seam.call("its constructor", [&] { return make(setup); });
    return policy ? Interface::guarded(std::move(policy), seam) : nullptr;
  };
}

}  // namespace gputlm

#include "platform/input/generated_trace.h"

#include <fmt/format.h>

#include <utility>

#include "models/kernel/random.h"
#include "tlm/error.h"
#include "tlm/numbers.h"

namespace gputlm {
namespace {

constexpr Bytes kRange = Bytes{512} << 20;  // of random addresses
constexpr std::uint64_t kMaxAccesses = std::uint64_t{1} << 40;

/// Accesses 0 to count - 1, each a function of its number.
template <class Make>
class GeneratedTrace final : public AddressTrace {
 public:
  GeneratedTrace(std::string name, std::uint64_t count, Make make)
      : name_(std::move(name)), count_(count), make_(make) {}
  bool next(TraceAccess& access) override {
    if (made_ == count_) return false;
    access = make_(made_++);
    return true;
  }
  [[noreturn]] void fail(const std::string& what) const override {
    throw InputError(name_, 0, fmt::format("access {}: {}", made_, what));
  }

 private:
  std::string name_;
  std::uint64_t count_;
  std::uint64_t made_ = 0;
  Make make_;
};

template <class Make>
std::unique_ptr<AddressTrace> generate(const std::string& name, std::uint64_t count, Make make) {
  return std::make_unique<GeneratedTrace<Make>>(name, count, make);
}

}  // namespace

std::unique_ptr<AddressTrace> make_generated_trace(const std::string& name, Bytes step, std::uint64_t seed) {
  const std::size_t colon = name.find(':');
  const std::string kind = name.substr(0, colon);
  if (colon == std::string::npos || (kind != "random" && kind != "mix" && kind != "stream")) return nullptr;
  const std::uint64_t count = parse_number<std::uint64_t>(name.substr(colon + 1)).value_or(0);
  if (count == 0 || count > kMaxAccesses) {
    throw InputError(name, 0,
                     fmt::format("found '{}' accesses, allowed: 1 to {}", name.substr(colon + 1), kMaxAccesses));
  }
  if (kind == "stream")
    return generate(name, count, [step](std::uint64_t i) { return TraceAccess{i * step, 0, 0, false}; });
  // The place and the direction come from different bits of one draw.
  const std::uint64_t places = kRange / step, key = mix(seed), mixed = kind == "mix" ? 1 : 0;
  return generate(name, count, [=](std::uint64_t i) {
    const std::uint64_t bits = derive(key, i);
    return TraceAccess{uniform_below(bits, places) * step, 0, 0, (bits & mixed) != 0};
  });
}

}  // namespace gputlm

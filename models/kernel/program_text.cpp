#include "models/kernel/program_text.h"

#include <fmt/core.h>

#include <type_traits>

namespace gputlm {
namespace {

/// Every struct is taken apart by a structured binding, so that a new member is an error of the compiler here.
class Text {
 public:
  void put(const std::string& value) { text_ += fmt::format("{}:{} ", value.size(), value); }
  template <class T>
  std::enable_if_t<std::is_arithmetic_v<T>> put(T value) {
    text_ += fmt::format("{} ", value);  // of a real: the shortest text that reads back as the same value
  }
  template <class T>
  std::enable_if_t<std::is_enum_v<T>> put(T value) {
    put(static_cast<unsigned>(value));
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(values.size());
    for (const T& value : values) put(value);
  }
  template <class... T>
  void put(const std::variant<T...>& value) {
    put(value.index());
    std::visit([this](const auto& alternative) { put(alternative); }, value);
  }

  void put(const Dim3& dim) {
    const auto& [x, y, z] = dim;
    all(x, y, z);
  }
  void put(const Registers& registers) {
    const auto& [destination, sources, distance] = registers;
    all(destination ? int{*destination} : -1, sources, distance);
  }
  void put(const ArithmeticElement& element) {
    const auto& [pipe, registers, count] = element;
    all(pipe, registers, count);
  }
  void put(const MemoryElement& element) {
    const auto& [op, pattern, space, width, offset, registers] = element;
    all(op, pattern, space, width, offset, registers);
  }
  void put(const BarrierElement& element) {
    const auto& [number] = element;
    put(number);
  }
  void put(const SpinElement& element) {
    const auto& [time, per_sm] = element;
    all(time, per_sm);
  }
  void put(const LoopElement& element) {
    const auto& [count, body, varies] = element;
    all(count, body, varies);
  }
  void put(const WarpsElement& element) {
    const auto& [first, last, body] = element;
    all(first, last ? std::int64_t{*last} : -1, body);
  }
  void put(const WorkElement& element) {
    const auto& [units, schedule, body, counters] = element;
    all(units, schedule, body, counters);
  }
  void put(const ProgramElement& element) {
    const auto& [what, line] = element;
    static_cast<void>(line);
    put(what);
  }
  void put(const CoalescedPattern& pattern) {
    const auto& [footprint] = pattern;
    put(footprint);
  }
  void put(const StridedPattern& pattern) {
    const auto& [stride, footprint] = pattern;
    all(stride, footprint);
  }
  void put(const AffinePattern& pattern) {
    const auto& [lane, warp, block, iteration, footprint] = pattern;
    all(lane, warp, block, iteration, footprint);
  }
  void put(const IndexedPattern& pattern) {
    const auto& [thread_x, thread_y, block_x, block_y, iteration, footprint] = pattern;
    all(thread_x, thread_y, block_x, block_y, iteration, footprint);
  }
  void put(const BroadcastPattern& pattern) {
    const auto& [iteration] = pattern;
    put(iteration);
  }
  void put(const RandomPattern& pattern) {
    const auto& [footprint] = pattern;
    put(footprint);
  }
  void put(const SetConflictPattern& pattern) {
    const auto& [cache_bytes, ways, line_bytes, lines, set] = pattern;
    all(cache_bytes, ways, line_bytes, lines, set);
  }
  void put(const ReusePattern& pattern) {
    const auto& [bytes, per_warp, cold] = pattern;
    all(bytes, per_warp, cold);
  }
  void put(const AddressPattern& pattern) {
    const auto& [name, base, shape, line] = pattern;
    static_cast<void>(line);
    all(name, base, shape);
  }
  void put(const Variation& variation) {
    const auto& [spread, distribution, line] = variation;
    static_cast<void>(line);
    all(spread, distribution);
  }
  void put(const ProgramSpec& spec) {
    const auto& [name, grid, block, registers, shared_memory, body, patterns, variation, file, line] = spec;
    static_cast<void>(file), static_cast<void>(line);
    all(name, grid, block, registers, shared_memory, body, patterns, variation);
  }

  std::string take() { return std::move(text_); }

 private:
  template <class... T>
  void all(const T&... values) {
    (put(values), ...);
  }

  std::string text_;
};

}  // namespace

std::string program_text(const ProgramSpec& spec) {
  Text text;
  text.put(spec);
  return text.take();
}

}  // namespace gputlm

#include "platform/programs/scheduling_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace gputlm {
namespace {

std::string at(std::int64_t ns) { return fmt::format("{:.6f} ms", static_cast<double>(ns) / 1e6); }

class RuleCheck {
 public:
  RuleCheck(const std::vector<TimedKernel>& kernels, const SmCapacity& capacity)
      : kernels_(kernels), capacity_(capacity) {}

  std::vector<BrokenRule> run() {
    for (const TimedKernel& kernel : kernels_) {
      check_count(kernel);
      check_times(kernel);
      check_sms(kernel);
    }
    check_order();
    check_sums("threads", capacity_.threads, [](const TimedKernel& k) { return std::uint64_t{k.threads}; });
    if (capacity_.blocks) check_sums("blocks", *capacity_.blocks, [](const TimedKernel&) { return std::uint64_t{1}; });
    if (capacity_.shared_memory)
      check_sums("bytes of shared memory", *capacity_.shared_memory,
                 [](const TimedKernel& k) { return k.shared_memory; });
    std::stable_sort(broken_.begin(), broken_.end(),
                     [](const BrokenRule& a, const BrokenRule& b) { return a.rule < b.rule; });
    return std::move(broken_);
  }

 private:
  void tell(std::string rule, std::string what) { broken_.push_back({std::move(rule), std::move(what)}); }
  static std::string name(const TimedKernel& kernel, std::size_t block) {
    return fmt::format("{} block {}", kernel.label, kernel.blocks[block].number.value_or(block));
  }

  void check_count(const TimedKernel& kernel) {
    if (kernel.blocks.size() != kernel.grid)
      tell("every block of a kernel runs once",
           fmt::format("{} has {} blocks and times of {}", kernel.label, kernel.grid, kernel.blocks.size()));
  }

  void check_times(const TimedKernel& kernel) {
    for (std::size_t i = 0; i < kernel.blocks.size(); ++i) {
      const TimedBlock& block = kernel.blocks[i];
      if (block.end < block.start)
        tell("a block ends after its start",
             fmt::format("{} starts at {} and ends at {}", name(kernel, i), at(block.start), at(block.end)));
      if (kernel.launched && block.start < *kernel.launched - kClocksApartNs)
        tell("a block starts after the launch of its kernel",
             fmt::format("{} starts at {}, launched at {}", name(kernel, i), at(block.start), at(*kernel.launched)));
      if (kernel.known && block.end > *kernel.known + kClocksApartNs)
        tell("a block ends before the host knows of the end of its kernel",
             fmt::format("{} ends at {}, known at {}", name(kernel, i), at(block.end), at(*kernel.known)));
    }
  }

  void check_sms(const TimedKernel& kernel) {
    for (std::size_t i = 0; i < kernel.blocks.size(); ++i) {
      if (kernel.blocks[i].sm >= capacity_.sms)
        tell(fmt::format("a block is on one of the {} SMs", capacity_.sms),
             fmt::format("{} is on SM {}", name(kernel, i), kernel.blocks[i].sm));
    }
  }

  /// Rule: kernels of a stream run one after the other.
  void check_order() {
    struct Last {
      const TimedKernel* kernel = nullptr;
      std::size_t block = 0;
    };
    std::map<std::size_t, Last> last;  // the last block of a stream to end so far
    for (const TimedKernel& kernel : kernels_) {
      if (kernel.blocks.empty()) continue;
      const auto start_first = [](const TimedBlock& a, const TimedBlock& b) { return a.start < b.start; };
      const auto end_first = [](const TimedBlock& a, const TimedBlock& b) { return a.end < b.end; };
      const auto first = std::min_element(kernel.blocks.begin(), kernel.blocks.end(), start_first);
      const auto final = std::max_element(kernel.blocks.begin(), kernel.blocks.end(), end_first);
      Last& before = last[kernel.stream];
      if (before.kernel && first->start < before.kernel->blocks[before.block].end)
        tell("a kernel starts when the one before it in its stream has ended",
             fmt::format("{} starts at {}, {} ends at {}",
                         name(kernel, static_cast<std::size_t>(first - kernel.blocks.begin())), at(first->start),
                         name(*before.kernel, before.block), at(before.kernel->blocks[before.block].end)));
      if (!before.kernel || final->end > before.kernel->blocks[before.block].end)
        before = {&kernel, static_cast<std::size_t>(final - kernel.blocks.begin())};
    }
  }

  /// Rule: the simultaneous blocks of a process on an SM never exceed its capacity. Each violation is reported once, at its
  /// maximum.
  template <class Amount>
  void check_sums(const char* what, std::uint64_t most, Amount amount) {
    using Place = std::pair<std::size_t, std::size_t>;  // kernel and block
    struct Event {
      std::uint64_t process, sm;
      std::int64_t time;
      bool starts;  // at the same time, ends come first
      Place block;
      bool operator<(const Event& other) const {
        return std::tie(process, sm, time, starts, block) <
               std::tie(other.process, other.sm, other.time, other.starts, other.block);
      }
    };
    std::vector<Event> events;
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      for (std::size_t b = 0; b < kernels_[k].blocks.size(); ++b) {
        const TimedBlock& block = kernels_[k].blocks[b];
        if (block.end <= block.start) continue;
        events.push_back({kernels_[k].process, block.sm, block.start, true, {k, b}});
        events.push_back({kernels_[k].process, block.sm, block.end, false, {k, b}});
      }
    }
    std::sort(events.begin(), events.end());
    std::set<Place> running;
    std::uint64_t sum = 0, worst = 0;
    std::string found;  // during the current violation
    for (const Event& event : events) {
      const std::uint64_t each = amount(kernels_[event.block.first]);
      if (event.starts) {
        running.insert(event.block);
        sum += each;
      } else {
        running.erase(event.block);
        sum -= each;
      }
      if (sum > std::max(most, worst)) {
        worst = sum;
        found = fmt::format("SM {} has {} at {}: {}", event.sm, sum, at(event.time), names(running));
      } else if (sum <= most && worst > 0) {
        tell(fmt::format("an SM holds {} {}", most, what), found);
        worst = 0;
      }
    }
  }

  std::string names(const std::set<std::pair<std::size_t, std::size_t>>& blocks) const {
    constexpr std::size_t kShown = 8;
    std::string text;
    std::size_t shown = 0;
    for (const auto& [kernel, block] : blocks) {
      if (shown++ == kShown) return text + fmt::format(" and {} more", blocks.size() - kShown);
      text += (text.empty() ? "" : ", ") + name(kernels_[kernel], block);
    }
    return text;
  }

  const std::vector<TimedKernel>& kernels_;
  const SmCapacity& capacity_;
  std::vector<BrokenRule> broken_;
};

}  // namespace

std::vector<BrokenRule> broken_rules(const std::vector<TimedKernel>& kernels, const SmCapacity& capacity) {
  return RuleCheck(kernels, capacity).run();
}

}  // namespace gputlm

#include "models/host/workload_text.h"

#include <map>

#include "models/kernel/record_text.h"

namespace gputlm {
namespace {

/// Writes a kernel at its first launch, and only its number from then on, since kernels are launched repeatedly. Launches
/// with equal kernels have the same text as launches that share a kernel.
struct KernelText {
  std::map<const Kernel*, std::size_t> numbers = {};
  std::map<std::string, std::size_t> number_of_text = {};
  bool unknown = false;  ///< whether the source of one of them is unknown

  template <class Text>
  void operator()(Text& text, const std::shared_ptr<Kernel>& kernel) {
    const auto met = numbers.find(kernel.get());
    if (met != numbers.end()) return text.put(met->second);
    const std::string source = kernel->source();
    unknown = unknown || source.empty();
    RecordText own{NothingShared()};
    own.put(kernel->name);
    own.put(kernel->grid);
    own.put(kernel->cluster);
    own.put(kernel->non_portable_cluster);
    own.put(kernel->block);
    own.put(kernel->registers_per_thread);
    own.put(kernel->shared_memory);
    own.put(source);
    const auto [known, is_new] = number_of_text.emplace(own.take(), number_of_text.size());
    numbers.emplace(kernel.get(), known->second);
    text.put(known->second);
    if (is_new) text.put(known->first);
  }
};

}  // namespace

std::string workload_text(const Workload& workload) {
  KernelText kernels;
  RecordText text{[&](auto& to, const auto& kernel) { kernels(to, kernel); }};
  text.put(workload);
  return kernels.unknown ? "" : text.take();
}

}  // namespace gputlm

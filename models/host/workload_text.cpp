#include "models/host/workload_text.h"

#include <map>

#include "models/kernel/record_text.h"

namespace gputlm {
namespace {

/// Tells a kernel where it is first launched, and by its number from then on: they are launched again and again.
struct KernelText {
  std::map<const Kernel*, std::size_t> numbers = {};
  bool unknown = false;  ///< what one of them does

  template <class Text>
  void operator()(Text& text, const std::shared_ptr<Kernel>& kernel) {
    const auto [number, is_new] = numbers.emplace(kernel.get(), numbers.size());
    text.put(number->second);
    if (!is_new) return;
    const std::string source = kernel->source();
    unknown = unknown || source.empty();
    text.put(kernel->name);
    text.put(kernel->grid);
    text.put(kernel->block);
    text.put(kernel->registers_per_thread);
    text.put(kernel->shared_memory);
    text.put(source);
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

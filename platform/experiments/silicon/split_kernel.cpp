#include "platform/experiments/silicon/split_kernel.h"

#include <fmt/format.h>

#include <algorithm>

namespace gputlm {

SplitKernel::SplitKernel(const std::vector<ProgramSpec>& programs, std::vector<std::uint64_t> until)
    : until_(std::move(until)) {
  for (const ProgramSpec& spec : programs) parts_.push_back(std::make_unique<ProgramKernel>(spec, 0));
  const ProgramKernel& first = *parts_.front();
  name = first.name;
  grid = first.grid;
  block = first.block;
  registers_per_thread = first.registers_per_thread;
  shared_memory = first.shared_memory;
}

std::unique_ptr<BlockCode> SplitKernel::code(std::uint64_t index) {
  const auto part = std::upper_bound(until_.begin(), until_.end(), index) - until_.begin();
  return parts_[static_cast<std::size_t>(part)]->code(index);
}

std::string SplitKernel::source() const {
  std::string text;
  for (std::size_t i = 0; i < parts_.size(); ++i)
    text += fmt::format("until {}:\n{}\n", i < until_.size() ? until_[i] : blocks(), parts_[i]->source());
  return text;
}

}  // namespace gputlm

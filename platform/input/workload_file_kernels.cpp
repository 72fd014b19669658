#include "platform/input/workload_file_kernels.h"

#include <utility>

#include "platform/input/nearest.h"
#include "platform/input/workload_file_kernel.h"

namespace gputlm {

void DefinedKernels::define(const std::string& name, ProgramSpec spec, std::optional<std::uint64_t> seed) {
  auto kernel = std::make_shared<ProgramKernel>(spec, seed.value_or(seed_));
  names_.push_back(name);
  definitions_.emplace(name, Definition{std::move(spec), seed.value_or(seed_), std::move(kernel)});
}

std::shared_ptr<ProgramKernel> DefinedKernels::launch(const YamlNode& name, const YamlMap* shape) {
  const auto found = definitions_.find(name.text());
  if (found == definitions_.end())
    name.fail("no kernel is named '" + name.text() + "'" + suggestion(name.text(), names_));
  launched_.insert(name.text());
  const Definition& definition = found->second;
  const bool other = shape && (shape->find("grid") || shape->find("block") || shape->find("cluster"));
  std::shared_ptr<ProgramKernel> kernel = other ? reshaped(name.text(), definition, *shape) : definition.kernel;
  if (used_.insert(kernel.get()).second) {
    for (const std::string& warning : kernel->warnings()) {
      if (warned_.insert(warning).second) warnings_.push_back(warning);
    }
  }
  return kernel;
}

std::shared_ptr<ProgramKernel> DefinedKernels::reshaped(const std::string& name, const Definition& of,
                                                        const YamlMap& shape) {
  ProgramSpec spec = of.spec;
  if (const auto grid = shape.find("grid")) spec.grid = read_grid(*grid);
  if (const auto block = shape.find("block")) spec.block = read_block(*block);
  if (const auto cluster = shape.find("cluster")) spec.cluster = forms::read(*cluster, kClusterShape);
  spec.line = shape.node().line();
  std::shared_ptr<ProgramKernel>& kernel =
      reshaped_[Shape(name, {spec.grid.x, spec.grid.y, spec.grid.z, spec.block.x, spec.block.y, spec.block.z,
                             spec.cluster.x, spec.cluster.y, spec.cluster.z})];
  if (!kernel) kernel = std::make_shared<ProgramKernel>(spec, of.seed);
  return kernel;
}

void DefinedKernels::warn_of_the_others() {
  for (const std::string& name : names_) {
    if (launched_.count(name) == 0) warnings_.push_back("kernel '" + name + "' is never launched");
  }
}

}  // namespace gputlm

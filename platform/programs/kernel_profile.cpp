#include "platform/programs/kernel_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "platform/programs/observation.h"
#include "tlm/base/text.h"

namespace gputlm {
namespace {

/// Kernels of a capture, or launches of a profile, with a common name, grid and block.
struct LaunchKind {
  std::string name, function;
  std::optional<Dim3> grid, block;
  std::optional<std::uint64_t> blocks, threads;
  std::vector<std::size_t> all = {};  ///< indices of all kernels or launches, in order
};

/// The name without blanks and return type, which demanglers may or may not write.
std::string plain_name(const std::string& written) {
  std::string name = demangled(written);
  if (starts_with(name, "void ")) name.erase(0, 5);
  if (starts_with(name, "unnamed>::")) name.insert(0, "<");  // form of unnamed namespaces in ncu's summaries
  name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
  return name;
}

class LaunchKinds {
 public:
  std::size_t add(const LaunchKind& shape, std::size_t number) {
    const auto text = [](const std::optional<Dim3>& extent, const std::optional<std::uint64_t>& count) {
      return extent ? to_text(*extent) : count ? std::to_string(*count) : std::string();
    };
    const std::string key =
        fmt::format("{}\n{}\n{}", shape.name, text(shape.grid, shape.blocks), text(shape.block, shape.threads));
    const auto [known, is_new] = place_.emplace(key, all.size());
    if (is_new) {
      all.push_back(shape);
      all.back().function = base_name(shape.name);
      all.back().name = plain_name(shape.name);
    }
    all[known->second].all.push_back(number);
    return known->second;
  }

  std::vector<LaunchKind> all;

 private:
  std::unordered_map<std::string, std::size_t> place_;
};

/// Whether the parts known on both sides are equal.
bool same_shape(const LaunchKind& a, const LaunchKind& b) {
  const auto same = [](const auto& x, const auto& y) { return !x || !y || *x == *y; };
  return same(a.grid, b.grid) && same(a.block, b.block) && same(a.blocks, b.blocks) && same(a.threads, b.threads);
}

/// The profile's kind that matches a kind of the capture: by name, or by function if exactly one free kind has it.
struct KindMatch {
  std::optional<std::size_t> of;
  bool by_function = false;
};
std::vector<KindMatch> matching_kinds(const std::vector<LaunchKind>& kernels, const std::vector<LaunchKind>& launches) {
  std::map<std::string, std::vector<std::size_t>> by_name, by_function;
  for (std::size_t l = 0; l < launches.size(); ++l) {
    by_name[launches[l].name].push_back(l);
    by_function[launches[l].function].push_back(l);
  }
  std::vector<KindMatch> found(kernels.size());
  std::vector<bool> taken(launches.size());
  const auto those = [&](const auto& map, const std::string& name, const LaunchKind& kernel) {
    std::vector<std::size_t> fit;
    const auto listed = map.find(name);
    if (listed == map.end()) return fit;
    for (const std::size_t l : listed->second) {
      if (same_shape(kernel, launches[l])) fit.push_back(l);
    }
    return fit;
  };
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const auto fit = those(by_name, kernels[k].name, kernels[k]);
    if (fit.empty()) continue;
    found[k].of = fit.front();
    taken[fit.front()] = true;
  }
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    if (found[k].of) continue;
    const auto fit = those(by_function, kernels[k].function, kernels[k]);
    if (fit.size() == 1 && !taken[fit.front()]) found[k] = {fit.front(), true};
  }
  return found;
}

std::shared_ptr<const KernelDemand> mean_demand(const std::vector<ProfiledLaunch>& launches,
                                                const std::vector<std::size_t>& which) {
  KernelDemand mean;
  for_each_count([&](const char*, auto of) {
    double sum = 0, weight = 0;
    for (const std::size_t l : which) {
      const auto& count = of(launches[l].demand);
      if (!count) continue;
      sum += *count * static_cast<double>(launches[l].launches);
      weight += static_cast<double>(launches[l].launches);
    }
    if (weight > 0) of(mean) = sum / weight;
  });
  mean.source = launches[which.front()].demand.source;
  if (which.size() > 1) mean.source += fmt::format(" and {} more", which.size() - 1);
  return std::make_shared<KernelDemand>(std::move(mean));
}

/// Completes the first demand by the second.
std::shared_ptr<const KernelDemand> completed(const KernelDemand& first, const KernelDemand& second) {
  auto both = std::make_shared<KernelDemand>(first);
  bool more = false;
  for_each_count([&](const char*, auto of) {
    if (of(*both) || !of(second)) return;
    of(*both) = of(second);
    more = true;
  });
  if (more) both->source += "; " + second.source;
  return both;
}

/// Assigns a profile's launches of a kind to the capture's kernels of that kind.
class GivenDemands {
 public:
  GivenDemands(Program& program, const std::vector<ProfiledLaunch>& launches)
      : program_(program), launches_(launches) {}

  void give(const std::vector<std::size_t>& commands, const std::vector<std::size_t>& which, bool by_function) {
    std::uint64_t count = 0;
    for (const std::size_t l : which) count += launches_[l].launches;
    const bool in_turn = which.size() == commands.size() && count == which.size();
    const auto mean = in_turn ? nullptr : mean_demand(launches_, which);
    for (std::size_t i = 0; i < commands.size(); ++i) {
      auto& kernel = std::get<MeasuredKernel>(program_.commands[commands[i]].what);
      const auto demand = mean ? mean : std::make_shared<const KernelDemand>(launches_[which[i]].demand);
      kernel.demand_by_function = kernel.demand_by_function || by_function;
      kernel.mean_demand = kernel.mean_demand || (!in_turn && count > 1);
      kernel.demand = kernel.demand ? completed(*kernel.demand, *demand) : demand;
    }
  }

 private:
  Program& program_;
  const std::vector<ProfiledLaunch>& launches_;
};

}  // namespace

void join(Program& program, const std::vector<KernelProfile>& profiles) {
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < program.commands.size(); ++c) {
    const MeasuredKernel* const kernel = program.commands[c].kernel();
    if (kernel && !kernel->unknown_shape) order.push_back(c);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const MeasuredCommand &x = program.commands[a], &y = program.commands[b];
    return x.called.value_or(x.start) < y.called.value_or(y.start);
  });
  LaunchKinds kernels;
  std::vector<std::size_t> place(program.commands.size());  // index in `order`
  for (std::size_t i = 0; i < order.size(); ++i) {
    const MeasuredKernel& kernel = *program.commands[order[i]].kernel();
    kernels.add({kernel.name, "", kernel.grid, kernel.block, kernel.grid.count(), kernel.block.count()}, order[i]);
    place[order[i]] = i;
  }
  for (const KernelProfile& profile : profiles) {
    program.profiles.push_back(profile.path);
    LaunchKinds launches;
    for (std::size_t l = 0; l < profile.launches.size(); ++l) {
      const ProfiledLaunch& launch = profile.launches[l];
      launches.add({launch.name, "", launch.grid, launch.block, launch.blocks, launch.threads}, l);
    }
    const std::vector<KindMatch> found = matching_kinds(kernels.all, launches.all);
    std::vector<std::vector<std::size_t>> of(launches.all.size());
    std::vector<bool> by_function(launches.all.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (!found[k].of) continue;
      auto& commands = of[*found[k].of];
      commands.insert(commands.end(), kernels.all[k].all.begin(), kernels.all[k].all.end());
      by_function[*found[k].of] = found[k].by_function;
    }
    GivenDemands given(program, profile.launches);
    ProgramNote nobodys{
        fmt::format("launches of {} are of no kernel of the capture: none has their name, grid and block",
                    profile.path),
        0, "", "profile without a kernel"};
    for (std::size_t l = 0; l < of.size(); ++l) {
      const std::vector<std::size_t>& which = launches.all[l].all;
      if (of[l].empty()) {
        const ProfiledLaunch& first = profile.launches[which.front()];
        if (nobodys.count == 0) nobodys.first = fmt::format("{} ({})", first.name, first.demand.source);
        for (const std::size_t launch : which) nobodys.count += profile.launches[launch].launches;
        continue;
      }
      std::sort(of[l].begin(), of[l].end(), [&](std::size_t a, std::size_t b) { return place[a] < place[b]; });
      given.give(of[l], which, by_function[l]);
    }
    if (nobodys.count > 0) program.notes.push_back(std::move(nobodys));
  }
}

}  // namespace gputlm

#include "platform/programs/comparison.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/maximum_weighted_matching.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

using Pair = std::pair<const ObservedCommand*, const ObservedCommand*>;  // command of the model, and of the measurement

/// Pairs in the order of `model`.
std::vector<Pair> match(const std::vector<ObservedCommand>& model, const std::vector<ObservedCommand>& measured,
                        bool by_name) {
  std::vector<Pair> pairs;
  if (!by_name) {
    for (std::size_t i = 0; i < std::min(model.size(), measured.size()); ++i)
      pairs.emplace_back(&model[i], &measured[i]);
    return pairs;
  }
  std::map<std::string, const ObservedCommand*> labels;
  for (const ObservedCommand& command : measured) labels.emplace(command.label, &command);
  std::map<const ObservedCommand*, const ObservedCommand*> partner;
  std::map<const ObservedCommand*, bool> taken;
  for (const ObservedCommand& command : model) {
    const auto same = labels.find(command.label);
    if (same == labels.end()) continue;
    partner[&command] = same->second;
    taken[same->second] = true;
  }
  std::map<std::string, std::vector<const ObservedCommand*>> left;  // commands without a partner, in order
  for (const ObservedCommand& command : measured) {
    if (!taken[&command]) left[command.name].push_back(&command);
  }
  std::map<std::string, std::size_t> used;
  for (const ObservedCommand& command : model) {
    if (partner.count(&command) > 0) {
      pairs.emplace_back(&command, partner[&command]);
      continue;
    }
    const auto same = left.find(command.name);
    if (same == left.end() || used[command.name] == same->second.size()) continue;
    pairs.emplace_back(&command, same->second[used[command.name]++]);
  }
  return pairs;
}

void name_the_others(const std::vector<ObservedCommand>& model, const std::vector<ObservedCommand>& measured,
                     const std::vector<Pair>& pairs, Comparison& comparison) {
  std::map<const ObservedCommand*, bool> met;
  for (const auto& [of_model, of_measured] : pairs) met[of_model] = met[of_measured] = true;
  for (const ObservedCommand& command : model) {
    if (!met[&command]) comparison.model_only.push_back(command.label);
  }
  for (const ObservedCommand& command : measured) {
    if (!met[&command]) comparison.measured_only.push_back(command.label);
  }
}

/// The number of blocks that agree under the best mapping of one side's SMs to the other's.
std::uint64_t best_agreement(const std::map<std::pair<unsigned, unsigned>, std::uint64_t>& counts) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                                      boost::property<boost::edge_weight_t, std::int64_t>>;
  std::map<unsigned, std::size_t> model, measured;
  for (const auto& [sms, count] : counts) {
    model.emplace(sms.first, model.size());
    measured.emplace(sms.second, measured.size());
  }
  Graph graph(model.size() + measured.size());
  for (const auto& [sms, count] : counts) {
    boost::add_edge(model[sms.first], model.size() + measured[sms.second], static_cast<std::int64_t>(count), graph);
  }
  std::vector<boost::graph_traits<Graph>::vertex_descriptor> mate(boost::num_vertices(graph));
  boost::maximum_weighted_matching(graph, mate.data());
  return static_cast<std::uint64_t>(boost::matching_weight_sum(graph, mate.data()));
}

void add_blocks(const Pair& pair, std::size_t command, double model_zero, double measured_zero,
                std::vector<ComparedBlock>& blocks) {
  const auto& [model, measured] = pair;
  std::map<std::uint64_t, const ObservedBlock*> by_number;
  for (const ObservedBlock& block : measured->blocks) by_number[block.block] = &block;
  const std::size_t first = blocks.size();
  for (const ObservedBlock& block : model->blocks) {
    const auto same = by_number.find(block.block);
    if (same == by_number.end()) continue;
    const ObservedBlock& other = *same->second;
    blocks.push_back({command, block.block, other.sm, block.sm, other.start_ns - measured_zero,
                      other.end_ns - measured_zero, block.start_ns - model_zero, block.end_ns - model_zero});
  }
  std::sort(blocks.begin() + static_cast<std::ptrdiff_t>(first), blocks.end(),
            [](const ComparedBlock& a, const ComparedBlock& b) { return a.block < b.block; });
}

std::optional<PlacementAgreement> placement_of(const std::vector<ComparedBlock>& blocks) {
  if (blocks.empty()) return std::nullopt;
  PlacementAgreement agreement;
  std::map<std::pair<unsigned, unsigned>, std::uint64_t> counts;
  for (const ComparedBlock& block : blocks) {
    ++agreement.blocks;
    if (block.model_sm == block.measured_sm) ++agreement.same_sm;
    ++counts[{block.model_sm, block.measured_sm}];
  }
  agreement.same_sm_renamed = best_agreement(counts);
  return agreement;
}

ErrorSummary summarize(std::vector<double> errors) {
  ErrorSummary summary;
  summary.count = errors.size();
  if (errors.empty()) return summary;
  double sum = 0;
  for (double& error : errors) sum += error = std::abs(error);
  std::sort(errors.begin(), errors.end());
  summary.mean = sum / static_cast<double>(errors.size());
  const std::size_t middle = errors.size() / 2;
  summary.median = errors.size() % 2 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2;
  summary.most = errors.back();
  return summary;
}

}  // namespace

ErrorSummary Comparison::summary(bool copies, double (ComparedCommand::*error)() const) const {
  std::vector<double> errors;
  for (const ComparedCommand& command : commands) {
    if (command.is_copy == copies) errors.push_back((command.*error)());
  }
  return summarize(std::move(errors));
}

ErrorSummary Comparison::summary(double (ComparedBlock::*error)() const) const {
  std::vector<double> errors;
  for (const ComparedBlock& block : blocks) errors.push_back((block.*error)());
  return summarize(std::move(errors));
}

ErrorSummary Comparison::relative_summary(bool copies) const {
  std::vector<double> errors;
  for (const ComparedCommand& command : commands) {
    if (const auto error = command.duration_error(); error && command.is_copy == copies) errors.push_back(*error);
  }
  return summarize(std::move(errors));
}

std::optional<double> Comparison::correlation() const {
  double count = 0, measured_mean = 0, model_mean = 0;
  double measured_squares = 0, model_squares = 0, products = 0;  // sums of deviations from the running means (Welford)
  for (const ComparedCommand& command : commands) {
    if (command.is_copy) continue;
    count += 1;
    const double measured_deviation = command.measured_duration_ns() - measured_mean;
    const double model_deviation = command.model_duration_ns() - model_mean;
    measured_mean += measured_deviation / count;
    model_mean += model_deviation / count;
    const double model_rest = command.model_duration_ns() - model_mean;
    measured_squares += measured_deviation * (command.measured_duration_ns() - measured_mean);
    model_squares += model_deviation * model_rest;
    products += measured_deviation * model_rest;
  }
  if (!(measured_squares > 0 && model_squares > 0)) return std::nullopt;
  return products / std::sqrt(measured_squares * model_squares);
}

Comparison compare(const Observation& model, const Observation& measured) {
  const bool by_name = model.names_kernels && measured.names_kernels;
  const std::vector<Pair> kernels = match(model.kernels, measured.kernels, by_name);
  const std::vector<Pair> copies = match(model.copies, measured.copies, true);
  if (kernels.empty()) {
    const auto first = [](const Observation& of) {
      return of.kernels.empty() ? "none" : "'" + of.kernels[0].label + "' ...";
    };
    throw InputError("no kernel is in both: " + model.path + " has " + first(model) + ", " + measured.path + " has " +
                     first(measured));
  }
  // Times of blocks exclude the overhead that a profiler sees before a kernel's first block and after its last.
  const double before = measured.blocks_only ? model.launch_ns : 0,
               after = measured.blocks_only ? model.completion_ns : 0;
  double model_zero = std::numeric_limits<double>::infinity(), measured_zero = model_zero;
  for (const auto& [of_model, of_measured] : kernels) {
    model_zero = std::min(model_zero, of_model->start_ns + before);
    measured_zero = std::min(measured_zero, of_measured->start_ns);
  }
  Comparison comparison;
  comparison.durations = model.durations || measured.durations;
  comparison.cycle_ns = measured.cycle_ns;
  const auto add = [&](const Pair& pair, bool is_copy) {
    const auto& [of_model, of_measured] = pair;
    const double start = of_model->start_ns + (is_copy ? 0 : before), end = of_model->end_ns - (is_copy ? 0 : after);
    if (comparison.durations) model_zero = start;
    if (!is_copy && !comparison.durations)
      add_blocks(pair, comparison.commands.size(), model_zero, measured_zero, comparison.blocks);
    comparison.commands.push_back({of_model->label, of_model->stream, is_copy, of_measured->start_ns - measured_zero,
                                   of_measured->end_ns - measured_zero, start - model_zero, end - model_zero});
  };
  for (const Pair& pair : kernels) add(pair, false);
  for (const Pair& pair : copies) add(pair, true);
  name_the_others(model.kernels, measured.kernels, kernels, comparison);
  name_the_others(model.copies, measured.copies, copies, comparison);
  comparison.placement = placement_of(comparison.blocks);
  return comparison;
}

}  // namespace gputlm

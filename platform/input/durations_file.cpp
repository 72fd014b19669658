#include "platform/input/durations_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "models/kernel/program_kernel.h"
#include "models/sm/blocks/work.h"
#include "models/sm/sm_model.h"
#include "platform/input/parameters.h"
#include "platform/input/yaml_reader.h"
#include "tlm/base/digest.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr std::uint64_t kLongestDuration = 1'000'000'000'000, kMaxBlocks = 128, kMaxPerMille = 1'000'000,
                        kMaxRequests = 1'000'000'000, kMaxDelay = 10'000;

/// A list of `count` numbers.
std::vector<YamlNode> numbers(const YamlNode& node, std::size_t count) {
  std::vector<YamlNode> items = node.items();
  if (items.size() != count) node.fail(fmt::format("found {} numbers, allowed: {}", items.size(), count));
  return items;
}

unsigned small(const YamlNode& node, std::uint64_t least, std::uint64_t most) {
  return static_cast<unsigned>(node.unsigned_number(least, most));
}

using Points = std::vector<KernelDurations::Alone>;

/// The points of a kernel, by residency.
Points read_points(const YamlNode& node, Cycle least) {
  Points points;
  for (const YamlNode& point : node.items()) {
    const std::vector<YamlNode> n = numbers(point, 3);
    const unsigned blocks = small(n[0], 1, kMaxBlocks);
    if (!points.empty() && points.back().blocks >= blocks)
      point.fail(fmt::format("found {} blocks, allowed: more than in the line before", blocks));
    points.push_back(
        {blocks, n[1].unsigned_number(least, kLongestDuration), n[2].unsigned_number(least, kLongestDuration)});
  }
  if (points.empty()) node.fail("found nothing, allowed: 1 or more points");
  return points;
}

KernelDurations read_kernel(const YamlNode& node, bool requests) {
  std::vector<std::string> keys{"name", "id", "instructions", "cut", "sensitivity", "spread", "alone"};
  if (requests) keys.insert(keys.end(), {"requests", "delayed", "latency"});
  const YamlMap map(node, keys);
  KernelDurations kernel;
  kernel.name = map.at("name").text();
  kernel.id = map.at("id").text();
  kernel.instructions = map.at("instructions").unsigned_number(0, kLongestDuration);
  if (const auto cut = map.find("cut")) kernel.cut = cut->boolean();
  kernel.sensitivity = small(map.at("sensitivity"), 0, kMaxPerMille);
  for (const YamlNode& quantile : map.at("spread").items()) kernel.spread.push_back(small(quantile, 1, kMaxPerMille));
  kernel.alone = read_points(map.at("alone"), 1);
  if (!requests) return kernel;
  kernel.requests = map.at("requests").unsigned_number(0, kMaxRequests);
  kernel.delayed = read_points(map.at("delayed"), 1);
  kernel.latency = read_points(map.at("latency"), 0);
  return kernel;
}

PairDurations read_pair(const YamlNode& node, std::size_t kernels, bool requests) {
  const YamlMap map(node, {"kernels", "beside"});
  PairDurations pair;
  const std::vector<YamlNode> which = numbers(map.at("kernels"), 2);
  for (std::size_t k = 0; k < 2; ++k) pair.kernels[k] = which[k].unsigned_number(0, kernels - 1);
  if (pair.kernels[0] >= pair.kernels[1]) map.at("kernels").fail("allowed: two places, ascending");
  for (const YamlNode& point : map.at("beside").items()) {
    const std::vector<YamlNode> n = numbers(point, requests ? 8 : 4);
    PairDurations::Beside at;
    for (std::size_t k = 0; k < 2; ++k) {
      at.blocks[k] = small(n[k], 1, kMaxBlocks);
      at.slowdown[k] = small(n[2 + k], 1, kMaxPerMille);
      if (!requests) continue;
      at.delayed[k] = small(n[4 + k], 1, kMaxPerMille);
      at.latency[k] = small(n[6 + k], 1, kMaxPerMille);
    }
    const auto same = [&](const auto& p) { return p.blocks[0] == at.blocks[0] && p.blocks[1] == at.blocks[1]; };
    if (std::any_of(pair.beside.begin(), pair.beside.end(), same)) point.fail("is there twice");
    pair.beside.push_back(at);
  }
  return pair;
}

LatencyCurve read_curve(const YamlNode& node) {
  LatencyCurve curve;
  for (const YamlNode& point : node.items()) {
    const std::vector<YamlNode> n = numbers(point, 2);
    const LatencyCurve::Point at{n[0].unsigned_number(1, kLongestDuration), n[1].unsigned_number(0, kLongestDuration)};
    if (!curve.points.empty() && (at.load <= curve.points.back().load || at.latency < curve.points.back().latency))
      point.fail("allowed: a load above that of the line before, and no lower latency");
    curve.points.push_back(at);
  }
  if (curve.points.size() < 2) node.fail(fmt::format("found {} points, allowed: 2 or more", curve.points.size()));
  return curve;
}

MemoryCapacities read_memory(const YamlNode& node) {
  const YamlMap map(node, {"port", "l2", "dram", "mixed", "written", "turns"});
  const auto load = [&](const char* key) { return map.at(key).unsigned_number(1, kLongestDuration); };
  MemoryCapacities memory{read_curve(map.at("port")),
                          read_curve(map.at("l2")),
                          read_curve(map.at("dram")),
                          load("mixed"),
                          load("written"),
                          {}};
  for (const YamlNode& point : map.at("turns").items()) {
    const std::vector<YamlNode> n = numbers(point, 2);
    memory.turns.push_back({n[0].unsigned_number(1, kMaxBlocks), n[1].unsigned_number(0, kLongestDuration)});
  }
  return memory;
}

DurationTable read_table(const YamlNode& root, bool is_other = false) {
  std::vector<std::string> keys{"seed", "delay", "gpu", "kernels", "pairs", "memory"};
  if (!is_other) keys.emplace_back("others");
  const YamlMap map(root, keys);
  DurationTable table;
  table.seed = map.at("seed").unsigned_number();
  if (const auto delay = map.find("delay")) table.delay = delay->unsigned_number(1, kMaxDelay);
  for (const auto& [key, value] : map.at("gpu").entries()) {
    find_parameter(key, {root.file(), value.line()});
    table.gpu.emplace_back(key, value.text());
  }
  std::set<std::string> ids;
  for (const YamlNode& kernel : map.at("kernels").items()) {
    table.kernels.push_back(read_kernel(kernel, table.delay > 0));
    if (!ids.insert(table.kernels.back().id).second) kernel.fail("the kernel occurs twice");
  }
  if (const auto pairs = map.find("pairs")) {
    std::set<std::pair<std::size_t, std::size_t>> met;
    for (const YamlNode& pair : pairs->items()) {
      table.pairs.push_back(read_pair(pair, table.kernels.size(), table.delay > 0));
      const PairDurations& read = table.pairs.back();
      if (!met.emplace(read.kernels[0], read.kernels[1]).second) pair.fail("the pair occurs twice");
    }
  }
  if (const auto memory = map.find("memory")) table.memory = read_memory(*memory);
  if (const auto others = is_other ? std::nullopt : map.find("others")) {
    for (const YamlNode& other : others->items()) table.others.push_back(read_table(other, true));
  }
  return table;
}

std::string points_text(const char* name, const Points& points) {
  std::string text;
  for (const KernelDurations::Alone& at : points)
    text += fmt::format("{}[{}, {}, {}]", text.empty() ? "" : ", ", at.blocks, at.first, at.later);
  return fmt::format("    {}: [{}]\n", name, text);
}

/// Quotes any name for YAML.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

}  // namespace

DurationTable load_durations(const std::string& path) { return read_table(YamlNode::load_file(path)); }

DurationTable parse_durations(const std::string& text, const std::string& name) {
  return read_table(YamlNode::load_text(text, name));
}

std::string to_text(const DurationTable& table) {
  const bool requests = table.delay > 0;
  std::string text = fmt::format("seed: {}\n", table.seed);
  if (requests) text += fmt::format("delay: {}\n", table.delay);
  text += "gpu:\n";
  for (const auto& [key, value] : table.gpu) text += fmt::format("  {}: {}\n", key, quoted(value));
  text += table.kernels.empty() ? "kernels: []\n" : "kernels:\n";
  for (const KernelDurations& kernel : table.kernels) {
    text += fmt::format("  - name: {}\n    id: {}\n    instructions: {}\n{}    sensitivity: {}\n    spread: [{}]\n",
                        quoted(kernel.name), kernel.id, kernel.instructions, kernel.cut ? "    cut: true\n" : "",
                        kernel.sensitivity, fmt::join(kernel.spread, ", "));
    text += points_text("alone", kernel.alone);
    if (!requests) continue;
    text += fmt::format("    requests: {}\n", kernel.requests) + points_text("delayed", kernel.delayed) +
            points_text("latency", kernel.latency);
  }
  text += table.pairs.empty() ? "pairs: []\n" : "pairs:\n";
  for (const PairDurations& pair : table.pairs) {
    std::string points;
    for (const PairDurations::Beside& at : pair.beside) {
      points += fmt::format("{}[{}, {}, {}, {}", points.empty() ? "" : ", ", at.blocks[0], at.blocks[1], at.slowdown[0],
                            at.slowdown[1]);
      if (requests)
        points += fmt::format(", {}, {}, {}, {}", at.delayed[0], at.delayed[1], at.latency[0], at.latency[1]);
      points += ']';
    }
    text += fmt::format("  - kernels: [{}, {}]\n    beside: [{}]\n", pair.kernels[0], pair.kernels[1], points);
  }
  if (table.memory) {
    const auto curve = [](const std::vector<LatencyCurve::Point>& points) {
      std::string list;
      for (const auto& [load, latency] : points)
        list += fmt::format("{}[{}, {}]", list.empty() ? "" : ", ", load, latency);
      return list;
    };
    const MemoryCapacities& memory = *table.memory;
    text += fmt::format("memory:\n  port: [{}]\n  l2: [{}]\n  dram: [{}]\n  mixed: {}\n  written: {}\n  turns: [{}]\n",
                        curve(memory.port.points), curve(memory.l2.points), curve(memory.dram.points), memory.mixed,
                        memory.written, curve(memory.turns));
  }
  for (const DurationTable& other : table.others) {
    text += &other == &table.others.front() ? "others:\n" : "";
    std::string lines = to_text(other);  // as an entry of a list
    lines.pop_back();
    std::size_t begin = 0;
    for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
      end = lines.find('\n', begin);
      text += (begin == 0 ? "  - " : "    ") + lines.substr(begin, end - begin) + '\n';
    }
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> deciding_parameters(const GpuConfig& config) {
  static const std::set<std::string> groups{"sm", "noc", "l2", "address_map", "dram"};
  std::set<std::string> others{"sms", "sms_per_gpc", "core_mhz"};
  if (config.gpc_sms != "even") others.insert("gpc_sms");
  std::vector<std::pair<std::string, std::string>> list;
  for (const Parameter& parameter : parameters()) {
    const std::size_t dot = parameter.name.find('.');
    const bool decides =
        dot == std::string::npos ? others.count(parameter.name) > 0 : groups.count(parameter.name.substr(0, dot)) > 0;
    if (!decides || parameter.name == "sm.model" || parameter.name == "sm.durations") continue;
    list.emplace_back(parameter.name, parameter_text(parameter, config));
    // An instance also depends on the distance of its GPCs from the L2.
    if (parameter.name == "l2.partitions" && config.l2.partitions > 1 && config.gpcs_of_first_half > 0)
      list.back().second += fmt::format(", {} GPCs in the first", config.gpcs_of_first_half);
  }
  return list;
}

std::string kernel_id(const Kernel& kernel, const GpuConfig& config) {
  const std::uint64_t at_once = std::min<std::uint64_t>(kernel.blocks(), std::uint64_t{config.sms} * config.sm.blocks);
  return digest(fmt::format("kernel {} {} {} {} {} {}\n{}", kernel.name, kernel.block.x, kernel.block.y, kernel.block.z,
                            kernel.registers_per_thread, at_once, kernel.work()));
}

bool only_spins(Kernel& kernel) {
  if (!dynamic_cast<ProgramKernel*>(&kernel)) return false;  // other kernels must not be asked for blocks out of order
  return BlockWorkReader().read(*kernel.code(0), kernel.warps_per_block(), 0).only_spins;
}

namespace {

/// The table for the GPU or an instance, with the seed common to all.
DurationTable table_of(const GpuConfig& config, DurationTable all) {
  const auto parameters = deciding_parameters(config);
  const auto found = std::find_if(all.others.begin(), all.others.end(),
                                  [&](const DurationTable& other) { return other.gpu == parameters; });
  if (found == all.others.end() || all.gpu == parameters) return all;
  found->seed = all.seed;
  return std::move(*found);
}

}  // namespace

BlockDurations durations_for(const GpuConfig& config, const Workload& workload, DurationTable tables,
                             const std::string& name) {
  DurationTable table = table_of(config, std::move(tables));
  const std::string& model = config.sm.model;
  if (config.mmu.enabled)
    throw InputError(fmt::format("sm.model={} translates no addresses; allowed: mmu.enabled=false", model));
  if (!table.kernels.empty() || table.memory) {
    if (const bool requests = sm_models().at(model).has(Property::kSendsRequests);
        !table.kernels.empty() && requests != (table.delay > 0)) {
      const auto how = [](bool one_sm) { return one_sm ? "one SM, with delayed replies too" : "all SMs at once"; };
      throw InputError(name, 0,
                       fmt::format("found durations that were measured on {}, allowed: on {}, which sm.model={} needs "
                                   "('gputlm calibrate --set sm.model={}' measures them)",
                                   how(!requests), how(requests), model, model));
    }
    for (const auto& [key, value] : deciding_parameters(config)) {
      const auto measured = std::find_if(table.gpu.begin(), table.gpu.end(),
                                         [&wanted = key](const auto& p) { return p.first == wanted; });
      if (measured != table.gpu.end() && measured->second == value) continue;
      throw InputError(name, 0,
                       fmt::format("found durations that were measured with {}={}, allowed: those of this GPU, with {} "
                                   "('gputlm calibrate' measures them)",
                                   key, measured == table.gpu.end() ? "?" : measured->second, value));
    }
  }
  BlockDurations durations(std::move(table));
  const std::vector<KernelDurations>& kernels = durations.table().kernels;
  std::set<const Kernel*> met;
  for (const LaunchCommand& launch : workload.launches) {
    if (!met.insert(launch.kernel.get()).second) continue;
    if (only_spins(*launch.kernel)) {
      durations.add(*launch.kernel, BlockDurations::kOnlySpins);
      continue;
    }
    const std::string id = kernel_id(*launch.kernel, config);
    const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const auto& k) { return k.id == id; });
    if (found == kernels.end()) {
      throw InputError(launch.file, launch.line,
                       fmt::format("launch {}: kernel {} is not in {}, and sm.model={} needs its durations: "
                                   "'gputlm calibrate' measures them",
                                   launch.label, launch.kernel->name, name, model));
    }
    durations.add(*launch.kernel, static_cast<BlockDurations::Profile>(found - kernels.begin()));
  }
  return durations;
}

}  // namespace gputlm

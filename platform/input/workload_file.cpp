#include "platform/input/workload_file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "models/kernel/program_kernel.h"
#include "platform/input/nearest.h"
#include "platform/input/sm_set.h"
#include "platform/input/workload_file_kernel.h"
#include "platform/input/yaml_reader.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

constexpr Address kFirstBase = 0x700000000000;  // of the patterns without one: away from what users write
constexpr std::uint64_t kMostRepeats = 1000000;
constexpr unsigned kMostPhases = 1000000;
constexpr double kLatestReleaseUs = 3.6e9;            // an hour
constexpr Cycle kMostAloneCycles = 1000000000000000;  // days of any GPU

class Reader {
 public:
  explicit Reader(std::uint64_t seed) : seed_(seed) {}

  Workload read(const YamlNode& root) {
    const YamlMap map(root, {"kernels", "applications"});
    Address next_base = kFirstBase;
    for (const auto& [name, node] : map.at("kernels").entries()) {
      ProgramSpec spec = read_kernel(name, node, next_base);
      auto kernel = std::make_shared<ProgramKernel>(spec, seed_);
      names_.push_back(name);
      kernels_.emplace(name, Definition{std::move(spec), std::move(kernel)});
    }
    const YamlNode applications = map.at("applications");
    for (const YamlNode& node : applications.items()) application(node);
    if (commands_.empty()) applications.fail("nothing is launched");
    for (const std::string& name : names_) {
      if (launched_.count(name) == 0) workload_.warnings.push_back("kernel '" + name + "' is never launched");
    }
    order();
    label();
    return std::move(workload_);
  }

 private:
  struct Definition {
    ProgramSpec spec;
    std::shared_ptr<ProgramKernel> kernel;
  };
  struct Command {
    LaunchCommand launch;
    std::size_t position;  // in its stream
  };

  void application(const YamlNode& node) {
    const YamlMap map(node, {"name", "sms", "relaunch", "streams"});
    const YamlNode name = map.at("name");
    auto& applications = workload_.applications;
    if (std::any_of(applications.begin(), applications.end(), [&](const auto& a) { return a.name == name.text(); }))
      name.fail("a second application is named '" + name.text() + "', but names must differ");
    if (applications.size() > std::numeric_limits<ApplicationId>::max())
      node.fail("there are more than 65536 applications");
    ApplicationSpec spec;
    spec.name = name.text();
    spec.file = node.file();
    spec.line = node.line();
    if (const auto sms = map.find("sms")) {
      spec.sms = read_sm_set(*sms);
      spec.line = sms->line();
    }
    if (const auto relaunch = map.find("relaunch")) spec.relaunch = relaunch->boolean();
    applications.push_back(std::move(spec));
    std::set<std::string> streams;
    const YamlNode list = map.at("streams");
    for (const YamlNode& item : list.items()) stream(item, streams);
    if (streams.empty()) list.fail("the list is empty, but an application needs a stream");
  }

  void stream(const YamlNode& node, std::set<std::string>& names) {
    const YamlMap map(node, {"name", "priority", "launches"});
    const YamlNode name = map.at("name");
    if (!names.insert(name.text()).second)
      name.fail("a second stream of the application is named '" + name.text() + "', but names must differ");
    StreamSpec spec;
    spec.name = name.text();
    spec.application = static_cast<ApplicationId>(workload_.applications.size() - 1);
    if (const auto priority = map.find("priority"))
      spec.priority = static_cast<int>(priority->signed_number(-128, 127));
    workload_.streams.push_back(spec);
    unsigned phase = 0;
    std::size_t position = 0;
    for (const YamlNode& item : map.at("launches").items()) launch(item, phase, position);
  }

  void launch(const YamlNode& node, unsigned& phase, std::size_t& position) {
    LaunchCommand command;
    command.stream = static_cast<StreamId>(workload_.streams.size() - 1);
    command.file = node.file();
    command.line = node.line();
    std::uint64_t repeat = 1;
    Femtoseconds period = 0;
    if (node.is_scalar()) {
      const Definition& definition = defined(node);
      command.kernel = definition.kernel;
      command.label = definition.spec.name;
    } else {
      const YamlMap map(node, {"kernel", "release_us", "repeat", "phase", "grid", "block", "label", "budget",
                               "period_us", "deadline_us", "alone_cycles"});
      const Definition& definition = defined(map.at("kernel"));
      command.kernel = definition.kernel;
      command.label = definition.spec.name;
      if (const auto label = map.find("label")) {
        command.label = label->text();
        if (!labels_.insert(command.label).second)
          label->fail("a second launch is labelled '" + command.label + "', but labels must differ");
      }
      if (map.find("grid") || map.find("block")) command.kernel = reshaped(definition.spec, map);
      if (const auto release = map.find("release_us"))
        command.release = microseconds(release->number(0, kLatestReleaseUs));
      if (const auto times = map.find("repeat")) repeat = times->unsigned_number(1, kMostRepeats);
      if (const auto time = map.find("period_us")) period = period_of(*time, command.release, repeat);
      if (const auto time = map.find("deadline_us")) command.deadline = microseconds(time->number(0, kLatestReleaseUs));
      if (const auto budget = map.find("budget"))
        command.budget = static_cast<std::uint8_t>(budget->unsigned_number(1, 255));
      if (const auto cycles = map.find("alone_cycles"))
        command.alone_cycles = cycles->unsigned_number(1, kMostAloneCycles);
      if (const auto which = map.find("phase"))
        phase = static_cast<unsigned>(which->unsigned_number(phase, kMostPhases));
    }
    command.phase = phase;
    for (std::uint64_t i = 0; i < repeat; ++i) {
      commands_.push_back({command, position++});
      command.release += period;
    }
  }

  static Femtoseconds microseconds(double us) { return static_cast<Femtoseconds>(std::llround(us * 1e9)); }

  static Femtoseconds period_of(const YamlNode& node, Femtoseconds release, std::uint64_t repeat) {
    if (repeat < 2) node.fail("'period_us' needs a 'repeat' of 2 or more");
    const double us = node.number(0, kLatestReleaseUs);
    const double last_us = static_cast<double>(release) * 1e-9 + static_cast<double>(repeat - 1) * us;
    if (last_us > kLatestReleaseUs)
      node.fail("the last release would be at " + std::to_string(std::llround(last_us)) + " us, but at most " +
                std::to_string(std::llround(kLatestReleaseUs)) + " are allowed");
    return microseconds(us);
  }

  const Definition& defined(const YamlNode& node) {
    launched_.insert(node.text());
    const auto found = kernels_.find(node.text());
    if (found == kernels_.end())
      node.fail("no kernel is named '" + node.text() + "'" + suggestion(node.text(), names_));
    return found->second;
  }

  std::shared_ptr<Kernel> reshaped(ProgramSpec spec, const YamlMap& map) const {
    if (const auto grid = map.find("grid")) spec.grid = read_grid(*grid);
    if (const auto block = map.find("block")) spec.block = read_block(*block);
    spec.line = map.node().line();
    return std::make_shared<ProgramKernel>(spec, seed_);
  }

  void order() {
    // Each stream keeps its order; among streams, first launches come first, as from a host program that feeds its
    // streams in turn.
    std::stable_sort(commands_.begin(), commands_.end(), [](const Command& a, const Command& b) {
      return std::make_pair(a.launch.phase, a.position) < std::make_pair(b.launch.phase, b.position);
    });
  }

  void label() {
    std::map<std::string, std::size_t> total, number;
    for (const Command& command : commands_) ++total[command.launch.label];
    std::set<std::string> used;
    for (Command& command : commands_) {
      std::string& text = command.launch.label;
      if (total[text] > 1) text += "#" + std::to_string(++number[text]);
      if (!used.insert(text).second)
        throw InputError(command.launch.file, command.launch.line,
                         "two launches are labelled '" + text + "', but labels must differ");
      workload_.launches.push_back(std::move(command.launch));
    }
  }

  std::uint64_t seed_;
  std::vector<std::string> names_;
  std::map<std::string, Definition> kernels_;
  std::set<std::string> labels_;
  std::set<std::string> launched_;  // names of kernels
  std::vector<Command> commands_;
  Workload workload_;
};

}  // namespace

Workload load_workload(const std::string& path, std::uint64_t seed) {
  return Reader(seed).read(YamlNode::load_file(path));
}

Workload load_workload_text(const std::string& text, const std::string& name, std::uint64_t seed) {
  return Reader(seed).read(YamlNode::load_text(text, name));
}

}  // namespace gputlm

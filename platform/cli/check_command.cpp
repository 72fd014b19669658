#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "platform/cli/commands.h"
#include "platform/cli/host_process.h"
#include "platform/files/atomic_file.h"
#include "platform/files/json_text.h"
#include "platform/files/terminal.h"
#include "testbench/check/bench_library.h"
#include "testbench/check/proof.h"
#include "testbench/check/property.h"
#include "testbench/check/results.h"
#include "testbench/check/size.h"
#include "testbench/kind/kind.h"
#include "testbench/kind/load.h"
#include "testbench/kind/recorded_run.h"
#include "tlm/base/error.h"
#include "tlm/base/tools/tool.h"

namespace gputlm {
namespace {

constexpr std::uint64_t kDecisions = 100'000;        // per seed
constexpr std::uint64_t kMostSeconds = 100'000'000;  // three years
constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();

/// Quotes a word for a shell.
std::string quoted(const std::string& word) {
  if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=-+@,") ==
      std::string::npos)
    return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// Path of this program.
std::string path_of_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

/// In per cent, unless the meaning says that it is a number.
std::string meaning_of(const Field& knob) {
  return "Traffic: " + knob.meaning + (knob.meaning.find("a number") == std::string::npos ? ", per cent" : "");
}

class CheckCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  /// The design to check, before it is built.
  struct Subject {
    CheckedDesign what;
    const Kind& kind;
    std::optional<RecordedDecisions> traffic;  ///< recorded traffic; none: random traffic
    std::function<void*()> build;              ///< BuiltDesign::make
    std::optional<SizedDesign> to_prove;

    Design design(void* make) const {
      const BuiltDesign built{what.name, what.size, make};
      return traffic ? traffic->make(built, what.against) : kind.make(built, what.against);
    }
  };

  void declare_knobs(Arguments& arguments);
  bool is_built_in() const { return built_in_designs().size() > 0 && !is_rtl(file_); }
  Subject built_in() const;
  Subject own(const ProofOptions& options) const;
  FixedKnobs knobs() const;
  SeedRequest request(const std::string& folder) const;
  std::optional<RecordedDecisions> recorded(const Kind& kind) const;
  RtlParameters size(const Kind& kind, const RtlDesign::Interface& interface,
                     const std::optional<RecordedDecisions>& traffic) const;
  ProofOptions proof() const;
  SeedResults run(const Design& design, const SeedRequest& request) const;
  ContractProof prove(const Subject& subject, const ProofOptions& options) const;
  std::string again(std::uint64_t seed) const;
  bool covers_code() const { return !lcov_.empty() || !waivers_.empty(); }
  static std::vector<std::string> code_coverage(const std::string& folder, const SeedResults& results);
  static std::string coverage_for_genhtml(const std::string& folder, const std::vector<std::string>& data);

  std::string file_;
  std::string against_;
  bool contract_ = false;  ///< there is no policy: prove only the contract
  std::string like_;       ///< kind of the design; empty: inferred from its ports
  std::string traffic_;    ///< folder of a run; empty: random traffic
  std::string size_;
  std::vector<std::string> parameters_;
  std::optional<std::uint64_t> decisions_;
  std::uint64_t seed_ = 1;
  std::optional<std::uint64_t> seeds_;
  std::optional<std::uint64_t> seconds_;
  unsigned jobs_ = 0;
  std::map<std::string, std::optional<unsigned>> knobs_;  ///< values of all knobs, by name
  ProofOptions proof_;
  std::optional<unsigned> proof_cycles_, proof_seconds_;
  bool points_ = false;
  bool require_coverage_ = false;
  std::string waivers_;  ///< file; empty: code coverage is not judged
  std::string waveforms_ = ".";
  std::uint64_t waveform_cycles_ = 1000;
  std::string json_, junit_, lcov_;  ///< paths of files; empty: not written
};

/// The knobs of all kinds. A later check refuses those that the design does not have.
void CheckCommand::declare_knobs(Arguments& arguments) {
  for (const Kind& kind : kinds()) {
    RtlParameters size;
    for (const SizeParameter& parameter : kind.size) size[parameter.name] = parameter.default_number();
    for (const Field& knob : kind.knobs(size)) {
      const std::string option = "--" + knob.name;
      if (arguments.has(option)) continue;
      arguments.number(option, knobs_[knob.name], meaning_of(knob));
      arguments.not_together(option, {"--traffic", "--contract"});  // there is no random traffic
    }
  }
}

void CheckCommand::declare(Arguments& arguments) {
  std::string sizes;
  for (const Kind& kind : kinds())
    sizes += fmt::format("{}{} for {}", sizes.empty() ? "" : ", ", words_of_size(kind), kind.name);
  std::string names;
  for (const std::string& name : built_in_designs().names()) names += (names.empty() ? "; or " : ", ") + name;
  arguments.positional(
      "design", file_,
      "Design in SystemVerilog that takes a decision: MODULE.sv, or a list of files MODULE.f (docs/rtl.md)" + names,
      Values::file());
  arguments.text("--against", against_, "Policy that it must agree with, of the tree or of a plugin",
                 Values::names("POLICY", {"policies"}));
  arguments.text(
      "--traffic", traffic_,
      fmt::format("Folder of a run that has recorded its decisions (--probe {}), which replaces random traffic",
                  fmt::join(kinds().names(), ", ")),
      Values::folder());
  arguments.text("--like", like_, "Kind of the design (default: the one whose ports it has)",
                 Values::one_of("KIND", kinds().names()));
  arguments.text("--size", size_, sizes, {"NxN..."});
  arguments.texts("--parameter", parameters_, "Parameter of the module, may be repeated", {"NAME=NUMBER"});
  arguments.number("--decisions", decisions_, "Grants taken, per seed (default: 100000; with --traffic, all)", kAny, 1);
  arguments.seed(seed_, "First seed, for the traffic and the registers' initial contents");
  arguments.number("--seeds", seeds_, "Number of seeds (default: 1; with --time: until the time is over)", kAny, 1);
  arguments.number("--time", seconds_, "Time limit in seconds", kMostSeconds);
  arguments.number("--jobs", jobs_, "Simultaneous seeds (default: the number of processors)", 1024);
  arguments.flag("--contract", contract_,
                 "Instead of --against, for a new policy: prove the contract of its kind, and nothing else");
  arguments.texts("--property", proof_.properties,
                  "Module of assertions over ports and registers of the design, may be repeated: simulated with the "
                  "design and, with --proof or --contract, proved (docs/rtl.md)",
                  Values::file());
  arguments.flag("--proof", proof_.wanted, "Also prove the contract of its kind, with yosys (docs/rtl.md)");
  arguments.text("--proof-size", proof_.size, "Size for the proof, as in --size (default: a small one)", {"NxNxN"});
  arguments.number("--proof-cycles", proof_cycles_, "Maximum cycles of a counterexample (default: 12)", 1000, 1);
  arguments.number("--proof-time", proof_seconds_,
                   "Seconds for each property, to find a counterexample and again to prove it (default: 20)",
                   kMostSeconds, 1);
  arguments.flag("--points", points_, "Print every coverage point with how often it was reached");
  arguments.flag("--require-coverage", require_coverage_, "Fail if a coverage point was not reached");
  arguments.text("--waivers", waivers_,
                 "File of the lines, branches and toggles that no input reaches; fail if another one was not reached",
                 Values::file());
  arguments.text("--waveforms", waveforms_, "Folder for the FST file of a difference", Values::folder());
  arguments.number("--waveform-cycles", waveform_cycles_, "Cycles before the difference that it holds (default: 1000)");
  arguments.text("--json", json_, "File for the result", Values::output());
  arguments.text("--junit", junit_, "File for the result in JUnit's format, one test case per seed", Values::output());
  arguments.text("--lcov", lcov_, "File for the line, branch and toggle coverage of the design, for genhtml",
                 Values::output());
  arguments.not_together("--traffic", {"--seeds", "--time"});
  arguments.not_together("--contract", {"--against", "--traffic", "--decisions", "--seeds", "--time", "--points",
                                        "--require-coverage", "--waivers", "--lcov"});
  declare_knobs(arguments);
  arguments.example("check my_arbiter.sv --against fr_rr_fcfs --seeds 8", "an arbiter against the model of its policy");
  arguments.example("check my_arbiter.sv --against fr_rr_fcfs --proof", "and a proof of the contract of arbiters");
  arguments.example("check my_arbiter.sv --contract --property limit.sv",
                    "the contract of any arbiter and a property of your own, without a reference");
  arguments.example("check my_sorter.sv --against qaws --size 24x4x5 --time 60 --turnover 70",
                    "a sorter for a minute, where groups come and go");
}

FixedKnobs CheckCommand::knobs() const {
  FixedKnobs fixed;
  for (const auto& [name, value] : knobs_) {
    if (value) fixed[name] = *value;
  }
  return fixed;
}

SeedRequest CheckCommand::request(const std::string& folder) const {
  SeedRequest request;
  request.options.seed = seed_;
  request.options.decisions = decisions_.value_or(traffic_.empty() ? kDecisions : kAny);
  request.options.knobs = knobs();
  request.options.waveform_cycles = waveform_cycles_;
  request.count = seeds_;
  if (!seeds_ && !seconds_) request.count = 1;
  request.parallel = jobs_;
  if (covers_code()) request.coverage_folder = folder;
  return request;
}

SeedResults CheckCommand::run(const Design& design, const SeedRequest& request) const {
  const auto began = std::chrono::steady_clock::now();
  ProgressLine progress;
  return run_seeds(design, request, [&](std::uint64_t done) {
    const std::string of = request.count ? fmt::format(" of {}", *request.count) : "";
    progress.show([&](double seconds) { return fmt::format("{}{} seeds, {:.0f} s", done, of, seconds); });
    const bool in_time = !seconds_ || std::chrono::steady_clock::now() - began < std::chrono::seconds(*seconds_);
    return in_time && !interrupted();
  });
}

ContractProof CheckCommand::prove(const Subject& subject, const ProofOptions& options) const {
  ProgressLine progress;
  return prove_contract(
      *subject.to_prove, subject.kind, subject.what.against, options, waveforms_,
      [&](std::size_t done, std::size_t all) {
        progress.show([&](double seconds) { return fmt::format("proof: {} of {}, {:.0f} s", done, all, seconds); });
        return !interrupted();
      });
}

std::string CheckCommand::again(std::uint64_t seed) const {
  std::string text = fmt::format("{} check {}", is_built_in() ? quoted(path_of_program()) : "gputlm", quoted(file_));
  if (!against_.empty()) text += " --against " + quoted(against_);
  for (const std::string& property : proof_.properties) text += " --property " + quoted(property);
  if (!like_.empty()) text += " --like " + like_;
  if (!traffic_.empty()) text += " --traffic " + quoted(traffic_);
  if (!size_.empty()) text += " --size " + size_;
  for (const std::string& parameter : parameters_) text += " --parameter " + quoted(parameter);
  text += fmt::format(" --seed {}", seed);
  if (decisions_ || traffic_.empty()) text += fmt::format(" --decisions {}", decisions_.value_or(kDecisions));
  for (const auto& [name, value] : knobs()) text += fmt::format(" --{} {}", name, value);
  for (const std::string& extension : loaded_extensions())
    text += fmt::format(" {} {}", is_rtl(extension) ? "--rtl" : "--plugin", quoted(extension));
  return text;
}

/// Verilator's coverage file of each seed.
std::vector<std::string> CheckCommand::code_coverage(const std::string& folder, const SeedResults& results) {
  std::vector<std::string> data;
  for (const SeedResults::Row& row : results.rows) {
    const std::string path = fmt::format("{}/{}.dat", folder, row.seed);
    if (std::filesystem::exists(path)) data.push_back(path);  // missing if a seed fails immediately
  }
  return data;
}

std::string CheckCommand::coverage_for_genhtml(const std::string& folder, const std::vector<std::string>& data) {
  const tools::Tool tool = tools::find_tool("verilator_coverage", "verilator");
  std::vector<std::string> arguments{"--write-info", "coverage.info"};
  arguments.insert(arguments.end(), data.begin(), data.end());
  tools::run_tool(tool, arguments, folder, "coverage.log", std::atomic<bool>{false});
  return read_text(folder + "/coverage.info");
}

std::optional<RecordedDecisions> CheckCommand::recorded(const Kind& kind) const {
  if (traffic_.empty()) return std::nullopt;
  return kind.recorded(RecordedRun(traffic_));
}

/// The size given by the user; for a module with parameters, otherwise one that can hold the recording.
RtlParameters CheckCommand::size(const Kind& kind, const RtlDesign::Interface& interface,
                                 const std::optional<RecordedDecisions>& traffic) const {
  RtlParameters given = given_size(kind, size_, parameters_);
  if (!traffic) return given;
  for (const std::string& parameter : interface.parameters) {
    const auto holds = traffic->size.find(parameter);
    if (holds != traffic->size.end()) given.insert(*holds);
  }
  return given;
}

ProofOptions CheckCommand::proof() const {
  ProofOptions proof = proof_;
  proof.wanted = proof.wanted || contract_;
  if (!proof.wanted && (!proof.size.empty() || proof_cycles_ || proof_seconds_))
    throw InputError("--proof-size, --proof-cycles, --proof-time: allowed only with --proof or --contract");
  proof.cycles = proof_cycles_.value_or(proof.cycles);
  proof.seconds = proof_seconds_.value_or(proof.seconds);
  return proof;
}

CheckCommand::Subject CheckCommand::built_in() const {
  const BuiltInDesign& design = built_in_designs().at(file_);
  if (!like_.empty() || !size_.empty() || !parameters_.empty() || proof_.wanted || contract_ ||
      !proof_.properties.empty()) {
    throw InputError(fmt::format(
        "--like, --size, --parameter, --proof, --contract, --property: allowed only for a file, but {} is built in",
        file_));
  }
  const Kind& kind = kinds().at(design.kind);
  const std::string against = against_.empty() ? design.policy : against_;
  kind.decision().policy(against);
  return {{design.name, "", kind.name, against, design.size, {}},
          kind,
          recorded(kind),
          [&design] { return design.make; },
          std::nullopt};
}

CheckCommand::Subject CheckCommand::own(const ProofOptions& options) const {
  if (against_.empty() && !contract_)
    throw InputError(
        "check: --against is missing; without a reference policy, --contract proves what holds for all designs of the "
        "kind, and explain --skeleton KIND prints a policy to start from");
  const RtlDesign rtl(file_);
  const RtlDesign::Interface plain = rtl.interface({});
  const Kind& kind = kind_of_ports(rtl, plain, like_);
  if (!contract_) kind.decision().policy(against_);
  auto traffic = recorded(kind);
  SizedDesign sized = in_size(rtl, plain, kind, size(kind, plain, traffic));
  if (!contract_) {  // otherwise nothing is simulated
    std::vector<UserProperty> properties;
    for (const std::string& file : proof_.properties) properties.push_back(read_property(file, kind, sized));
    bind_properties(sized, properties);
  }
  std::optional<SizedDesign> to_prove;
  if (options.wanted) to_prove = size_for_proof(rtl, plain, kind, options, parameters_);
  const bool covered = covers_code();
  return {{rtl.top(), rtl.path(), kind.name, against_, sized.size, sized.parameters},
          kind,
          std::move(traffic),
          [sized, covered, &kind] {
            return build_rtl(sized.design, sized.interface, sized.parameters, bench_library(kind, covered));
          },
          std::move(to_prove)};
}

int CheckCommand::execute() {
  const ProofOptions proof_options = proof();
  if (proof_options.wanted) formal::proof_tools();  // before anything that takes time
  const Subject subject = is_built_in() ? built_in() : own(proof_options);
  const tools::WorkFolder folder;
  const SeedRequest seeds = request(folder.path());
  // Before anything that takes time.
  if (!contract_) check_knobs(seeds.options.knobs, subject.design(nullptr));
  if (!waivers_.empty()) read_text(waivers_);
  std::map<std::string, AtomicFile> files;
  for (const std::string& path : {json_, junit_, lcov_}) {
    if (!path.empty() && !files.try_emplace(path, path).second)
      throw InputError(path, 0, "is given for two files, allowed: one for each");
  }

  Design design;
  if (!contract_) design = subject.design(subject.build());
  catch_interrupts();
  const SeedResults results = contract_ ? SeedResults() : run(design, seeds);
  std::optional<ContractProof> contract;
  try {
    if (subject.to_prove && !interrupted()) contract = prove(subject, proof_options);
  } catch (const tools::Stopped&) {
  }
  if (interrupted()) {
    print_failure(fmt::format("interrupted after {} decisions; nothing was written", results.decisions));
    return kInterruptedBySignal;
  }
  CheckReport report{subject.what, seeds.options, results, traffic_, "", "", std::move(contract), {}};
  if (results.failed) {
    LockstepOptions options = seeds.options;
    options.seed = results.rows.back().seed;
    make_output_folder(waveforms_);
    options.waveform = fmt::format("{}/{}-seed{}.fst", waveforms_, subject.what.name, options.seed);
    write_waveform(design, options, *results.failed->difference);
    report.waveform = options.waveform;
    report.again = again(options.seed);
  }
  const std::vector<std::string> covered = code_coverage(folder.path(), results);
  if (!waivers_.empty() && !results.failed) report.code = read_code_coverage(covered, waivers_);
  if (!json_.empty()) files.at(json_).write(json_text(to_json(report)));
  if (!junit_.empty()) files.at(junit_).write(to_junit(report));
  if (!lcov_.empty()) files.at(lcov_).write(coverage_for_genhtml(folder.path(), covered));
  for (auto& [path, file] : files) file.commit();
  release_interrupts();
  print(to_text(report, points_));
  const bool complete = contract_ || results.coverage.missing().empty();
  const bool refuted = report.proof && report.proof->proof.refuted();
  const bool uncovered = report.code && !report.code->missing.empty();
  return results.failed || refuted || uncovered || (require_coverage_ && !complete) ? kDisagrees : kDone;
}

GPUTLM_REGISTER {
  add_command<CheckCommand>("check", "Compare a design of your own, such as an arbiter, with a policy, cycle by cycle",
                            CommandGroup::kHardware);
}

}  // namespace
}  // namespace gputlm

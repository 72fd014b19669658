#include "platform/share/loss.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>

#include "models/sm/blocks/contention_end.h"
#include "models/work_distributor/application.h"
#include "platform/share/path.h"

namespace gputlm {
namespace {

constexpr const char *kTurn = "turn of others", *kPlaces = "places", *kIssue = "issue and pipes", *kMemory = "memory",
                     *kBlocks = "slower blocks", *kCopying = "copying", *kCopyEngine = "copy engine",
                     *kEarlier = "earlier work", *kHost = "host";

/// A program in a run.
class Program {
 public:
  Program(const RunResult& result, const Run& run, ApplicationId application)
      : result_(result), jobs_(job_paths(result, run, application)) {
    const WorkDistributorConfig& distributor = run.config.work_distributor;
    const bool by_turns = turn_taking(distributor.application, distributor.options).by_turns;
    std::vector<CycleInterval> runs, copies, on;
    for (const KernelRecord& k : result.kernels) {
      const LaunchCommand& launch = run.workload.launches[k.command];
      if (run.workload.streams[launch.stream].application != application) continue;
      numbers_.emplace(k.command, 0);
      runs.push_back({k.first_block, k.end});
      counters_ += k.counters;
    }
    std::size_t number = 0;
    for (auto& [command, place] : numbers_) place = number++;
    for (const UnfinishedKernel& k : result.unfinished) {
      const LaunchCommand& launch = run.workload.launches[k.command];
      if (run.workload.streams[launch.stream].application == application && k.first_block != kNever)
        runs.push_back({k.first_block, result.cycles});
    }
    for (const CopyRecord& c : result.copies) {
      if (run.workload.streams[run.workload.copies[c.command].stream].application == application)
        copies.push_back({c.started, c.ended});
    }
    for (const SliceEnded& slice : result.engine_slices) {
      if (slice.application == application)
        on.push_back({slice.start, slice.preempted_blocks > 0 ? slice.end : slice.off});
    }
    if (!by_turns) on = {{0, kNever}};
    const std::vector<LostTime> lost = result.units.by_application<LostTime>();
    if (application < lost.size()) lost_ = lost[application];
    runs_ = CycleSet(std::move(runs));
    copies_ = CycleSet(std::move(copies));
    on_ = CycleSet(std::move(on));
  }

  const std::vector<JobPath>& jobs() const { return jobs_; }
  const CycleSet& runs() const { return runs_; }      ///< it had a block on the SMs, or a preempted one
  const CycleSet& copies() const { return copies_; }  ///< one of its copies was moved
  const CycleSet& on() const { return on_; }          ///< its context was on the engine
  const BlockCounters& counters() const { return counters_; }
  const std::optional<LostTime>& lost() const { return lost_; }  ///< lost time; none without blocks with demands

  struct Execution {
    double cycles = 0;       ///< cycles on the engine, from the first block to the last
    double warp_cycles = 0;  ///< cycles of its blocks' warps on the SMs
    double times = 0;
  };
  /// Executions of the kernels that determined how long jobs took, by their index among the program's launches.
  std::map<std::size_t, Execution> executions() const {
    std::map<std::size_t, Execution> all;
    for (const JobPath& job : jobs_) {
      for (const std::size_t place : job.kernels) add(result_.kernels[place], all);
    }
    return all;
  }
  /// Executions of all kernels.
  std::map<std::size_t, Execution> all_executions() const {
    std::map<std::size_t, Execution> all;
    for (const KernelRecord& kernel : result_.kernels) add(kernel, all);
    return all;
  }

 private:
  void add(const KernelRecord& kernel, std::map<std::size_t, Execution>& to) const {
    const auto number = numbers_.find(kernel.command);
    if (number == numbers_.end()) return;
    Execution& execution = to[number->second];
    execution.cycles += static_cast<double>(on_.within(kernel.first_block, kernel.end).size());
    execution.warp_cycles += static_cast<double>(kernel.counters.instructions);
    for (std::size_t reason = 0; reason < kStallReasons; ++reason) {
      if (reason != static_cast<std::size_t>(Stall::kPreempted))
        execution.warp_cycles += static_cast<double>(kernel.counters.stall[reason]);
    }
    execution.times += 1;
  }

  const RunResult& result_;
  std::vector<JobPath> jobs_;
  std::map<std::uint32_t, std::size_t> numbers_;  ///< numbers of its launches that ended, from 0
  CycleSet runs_, copies_, on_;
  BlockCounters counters_;
  std::optional<LostTime> lost_;
};

/// The cycles of a state, by job.
using OfJobs = std::vector<CycleSet>;

OfJobs cycles_of(const Program& program, PathState state) {
  OfJobs all;
  for (const JobPath& job : program.jobs()) all.push_back(job.states[static_cast<std::size_t>(state)]);
  return all;
}
OfJobs cycles_on(const Program& program, PathState state) {
  OfJobs all = cycles_of(program, state);
  for (CycleSet& cycles : all) cycles = cycles & program.on();
  return all;
}
/// Cycles with a kernel at the GPU and the context off the engine.
OfJobs cycles_off(const Program& program) {
  OfJobs all = cycles_of(program, PathState::kRuns);
  const OfJobs waits = cycles_of(program, PathState::kWaits), behind = cycles_of(program, PathState::kBehind);
  for (std::size_t j = 0; j < all.size(); ++j) all[j] = (all[j] | waits[j] | behind[j]) - program.on();
  return all;
}

double mean(const OfJobs& jobs) {
  double sum = 0;
  for (const CycleSet& cycles : jobs) sum += static_cast<double>(cycles.size());
  return sum / static_cast<double>(jobs.size());
}

/// The share of the kernels' longer time on the engine that is due to longer blocks.
double share_of_blocks(const Program& together, const Program& alone) {
  const auto before = alone.all_executions();
  double slower = 0, all = 0;
  for (const auto& [place, now] : together.executions()) {
    const auto then = before.find(place);
    if (then == before.end()) continue;
    const double times = now.times / then->second.times;
    const double cycles = then->second.cycles * times, warps = then->second.warp_cycles * times;
    all += now.cycles - cycles;
    if (warps > 0) slower += cycles * (now.warp_cycles / warps - 1);
  }
  return all > 0 ? std::clamp(slower / all, 0.0, 1.0) : 0;
}

class Losses {
 public:
  Losses(const ShareStudy& study, const std::string& way) : study_(study), way_(way) {
    for (std::size_t p = 0; p < study.programs().size(); ++p)
      programs_.emplace_back(study.together_result(way), study.together(way), static_cast<ApplicationId>(p));
  }

  ProgramLoss of(std::size_t number) const {
    ProgramLoss loss;
    loss.way = way_;
    loss.program = study_.programs()[number].name;
    loss.core_mhz = static_cast<double>(study_.together(way_).config.core_mhz);
    const Program& together = programs_[number];
    const Program alone(study_.alone_result(number), study_.alone(number), 0);
    if (together.jobs().empty() || alone.jobs().empty()) return loss;
    const auto part = [&](const std::string& cause, const OfJobs& now, double grown,
                          const CycleSet& (Program::*whose)() const) {
      loss.cycles += grown;
      divide(cause, grown, now, number, whose, loss);
    };
    const auto grown = [&](const OfJobs& now, const OfJobs& then) { return mean(now) - mean(then); };
    const auto state = [&](const std::string& cause, PathState which, const CycleSet& (Program::*whose)() const) {
      const OfJobs now = cycles_on(together, which);
      part(cause, now, grown(now, cycles_on(alone, which)), whose);
    };
    const OfJobs off = cycles_off(together);
    part(kTurn, off, grown(off, cycles_off(alone)), &Program::on);
    state(kPlaces, PathState::kWaits, &Program::runs);
    const OfJobs runs = cycles_on(together, PathState::kRuns);
    const double longer = grown(runs, cycles_on(alone, PathState::kRuns)), blocks = share_of_blocks(together, alone);
    part(kPlaces, runs, longer * (1 - blocks), &Program::runs);
    const auto causes =
        together.lost() ? block_causes(*together.lost()) : block_causes(together.counters(), alone.counters());
    for (const auto& [cause, share] : causes) part(cause, runs, longer * blocks * share, &Program::runs);
    const auto anywhere = [&](const std::string& cause, PathState which, const CycleSet& (Program::*whose)() const) {
      const OfJobs now = cycles_of(together, which);
      part(cause, now, grown(now, cycles_of(alone, which)), whose);
    };
    anywhere(kCopyEngine, PathState::kWaitsForEngine, &Program::copies);
    anywhere(kCopying, PathState::kCopies, &Program::copies);
    state(kEarlier, PathState::kBehind, nullptr);
    anywhere(kHost, PathState::kHost, nullptr);
    settle(loss);
    return loss;
  }

 private:
  /// Adds a part, divided among the programs present in its cycles.
  void divide(const std::string& cause, double cycles, const OfJobs& jobs, std::size_t number,
              const CycleSet& (Program::*whose)() const, ProgramLoss& loss) const {
    if (cycles == 0) return;
    std::vector<double> there(programs_.size(), 0);
    double all = 0, covered = 0, sum = 0;
    for (const CycleSet& job : jobs) {
      all += static_cast<double>(job.size());
      CycleSet others;
      for (std::size_t p = 0; whose && p < programs_.size(); ++p) {
        if (p == number) continue;
        const CycleSet both = job & (programs_[p].*whose)();
        there[p] += static_cast<double>(both.size());
        sum += static_cast<double>(both.size());
        others = others | both;
      }
      covered += static_cast<double>(others.size());
    }
    double rest = cycles;
    for (std::size_t p = 0; p < programs_.size(); ++p) {
      if (there[p] == 0) continue;
      const double part = cycles * covered / all * there[p] / sum;
      put(loss, cause, study_.programs()[p].name, part);
      rest -= part;
    }
    if (covered < all || sum == 0) put(loss, cause, "", rest);
  }

  static void put(ProgramLoss& loss, const std::string& cause, const std::string& whose, double cycles) {
    const auto same = [&](const LossPart& part) { return part.cause == cause && part.whose == whose; };
    const auto found = std::find_if(loss.parts.begin(), loss.parts.end(), same);
    if (found == loss.parts.end()) {
      loss.parts.push_back({cause, whose, cycles});
    } else {
      found->cycles += cycles;
    }
  }

  const ShareStudy& study_;
  std::string way_;
  std::vector<Program> programs_;
};

}  // namespace

std::vector<std::string> loss_causes(const std::vector<ProgramLoss>& losses) {
  // The causes of block_causes() come between places and copies.
  std::vector<std::string> causes{kTurn, kPlaces};
  const std::vector<std::string> last{kCopyEngine, kCopying, kEarlier, kHost};
  const auto has = [](const std::vector<std::string>& list, const std::string& cause) {
    return std::find(list.begin(), list.end(), cause) != list.end();
  };
  for (const ProgramLoss& loss : losses) {
    for (const LossPart& part : loss.parts) {
      if (!has(causes, part.cause) && !has(last, part.cause)) causes.push_back(part.cause);
    }
  }
  causes.insert(causes.end(), last.begin(), last.end());
  const auto unused = [&](const std::string& cause) {
    return std::all_of(losses.begin(), losses.end(), [&](const ProgramLoss& loss) { return loss.of(cause) == 0; });
  };
  causes.erase(std::remove_if(causes.begin(), causes.end(), unused), causes.end());
  return causes;
}

void settle(ProgramLoss& loss) {
  double same = 0;
  std::vector<LossPart> kept;
  for (const LossPart& part : loss.parts) {
    if (part.cycles * loss.cycles <= 0) continue;
    same += part.cycles;
    kept.push_back(part);
  }
  for (LossPart& part : kept) part.cycles *= loss.cycles / same;
  loss.parts = std::move(kept);
}

double ProgramLoss::of(const std::string& cause) const {
  double sum = 0;
  for (const LossPart& part : parts) sum += part.cause == cause ? part.cycles : 0;
  return sum;
}

std::vector<std::pair<std::string, double>> block_causes(const BlockCounters& together, const BlockCounters& alone) {
  const auto of_instruction = [](const BlockCounters& counters, std::initializer_list<Stall> reasons) {
    double sum = 0;
    for (const Stall reason : reasons) sum += static_cast<double>(counters.stall[static_cast<std::size_t>(reason)]);
    return sum / std::max(1.0, static_cast<double>(counters.instructions));
  };
  const auto growth = [&](std::initializer_list<Stall> reasons) {
    return std::max(0.0, of_instruction(together, reasons) - of_instruction(alone, reasons));
  };
  const double memory = growth({Stall::kMemory, Stall::kDrain});
  const double issue = growth({Stall::kNotSelected, Stall::kExecution});
  if (memory + issue == 0) return {{kBlocks, 1}};
  return {{kIssue, issue / (memory + issue)}, {kMemory, memory / (memory + issue)}};
}

std::vector<std::pair<std::string, double>> block_causes(const LostTime& lost) {
  const auto of = [&](Shared what) { return static_cast<double>(lost.lost[static_cast<std::size_t>(what)]); };
  std::vector<std::pair<std::string, double>> causes{
      {kIssue, of(Shared::kIssue) + of(Shared::kPipe)}, {"L1", of(Shared::kL1)}, {"SM's port", of(Shared::kSmPort)},
      {"lines of the L2", of(Shared::kL2Capacity)},     {"L2", of(Shared::kL2)}, {"DRAM", of(Shared::kDram)}};
  double all = 0;
  for (const auto& [cause, cycles] : causes) all += cycles;
  if (all == 0) return {{kBlocks, 1}};
  for (auto& [cause, cycles] : causes) cycles /= all;
  return causes;
}

std::vector<ProgramLoss> share_losses(const ShareStudy& study) {
  std::vector<ProgramLoss> all;
  for (const SharingWay& way : study.ways()) {
    const Losses losses(study, way.name);
    for (std::size_t p = 0; p < study.programs().size(); ++p) all.push_back(losses.of(p));
  }
  return all;
}

}  // namespace gputlm

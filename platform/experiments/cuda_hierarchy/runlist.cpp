/// The runlist of section III-A of cuda-hierarchy: work-conserving TDMA among channels, compared with its closed form. In one
/// run three applications always have work, to measure the length of the rounds. In another the first one has occasional
/// short jobs, to measure the maximum wait for its slot.
#include <fmt/format.h>

#include <algorithm>

#include "platform/input/workload_file.h"
#include "platform/lab/chart.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {
namespace {

constexpr unsigned kRounds = 8, kJobs = 120;
constexpr unsigned kSlots = 6, kOthersSlots = 5;  // per round: one low, two medium, three high
constexpr unsigned kSwitches =
    5;  // for a job that arrives as the first slot begins: to medium, high, medium, high and low

/// `low`: the launches of the application of low priority. Blocks take a third of a slice.
std::string applications_text(unsigned slice_us, const std::string& low, unsigned block, unsigned medium_blocks,
                              unsigned high_blocks) {
  const auto application = [&](const std::string& priority, const std::string& launches) {
    return fmt::format(
        "  - {{name: {0}, timeslice_priority: {0}, time_slice_us: {1}, streams: [{{name: {0}, launches: [{2}]}}]}}\n",
        priority, slice_us, launches);
  };
  const auto work = [](unsigned blocks) { return fmt::format("{{kernel: work, grid: {}}}", blocks); };
  return fmt::format("kernels:\n  work: {{grid: 1, block: {}, registers: 32, program: [spin: {{us: {}}}]}}\n", block,
                     slice_us * 0.35) +
         (low == "job" ? "  job: {grid: 1, block: 32, registers: 32, program: [spin: {us: 1}]}\n" : "") +
         "applications:\n" +
         application("low", low == "job"
                                ? fmt::format("{{kernel: job, repeat: {}, period_us: {}}}", kJobs, slice_us * 13.37)
                                : low) +
         application("medium", work(medium_blocks)) + application("high", work(high_blocks));
}

struct RunlistCase {
  std::string preemption;
  unsigned slice_us = 0;
  bool jobs = false;
};

Run runlist_run(const std::string& gpu, const RunlistCase& which) {
  ParameterSettings settings{
      {"work_distributor.application", "time_sliced"},
      {"work_distributor.time_sliced.instruction_preemption", which.preemption == "instruction" ? "true" : "false"}};
  // Eight blocks at once; each has its slot to itself for about three blocks per slice.
  constexpr unsigned kBlocksOfASlice = 8 * 3 + 8;
  std::string text;
  if (which.jobs) {
    settings.emplace_back("sm.blocks",
                          "4");  // small blocks have little state to save, so that many switches are possible
    const auto rounds = static_cast<unsigned>(kJobs * 13.37 / kOthersSlots);
    text = applications_text(which.slice_us, "job", 32, 2 * rounds * kBlocksOfASlice, 3 * rounds * kBlocksOfASlice);
  } else {
    text = applications_text(which.slice_us, fmt::format("{{kernel: work, grid: {}}}", kRounds * kBlocksOfASlice), 512,
                             2 * kRounds * kBlocksOfASlice, 3 * kRounds * kBlocksOfASlice);
  }
  return {experiment_gpu(gpu, settings), load_workload_text(text, "cuda-hierarchy/runlist", 1)};
}

/// The time of the switch after the slice.
Cycle switch_after(const std::vector<SliceEnded>& slices, std::size_t i) {
  const Cycle off = slices[i].off - slices[i].end;
  return i + 1 < slices.size() ? off + slices[i + 1].start - slices[i + 1].come : off;
}

struct Rounds {
  std::string order;  ///< slots of the first round, in order
  unsigned rounds = 0, as_closed_form = 0;
  Cycle longest = 0, switch_least = kNever, switch_most = 0, switch_sum = 0;
  unsigned switches = 0;
  Bytes state = 0;  ///< bytes written by all switches
};

/// Rounds in which all applications have work.
Rounds rounds_of(const RunResult& result, const Workload& workload, Cycle slice) {
  std::vector<SliceEnded> slices = result.engine_slices;
  slices.erase(std::find_if(slices.begin(), slices.end(), [](const SliceEnded& s) { return !s.by_time; }),
               slices.end());
  Rounds all;
  for (std::size_t i = 0; i + kSlots < slices.size(); i += kSlots) {
    Cycle closed_form = 0;
    std::string order;
    for (std::size_t k = i; k < i + kSlots; ++k) {
      const Cycle lost = switch_after(slices, k);
      closed_form += slice + lost;
      order += (order.empty() ? "" : " ") + workload.applications[slices[k].application].name;
      all.state += slices[k].saved_bytes;
      if (slices[k].application == slices[k + 1].application) continue;
      ++all.switches;
      all.switch_sum += lost;
      all.switch_least = std::min(all.switch_least, lost);
      all.switch_most = std::max(all.switch_most, lost);
    }
    if (all.order.empty()) all.order = order;
    const Cycle took = slices[i + kSlots].start - slices[i].start;
    const bool same = order == all.order && took == closed_form;
    ++all.rounds;
    all.as_closed_form += same;
    all.longest = std::max(all.longest, took);
  }
  return all;
}

struct Wait {
  Cycle longest = 0, closed_form = 0;
};

/// Longest time from a job's arrival to the slice in which it runs.
Wait longest_wait(const RunResult& result, const Workload& workload, Cycle slice) {
  Wait wait;
  for (const KernelRecord& kernel : result.kernels) {
    if (workload.streams[workload.launches[kernel.command].stream].application != 0) continue;
    const auto own = std::find_if(result.engine_slices.begin(), result.engine_slices.end(),
                                  [&](const SliceEnded& s) { return s.application == 0 && s.start >= kernel.arrived; });
    wait.longest = std::max(wait.longest, own->start - kernel.arrived);
  }
  Cycle longest_switch = 0;
  for (std::size_t i = 0; i < result.engine_slices.size(); ++i)
    longest_switch = std::max(longest_switch, switch_after(result.engine_slices, i));
  wait.closed_form = kOthersSlots * slice + kSwitches * longest_switch;
  return wait;
}

ExperimentReport runlist(const Study& all, const ExperimentOptions& options) {
  RunSet<RunlistCase> runs;
  for (const std::string& preemption : all.values("preemption")) {
    for (const unsigned slice_us : all.numbers("slice_us")) {
      for (const bool jobs : {false, true}) {
        const RunlistCase which{preemption, slice_us, jobs};
        runs.add(which, runlist_run(all.gpu(), which));
      }
    }
  }
  runs.run(options.jobs());

  const GpuConfig& gpu = runs.request(runs.keys().front()).config;
  const Clock clock = Clock::from_mhz(gpu.core_mhz);
  const auto us = [&](Cycle cycles) { return static_cast<double>(cycles) / gpu.core_mhz; };
  ExperimentReport report{"cuda-hierarchy"};
  Table table(
      {{"preemption"},
       {"slice_us", "us", "Length of a slice", "slice"},
       {"rounds", "", "In which all three have work"},
       {"longest_us", "us", "Longest round", "longest", 2},
       {"switch_least_us", "us", "Shortest switch", "switch: least", 2},
       {"switch_mean_us", "us", "Mean switch", "mean", 2},
       {"switch_most_us", "us", "Longest switch", "most", 2},
       {"state_kib", "KiB", "Registers and the like of all blocks that a switch writes", "state", 1},
       {"longest_wait_us", "us", "Longest wait of a job of the low application for its slice", "longest wait", 2},
       {"closed_form_us", "us", "The slots of the others and the longest switch between them", "closed form", 2}});
  for (const std::string& preemption : all.values("preemption")) {
    for (const unsigned slice_us : all.numbers("slice_us")) {
      const Cycle slice = clock.at_or_after(slice_us * kMicrosecond);
      const RunlistCase saturated{preemption, slice_us, false}, with_jobs{preemption, slice_us, true};
      const Rounds rounds = rounds_of(runs.result(saturated), runs.request(saturated).workload, slice);
      const Wait wait = longest_wait(runs.result(with_jobs), runs.request(with_jobs).workload, slice);
      const double switches = std::max(1u, rounds.switches);
      table.add({preemption, slice_us, rounds.rounds, us(rounds.longest), us(rounds.switch_least),
                 us(rounds.switch_sum) / switches, us(rounds.switch_most),
                 static_cast<double>(rounds.state) / 1024 / switches, us(wait.longest), us(wait.closed_form)});
      const std::string name = fmt::format("{}, {} us: ", preemption, slice_us);
      report.equal(name + "slots of a round", "runlist.slots", rounds.order);
      report.all(name + "rounds as long as slots and switches", rounds.as_closed_form, rounds.rounds);
      report.figures.push_back(exact_figure(name + "a job waits longer than the closed form", "never",
                                            wait.longest <= wait.closed_form ? "never" : "sometimes"));
      report.figures.push_back({name + "longest wait of a job (us)", Quantity::number(us(wait.closed_form), 1),
                                Quantity::number(us(wait.longest), 1), Band::within_share(0.1),
                                "beside the closed form"});
    }
  }
  for (const std::string& preemption : all.values("preemption")) {
    const RunlistCase which{preemption, all.numbers("slice_us").front(), false};
    const RunResult& result = runs.result(which);
    const std::vector<ScheduledBlock> blocks =
        schedule_of(result, applications_by_launch(runs.request(which).workload), true);
    const Cycle begin = result.engine_slices[0].start, end = result.engine_slices[kSlots].off;
    report.text += fmt::format(
        "A round, preemption at {} boundary: blocks of the applications l(ow), m(edium), h(igh); a column is {} "
        "us\n{}\n",
        preemption, which.slice_us / 10,
        schedule_text(blocks, "lmh", gpu.sms, begin, end, static_cast<Cycle>(which.slice_us * gpu.core_mhz / 10)));
    report.charts.push_back(
        {schedule_chart(blocks, {{"low", ""}, {"medium", ""}, {"high", ""}}, gpu.sms, begin, end, gpu.core_mhz),
         preemption});
  }
  report.tables = {
      {"Rounds in which all three always have work, and how long a job waits", table, "",
       fmt::format(
           "state: registers and the like of all blocks, written by a switch, and read by another. longest wait: "
           "of {} jobs of the low application, from the work distributor to its slice; closed form: the slots of "
           "the others, and the longest switch between them.",
           kJobs)}};
  return report;
}

GPUTLM_REGISTER { add_experiment("cuda-hierarchy/runlist", runlist, {"preemption", "slice_us"}); }

}  // namespace
}  // namespace gputlm

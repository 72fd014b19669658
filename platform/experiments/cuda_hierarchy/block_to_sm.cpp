/// Section III-C of cuda-hierarchy: kernels of one block each run in all sizes, and the SMs of their blocks are compared with
/// the equations that the paper inferred from its Tables II, III and IV. (The shading of the tables, which shows where blocks
/// share an SM, is not in the paper's text: the equations stand for it.)
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "models/work_distributor/placement.h"
#include "platform/experiments/cuda_hierarchy/same_sm_rule.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {
namespace {

constexpr unsigned kSizes = 32;    // blocks of 1 to 32 warps
constexpr unsigned kOccupied = 6;  // warps of the blocks that occupy all SMs but one, Table IV
constexpr Femtoseconds kStep = kMicrosecond;

/// One cell: the SMs of the block of x warps and then of the one of y warps.
struct Placed {
  SmId x_sm = 0, y_sm = 0;
  bool together = true;  ///< the block of y warps started while all others were running
  bool same() const { return x_sm == y_sm; }
};
using Pairs = std::array<std::array<Placed, kSizes>, kSizes>;  // [x - 1][y - 1]
using Marks = std::array<std::string, kSizes>;

/// All pairs, one after the other; with `occupied` blocks of kOccupied warps before each pair.
Run table_run(const std::string& gpu, const std::string& placement, unsigned occupied,
              ParameterSettings settings = {}) {
  settings.emplace_back("work_distributor.placement", placement);
  Run run{experiment_gpu(gpu, settings), workload_of_streams(3)};
  std::vector<std::shared_ptr<Kernel>> kernels;
  for (unsigned warps = 1; warps <= kSizes; ++warps) kernels.push_back(spin_kernel(1, warps * 32, 6 * kStep));
  const auto occupying = occupied ? spin_kernel(occupied, kOccupied * 32, 6 * kStep) : nullptr;
  unsigned phase = 0;
  for (unsigned x = 1; x <= kSizes; ++x) {
    for (unsigned y = 1; y <= kSizes; ++y, ++phase) {
      if (occupying) launch(run.workload, 0, occupying, 0, phase);
      launch(run.workload, 1, kernels[x - 1], kStep, phase);
      launch(run.workload, 2, kernels[y - 1], 2 * kStep, phase);
    }
  }
  return run;
}

Pairs read_pairs(const std::vector<LaunchOutcome>& outcomes) {
  const std::size_t launches = outcomes.size() / (kSizes * kSizes);
  Pairs table;
  for (std::size_t i = 0; i < kSizes * kSizes; ++i) {
    const BlockRecord& x = outcomes[(i + 1) * launches - 2].blocks.at(0);
    const BlockRecord& y = outcomes[(i + 1) * launches - 1].blocks.at(0);
    Cycle first_end = x.end;
    for (std::size_t k = i * launches; k < (i + 1) * launches - 2; ++k) {
      for (const BlockRecord& b : outcomes[k].blocks) first_end = std::min(first_end, b.end);
    }
    table[i / kSizes][i % kSizes] = {x.sm, y.sm, y.start < first_end};
  }
  return table;
}

std::string picture(const Marks& marks) {
  std::string text = "   y  ";
  for (unsigned y = 1; y <= kSizes; ++y) text += y % 10 == 0 ? static_cast<char>('0' + y / 10) : ' ';
  text += "\n x    ";
  for (unsigned y = 1; y <= kSizes; ++y) text += static_cast<char>('0' + y % 10);
  text += '\n';
  for (unsigned x = 1; x <= kSizes; ++x) text += fmt::format("{:>3}   {}\n", x, marks[x - 1]);
  return text;
}

/// Tables II and III: two blocks on an idle GPU, against Equation 2.
Marks add_pairs(ExperimentReport& report, const std::string& name, unsigned mw, const Pairs& table) {
  Marks marks;
  Count count;
  for (unsigned x = 1; x <= kSizes; ++x) {
    for (unsigned y = 1; y <= kSizes; ++y) {
      const Placed& cell = table[x - 1][y - 1];
      count.add(cell.together && cell.same() == equation2(mw, x, y));
      marks[x - 1] += cell.same() ? 'o' : '.';
    }
  }
  report.all(name + ": cells as equation 2", count.holds, count.of);
  return marks;
}

struct LoadBalance {
  Count procedure;        ///< cells in which both SMs agree with Equation 3, evaluated SM by SM
  Count equation4;        ///< among cells with x on the idle SM: those that agree with Equation 4
  Count from_two_warps;   ///< among cells with y >= 2: those that agree with Equation 3, evaluated SM by SM
  unsigned waiting = 0;   ///< cells in which the block of y warps fits nowhere
  unsigned literal = 0;   ///< cells in which Equation 3 with the SM's own z predicts the same SM, but it is another
  unsigned only_eq4 = 0;  ///< cells with the same SM that Equation 3 does not predict: the paper's dark gray
  Marks marks;
};

/// Table IV: all SMs but the last in the GPU's order have kOccupied warps.
LoadBalance load_balance(unsigned mw, const GpuConfig& config, const Pairs& table) {
  LoadBalance result;
  const unsigned sms = config.sms;
  const std::vector<SmId> order = sm_order(config.work_distributor.sm_order, sms);
  for (unsigned x = 1; x <= kSizes; ++x) {
    for (unsigned y = 1; y <= kSizes; ++y) {
      const Placed& cell = table[x - 1][y - 1];
      std::vector<unsigned> warps(sms, kOccupied);
      warps.back() = 0;
      const std::size_t x_at = sm_by_equation3(warps, mw, x);
      const unsigned z = warps[x_at];
      warps[x_at] += x;
      const bool idle_got_x = x_at == sms - 1;
      if (y > mw - *std::min_element(warps.begin(), warps.end())) {
        ++result.waiting;
        result.procedure.add(!cell.together);
        result.from_two_warps.add(!cell.together);
        result.marks[x - 1] += '-';
        continue;
      }
      const bool as_procedure =
          cell.together && cell.x_sm == order[x_at] && cell.y_sm == order[sm_by_equation3(warps, mw, y)];
      result.procedure.add(as_procedure);
      if (y >= 2) result.from_two_warps.add(as_procedure);
      if (idle_got_x) result.equation4.add(cell.together && cell.same() == equation4(mw, kOccupied, x, y));
      const bool promised = y <= mw - z && x <= mw - z && equation3(mw, z, x, y);
      if (promised && !cell.same()) ++result.literal;
      if (!promised && cell.same()) ++result.only_eq4;
      result.marks[x - 1] += !cell.same() ? '.' : promised ? 'o' : '#';
    }
  }
  return result;
}

void add_load_balance(ExperimentReport& report, unsigned mw, const GpuConfig& config, const Pairs& warps_decide,
                      const Pairs& as_shipped, unsigned slots) {
  const std::string name = fmt::format("table IV, mw {} ({})", mw, config.name);
  const LoadBalance ours = load_balance(mw, config, warps_decide);
  const LoadBalance shipped = load_balance(mw, config, as_shipped);
  report.text += fmt::format(
      "\n{}: {} of {} SMs have {} warps, then x, then y warps\n{}"
      "o same SM, # same SM by equation 4 only, . another SM, - fits nowhere ({} cells)\n"
      "Cells in which equation 3, with z of the SM of x, promises the same SM but an SM before it ties: {}\n"
      "With the {} block slots of this GPU, slots decide for y = 1: {} cells differ from the equations\n",
      name, config.sms - 1, config.sms, kOccupied, picture(ours.marks), ours.waiting, ours.literal, slots,
      shipped.procedure.of - shipped.procedure.holds);
  const std::string warps_note = fmt::format("sm.blocks = {}: warps decide", mw);
  report.all(name + ": cells as equation 3, SM by SM", ours.procedure.holds, ours.procedure.of, warps_note);
  report.all(name + ": x on the idle SM, as equation 4", ours.equation4.holds, ours.equation4.of, warps_note);
  report.all(name + ": y >= 2, as equation 3, SM by SM", shipped.from_two_warps.holds, shipped.from_two_warps.of,
             fmt::format("sm.blocks = {}", slots));
}

/// The five examples of sections III-C1, on xavier.
class Examples {
 public:
  explicit Examples(const std::string& placement)
      : run_{experiment_gpu("xavier", {{"work_distributor.placement", placement}}), workload_of_streams(2)} {
    pair({4, 128}, {4, 128});   // Figure 5, left
    pair({4, 128}, {4, 160});   // Figure 5, right
    pair({1, 32}, {1, 96});     // "32 threads ... 96 threads"
    pair({6, 512}, {16, 64});   // "6 SMs ... 16 warps", 16 blocks of 2 warps
    pair({6, 512}, {16, 128});  // and 16 blocks of 4 warps
  }
  const Run& run() const { return run_; }

  static void add_figures(ExperimentReport& report, const std::vector<LaunchOutcome>& outcomes) {
    const auto first = [&](std::size_t i) { return outcomes[2 * i].sms(); };
    const auto second = [&](std::size_t i) { return outcomes[2 * i + 1].sms(); };
    const auto both = [&](std::size_t i) { return list_text(first(i)) + " " + list_text(second(i)); };
    const auto idle = [&](std::size_t i, std::size_t count) {
      const std::vector<SmId> busy = first(i), sms = second(i);
      return std::count_if(sms.begin(), sms.begin() + static_cast<std::ptrdiff_t>(count),
                           [&](SmId sm) { return std::find(busy.begin(), busy.end(), sm) == busy.end(); });
    };
    report.equal("figure 5, left: 4x128 then 4x128", "examples.figure5_left", both(0));
    report.equal("figure 5, right: 4x128 then 4x160", "examples.figure5_right", both(1));
    report.equal("1x32 then 1x96", "examples.1x32_1x96", first(2) == second(2) ? "same SM" : "other SM");
    report.equal("6 SMs with 16 warps, then 16x64", "examples.16x64_on_idle_sms",
                 fmt::format("{} of 16 on idle SMs", idle(3, 16)));
    std::vector<SmId> rest = second(4);
    rest.erase(rest.begin(), rest.begin() + 8);
    std::sort(rest.begin(), rest.end());
    const bool everywhere = rest == std::vector<SmId>{0, 1, 2, 3, 4, 5, 6, 7};
    report.equal("6 SMs with 16 warps, then 16x128", "examples.16x128_on_idle_sms",
                 fmt::format("first {} on idle SMs, rest on {}", idle(4, 8), everywhere ? "all SMs" : list_text(rest)));
  }

 private:
  struct Shape {
    std::uint32_t blocks, threads;
  };
  void pair(Shape first, Shape second) {
    launch(run_.workload, 0, spin_kernel(first.blocks, first.threads, 6 * kStep), 0, phase_);
    launch(run_.workload, 1, spin_kernel(second.blocks, second.threads, 6 * kStep), kStep, phase_++);
  }

  Run run_;
  unsigned phase_ = 0;
};

void add_properties(ExperimentReport& report, const std::string& placement) {
  for (const unsigned mw : {64u, 32u}) {
    const auto add = [&](const char* what, const Count& count) {
      report.all(fmt::format("equation {}, mw {}: decisions of the policy", what, mw), count.holds, count.of);
    };
    add("2", policy_follows_equation2(placement, mw));
    add("3", policy_follows_equation3(placement, mw));
    add("4", policy_follows_equation4(placement, mw));
  }
}

ExperimentReport block_to_sm(const ExperimentOptions& options) {
  const std::string placement = options.policy("most_room");
  // By GPU, number of warps of the blocks that occupy SMs before each pair, and whether the GPU's own limit of block slots
  // applies.
  struct TableKey {
    std::string gpu;
    unsigned occupied = 0;
    bool as_shipped = true;
  };
  const TableKey volta_pairs{"xavier"}, pascal_pairs{"tx2"}, turing_pairs{"pegasus44"};
  const TableKey volta_load{"xavier", 7}, volta_warps{"xavier", 7, false};
  const TableKey turing_load{"pegasus44", 43}, turing_warps{"pegasus44", 43, false};
  const TableKey examples{"examples"};
  RunSet<TableKey> runs;
  for (const TableKey& key : {volta_pairs, pascal_pairs, turing_pairs, volta_load, turing_load}) {
    runs.add(key, table_run(key.gpu, placement, key.occupied));
  }
  runs.add(volta_warps, table_run("xavier", placement, 7, {{"sm.blocks", "64"}}));
  runs.add(turing_warps, table_run("pegasus44", placement, 43, {{"sm.blocks", "32"}}));
  runs.add(examples, Examples(placement).run());
  runs.run(options.jobs());
  const auto table = [&](const TableKey& key) { return read_pairs(launch_outcomes(runs.result(key))); };

  ExperimentReport report{"cuda-hierarchy"};
  const Marks volta = add_pairs(report, "table II, mw 64 (xavier)", 64, table(volta_pairs));
  const Marks pascal = add_pairs(report, "table II, mw 64 (tx2)", 64, table(pascal_pairs));
  const Marks turing = add_pairs(report, "table III, mw 32 (pegasus44)", 32, table(turing_pairs));
  report.text = "One block of x warps (rows), then one of y warps (columns), on an idle GPU: o same SM, . another SM\n";
  report.text += "\ntable II, mw 64 (xavier; tx2 " + std::string(pascal == volta ? "the same" : "differs") + ")\n" +
                 picture(volta) + "\ntable III, mw 32 (pegasus44)\n" + picture(turing);
  const auto config = [&](const TableKey& key) -> const GpuConfig& { return runs.request(key).config; };
  add_load_balance(report, 64, config(volta_warps), table(volta_warps), table(volta_load),
                   config(volta_load).sm.blocks);
  add_load_balance(report, 32, config(turing_warps), table(turing_warps), table(turing_load),
                   config(turing_load).sm.blocks);
  Examples::add_figures(report, launch_outcomes(runs.result(examples)));
  add_properties(report, placement);
  return report;
}

GPUTLM_REGISTER { add_experiment("cuda-hierarchy/block-to-sm", block_to_sm); }

}  // namespace
}  // namespace gputlm

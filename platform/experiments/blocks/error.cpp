/// How far the SM that runs blocks (docs/blocks.md) is off the one that runs warps: turnaround times of the pairs of
/// srtf/workloads and of random mixes, and the figures of the papers that are about placement and order of blocks.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/kernel/random.h"
#include "platform/experiments/srtf/srtf.h"
#include "platform/experiments/srtf/table.h"
#include "platform/files/atomic_file.h"
#include "platform/lab/experiment.h"
#include "platform/lab/matrix.h"
#include "platform/lab/metrics.h"
#include "platform/lab/reference.h"
#include "platform/lab/relative_errors.h"

namespace gputlm {
namespace {

constexpr std::uint64_t kMixBlocks = 480;  // of a grid, at most

/// `model`: of SMs that run blocks.
ExperimentOptions on_blocks(ExperimentOptions options, const std::string& model) {
  options.settings.emplace_back("sm.model=" + model);
  options.out.clear();
  return options;
}

struct Pairs {
  RelativeErrors turnaround, alone, stp, antt, strictf;
  bool same_order = true;  ///< of the kernel orders, by STP and by ANTT
};

/// Places of the rows, the best first. Rows that are closer than a hundredth of each other are as good as each other.
bool same_order(const std::vector<double>& warps, const std::vector<double>& blocks) {
  for (std::size_t a = 0; a < warps.size(); ++a) {
    for (std::size_t b = 0; b < warps.size(); ++b) {
      if (warps[a] > warps[b] * 1.01 && blocks[a] < blocks[b]) return false;
    }
  }
  return true;
}

Pairs srtf_pairs(const ExperimentOptions& options, const std::string& model) {
  const std::vector<std::string> orders =
      matrix("srtf/workloads", options.quick).values("work_distributor.kernel_order");
  const auto table_of = [&](SrtfRuns& runs) {
    return run_srtf_table(runs, orders, [](std::size_t) { return kSrtfApart; });
  };
  SrtfRuns warp_runs(srtf_kernels(options), options), block_runs(srtf_kernels(options), on_blocks(options, model));
  const SrtfTable warps = table_of(warp_runs), blocks = table_of(block_runs);
  Pairs pairs;
  for (const std::size_t k : warp_runs.kernels()) {
    pairs.alone.add(ercbench()[k].short_name, static_cast<double>(warp_runs.alone_cycles(k)),
                    static_cast<double>(block_runs.alone_cycles(k)));
  }
  std::vector<double> stp[2], antt[2];
  for (std::size_t row = 0; row < orders.size(); ++row) {
    for (std::size_t w = 0; w < warps.workloads.size(); ++w) {
      const SrtfOutcome &one = warps.rows[row][w], &other = blocks.rows[row][w];
      const std::string name = name_of(warps.workloads[w]) + " " + orders[row];
      for (std::size_t k = 0; k < 2; ++k) {
        pairs.turnaround.add(name + ", " + ercbench()[warps.workloads[w][k]].short_name,
                             static_cast<double>(one.turnaround[k]), static_cast<double>(other.turnaround[k]));
      }
      pairs.stp.add(name, one.stp(), other.stp());
      pairs.antt.add(name, one.antt(), other.antt());
      pairs.strictf.add(name, one.strictf(), other.strictf());
    }
    stp[0].push_back(warps.stp(row)), stp[1].push_back(blocks.stp(row));
    antt[0].push_back(-warps.antt(row)), antt[1].push_back(-blocks.antt(row));
  }
  pairs.same_order = same_order(stp[0], stp[1]) && same_order(antt[0], antt[1]);
  return pairs;
}

/// Two to four kernels in streams of their own, each launched one to three times, at random times.
Run random_mix(std::uint64_t number, const Matrix& matrix, const ExperimentOptions& options) {
  auto draw = [&, place = std::uint64_t{0}](std::uint64_t below) mutable {
    return uniform_below(random_bits(options.seed, hash_name("blocks/error"), number, 0, place++), below);
  };
  const std::vector<std::string> names = matrix.workloads().at(0),
                                 orders = matrix.values("work_distributor.kernel_order");
  const auto streams = static_cast<unsigned>(2 + draw(3));
  Run run{experiment_gpu(matrix.gpu(), {{"work_distributor.kernel_order", orders[draw(orders.size())]}}),
          workload_of_streams(streams)};
  run.keep_blocks = false;
  const Clock clock = Clock::from_mhz(run.config.core_mhz);
  for (unsigned s = 0; s < streams; ++s) {
    const std::size_t kernel = ercbench_index(names[draw(names.size())]);
    const auto code = ercbench_kernel(ercbench()[kernel], options.seed, kMixBlocks, s);
    for (std::uint64_t i = 0, launches = 1 + draw(3); i < launches; ++i)
      launch(run.workload, s, code, clock.edge(draw(200'000)));
  }
  return run;
}

RelativeErrors random_mixes(const ExperimentOptions& options, const std::string& model) {
  const Matrix mixes = matrix("blocks/error", options.quick);
  const unsigned count = mixes.numbers("mixes").at(0);
  Sweep<unsigned> warps, blocks;
  for (unsigned i = 0; i < count; ++i) {
    warps.add(i, random_mix(i, mixes, options));
    blocks.add(i, random_mix(i, mixes, options));
  }
  warps.run(options.jobs());
  blocks.run(on_blocks(options, model).jobs());
  RelativeErrors errors;
  for (unsigned i = 0; i < count; ++i) {
    const RunResult &one = warps.result(i), &other = blocks.result(i);
    std::map<std::uint32_t, double> times;  // by launch: in the order of their ends, which may differ
    for (const KernelRecord& k : other.kernels) times[k.command] = static_cast<double>(k.end - k.arrived);
    for (const KernelRecord& k : one.kernels) {
      errors.add(fmt::format("mix {}, {}, {}", i, warps.request(i).config.work_distributor.kernel_order,
                             warps.request(i).workload.launches[k.command].kernel->name),
                 static_cast<double>(k.end - k.arrived), times.at(k.command));
    }
  }
  return errors;
}

/// The figures of experiments: numbers, and how many of the texts and verdicts are the same.
struct Figures {
  RelativeErrors numbers;
  std::size_t texts = 0, same_texts = 0, verdicts = 0, same_verdicts = 0;
  std::string others;  ///< that differ
};

void add_figures(const Experiment& experiment, const ExperimentOptions& options, const std::string& model,
                 Figures& all) {
  ExperimentOptions on_warps = options;
  on_warps.out.clear();
  const std::vector<Figure> warps = experiment.run(on_warps).figures,
                            blocks = experiment.run(on_blocks(options, model)).figures;
  for (std::size_t i = 0; i < warps.size() && i < blocks.size(); ++i) {
    const std::string name = experiment.name + ", " + warps[i].name;
    if (name.find("ransfer") != std::string::npos) continue;  // on SMs that run warps: error.yaml
    ++all.verdicts;
    all.same_verdicts += warps[i].agrees() == blocks[i].agrees();
    const auto one = warps[i].ours.number(), other = blocks[i].ours.number();
    if (one && other) {
      all.numbers.add(name, *one, *other);
      continue;
    }
    const std::string &a = warps[i].ours.text(), &b = blocks[i].ours.text();
    ++all.texts;
    all.same_texts += a == b;
    if (a != b) all.others += fmt::format("  {}: {} -> {}\n", name, a, b);
  }
}

Figure bounded(const std::string& name, const char* key, double percent) {
  const Quantity aim = reference("blocks").at(key);
  return {name, aim, Quantity::number(percent, 1, " %"), Band::range(0, *aim.number(), 1), ""};
}

ExperimentReport blocks_error(const ExperimentOptions& options, const std::string& model) {
  ExperimentReport report;
  report.text = RelativeErrors::heading();
  std::string csv = "of,what,warps,blocks,error_percent\n";
  const auto list = [&](const std::string& name, const RelativeErrors& errors) {
    report.text += errors.line(name);
    csv += errors.csv(name);
  };
  const Pairs pairs = srtf_pairs(options, model);
  list("srtf, alone", pairs.alone);
  list("srtf, turnaround", pairs.turnaround);
  list("srtf, STP", pairs.stp);
  list("srtf, ANTT", pairs.antt);
  list("srtf, StrictF", pairs.strictf);
  const RelativeErrors mixes = random_mixes(options, model);
  list("random mixes, turnaround", mixes);
  report.figures = {
      bounded("srtf/workloads: mean error of a turnaround", "error.mean", pairs.turnaround.mean()),
      bounded("srtf/workloads: 95th percentile", "error.percentile_95", pairs.turnaround.quantile(0.95)),
      {"srtf/workloads: kernel orders come in the same order, by STP and by ANTT", "yes",
       pairs.same_order ? "yes" : "no", Band::exact(), ""},
      bounded("random mixes: mean error of a turnaround", "error.mean", mixes.mean()),
      bounded("random mixes: 95th percentile", "error.percentile_95", mixes.quantile(0.95)),
  };
  const Matrix mixes_and_papers = matrix("blocks/error", options.quick);
  const std::vector<std::string> about_memory = mixes_and_papers.values("about_memory");
  const auto is_about_memory = [&](const Experiment* e) {
    return std::find(about_memory.begin(), about_memory.end(), e->name) != about_memory.end();
  };
  std::string differ;
  const auto tell = [&](const std::string& name, const Figures& figures) {
    if (!figures.numbers.empty()) list(name + ", figures", figures.numbers);
    differ += fmt::format("{}: {} of {} figures that are no numbers are the same, and {} of {} verdicts\n{}", name,
                          figures.same_texts, figures.texts, figures.same_verdicts, figures.verdicts, figures.others);
  };
  Figures memory;
  for (const std::string& paper : mixes_and_papers.values("papers")) {
    Figures figures;
    for (const Experiment* const experiment : find_experiments(paper))
      add_figures(*experiment, options, model, is_about_memory(experiment) ? memory : figures);
    tell(paper, figures);
    if (figures.numbers.empty()) continue;
    report.figures.push_back(bounded(paper + ": mean error of a figure", "error.mean", figures.numbers.mean()));
    report.figures.push_back(
        bounded(paper + ": 95th percentile", "error.percentile_95", figures.numbers.quantile(0.95)));
  }
  tell("about memory", memory);
  report.text += differ;
  if (!options.out.empty()) write_file(fmt::format("{}/{}-error.csv", options.out, model), csv);
  return report;
}

}  // namespace

GPUTLM_REGISTER {
  experiments().add({{"blocks/error", 801},
                     "SMs that run blocks beside SMs that run warps",
                     [](const ExperimentOptions& options) { return blocks_error(options, "blocks"); }});
  experiments().add({{"blocks/error-requests", 802},
                     "The same, of SMs whose blocks send requests",
                     [](const ExperimentOptions& options) { return blocks_error(options, "blocks_requests"); }});
}

}  // namespace gputlm

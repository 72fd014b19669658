/// The error of the SM that runs blocks (docs/blocks.md) relative to the one that runs warps: turnaround times of the pairs
/// of srtf/workloads and of random mixes, and the papers' figures about placement and order of blocks.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/kernel/random.h"
#include "platform/experiments/srtf/table.h"
#include "platform/lab/experiment.h"
#include "platform/lab/figure.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

constexpr std::uint64_t kMixBlocks = 480;  // maximum number of blocks of a grid

/// `model`: model of SMs that run blocks.
ExperimentOptions on_blocks(ExperimentOptions options, const std::string& model) {
  options.settings.emplace_back("sm.model=" + model);
  return options;
}

struct SweepPairs {
  RelativeErrors turnaround, alone, stp, antt, strictf;
  bool same_order = true;  ///< the kernel orders rank the same by STP and by ANTT
};

/// Indices of the rows, the best first. Rows within a hundredth of each other are equal.
bool same_order(const std::vector<double>& warps, const std::vector<double>& blocks) {
  for (std::size_t a = 0; a < warps.size(); ++a) {
    for (std::size_t b = 0; b < warps.size(); ++b) {
      if (warps[a] > warps[b] * 1.01 && blocks[a] < blocks[b]) return false;
    }
  }
  return true;
}

SweepPairs srtf_pairs(const ExperimentOptions& options, const std::string& model) {
  const std::vector<std::string> orders = plan("srtf/workloads", options).values("work_distributor.kernel_order");
  const auto table_of = [&](SrtfRuns& runs) {
    return run_srtf_table(runs, orders, [](std::size_t) { return kSrtfApart; });
  };
  SrtfRuns warp_runs(srtf_kernels(options), options), block_runs(srtf_kernels(options), on_blocks(options, model));
  const SrtfTable warps = table_of(warp_runs), blocks = table_of(block_runs);
  SweepPairs pairs;
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
Run random_mix(std::uint64_t number, const Study& mixes, const ExperimentOptions& options) {
  auto draw = [&, place = std::uint64_t{0}](std::uint64_t below) mutable {
    return uniform_below(random_bits(options.seed, hash_name("blocks/error"), number, 0, place++), below);
  };
  const std::vector<std::string> names = mixes.values("kernels"),
                                 orders = mixes.values("work_distributor.kernel_order");
  const auto streams = static_cast<unsigned>(2 + draw(3));
  Run run{mixes.config_with({{"work_distributor.kernel_order", orders[draw(orders.size())]}}),
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
  const Study mixes = plan("blocks/error", options);
  const unsigned count = mixes.number("mixes");
  RunSet<unsigned> warps, blocks;
  for (unsigned i = 0; i < count; ++i) {
    warps.add(i, random_mix(i, mixes, options));
    blocks.add(i, random_mix(i, mixes, options));
  }
  warps.run(options.jobs());
  blocks.run(on_blocks(options, model).jobs());
  RelativeErrors errors;
  for (unsigned i = 0; i < count; ++i) {
    const RunResult &one = warps.result(i), &other = blocks.result(i);
    std::map<std::uint32_t, double> times;  // by launch, since the order of their ends may differ
    for (const KernelRecord& k : other.kernels) times[k.command] = static_cast<double>(k.end - k.arrived);
    for (const KernelRecord& k : one.kernels) {
      errors.add(fmt::format("mix {}, {}, {}", i, warps.request(i).config.work_distributor.kernel_order,
                             warps.request(i).workload.launches[k.command].kernel->name),
                 static_cast<double>(k.end - k.arrived), times.at(k.command));
    }
  }
  return errors;
}

/// The figures of experiments: numbers, and how many of the texts and verdicts agree.
struct SameFigures {
  RelativeErrors numbers;
  std::size_t texts = 0, same_texts = 0, verdicts = 0, same_verdicts = 0;
  std::string others;  ///< names of the figures that differ
};

void add_figures(const Experiment& experiment, const ExperimentOptions& options, const std::string& model,
                 SameFigures& all) {
  const std::vector<Figure> warps = experiment.run(options).figures,
                            blocks = experiment.run(on_blocks(options, model)).figures;
  for (std::size_t i = 0; i < warps.size() && i < blocks.size(); ++i) {
    const std::string name = experiment.name + ", " + warps[i].name;
    if (name.find("ransfer") != std::string::npos) continue;  // runs on SMs that run warps: error.yaml
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

ExperimentReport blocks_error(const ExperimentOptions& options, const std::string& model) {
  ExperimentReport report{"blocks"};
  Table summary = RelativeErrors::summary(), details = RelativeErrors::details();
  Table same({{"figures"},
              {"texts", "", "Figures that are no numbers"},
              {"same_texts", "", "Those that are the same"},
              {"verdicts"},
              {"same_verdicts"}});
  const auto list = [&](const std::string& name, const RelativeErrors& errors) {
    errors.add_to(summary, details, name);
  };
  const auto bounded = [&](const std::string& name, const std::string& key, double percent) {
    report.equal(name, key, Quantity::number(percent, 1, " %"));
    report.figures.back().band = Band::range(0, reference("blocks").number(key), 1);
  };
  const auto mean_and_tail = [&](const std::string& of, const char* what, const RelativeErrors& errors) {
    bounded(of + ": mean error of a " + what, "error.mean", errors.mean());
    bounded(of + ": 95th percentile", "error.percentile_95", errors.quantile(0.95));
  };
  const SweepPairs pairs = srtf_pairs(options, model);
  list("srtf, alone", pairs.alone);
  list("srtf, turnaround", pairs.turnaround);
  list("srtf, STP", pairs.stp);
  list("srtf, ANTT", pairs.antt);
  list("srtf, StrictF", pairs.strictf);
  const RelativeErrors mixes = random_mixes(options, model);
  list("random mixes, turnaround", mixes);
  mean_and_tail("srtf/workloads", "turnaround", pairs.turnaround);
  report.figures.push_back(exact_figure("srtf/workloads: kernel orders come in the same order, by STP and by ANTT",
                                        "yes", pairs.same_order ? "yes" : "no"));
  mean_and_tail("random mixes", "turnaround", mixes);
  const Study papers = plan("blocks/error", options);
  const std::vector<std::string> about_memory = papers.values("about_memory");
  const auto tell = [&](const std::string& name, const SameFigures& figures) {
    if (!figures.numbers.empty()) list(name + ", figures", figures.numbers);
    same.add({name, figures.texts, figures.same_texts, figures.verdicts, figures.same_verdicts});
    report.text += figures.others;
  };
  SameFigures memory;
  for (const std::string& paper : papers.values("papers")) {
    SameFigures figures;
    for (const Experiment* const experiment : find_experiments(paper)) {
      const bool is_about_memory =
          std::find(about_memory.begin(), about_memory.end(), experiment->name) != about_memory.end();
      add_figures(*experiment, options, model, is_about_memory ? memory : figures);
    }
    tell(paper, figures);
    if (!figures.numbers.empty()) mean_and_tail(paper, "figure", figures.numbers);
  }
  tell("about memory", memory);
  if (!report.text.empty()) report.text = "Figures that are no numbers and differ:\n" + report.text;
  report.tables = {{"Errors in per cent", summary, "summary"},
                   {"Figures that are no numbers, and verdicts", same, "figures"},
                   {"", details}};
  return report;
}

GPUTLM_REGISTER {
  add_experiment("blocks/error", [](const ExperimentOptions& options) { return blocks_error(options, "blocks"); },
                 {"papers", "about_memory", "mixes", "kernels"});
  add_experiment("blocks/error-requests",
                 [](const ExperimentOptions& options) { return blocks_error(options, "blocks_requests"); });
}

}  // namespace
}  // namespace gputlm

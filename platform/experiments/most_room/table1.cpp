#include "platform/experiments/most_room/table1.h"

#include <algorithm>

#include "models/mmu/core.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

constexpr std::uint32_t kIsolating = 33, kColocating = 32;  // threads of a block of B

enum class Table1Case : std::uint8_t {
  kSerialA,
  kSerialB33,
  kSerialB32,
  kIsolated,
  kColocated,
  kSpilled,  ///< isolated, with more blocks of B
  kSwapped,  ///< colocated, B first
};

std::vector<Table1Case> table1_cases(Table1Kind kind, const Table1Shapes& shapes) {
  std::vector<Table1Case> cases{Table1Case::kSerialA, Table1Case::kSerialB33, Table1Case::kSerialB32,
                                Table1Case::kIsolated, Table1Case::kColocated};
  if (kind == Table1Kind::kL1 && shapes.b_spilling > 0) cases.push_back(Table1Case::kSpilled);
  if (kind == Table1Kind::kCompute) cases.push_back(Table1Case::kSwapped);
  return cases;
}

Run table1_run(const GpuConfig& gpu, const Table1Shapes& shapes, Table1Kind kind, Table1Case which, unsigned scale) {
  Run run{gpu, workload_of_streams(2)};
  const auto add = [&](StreamId stream, const Table1Kernel& kernel, Femtoseconds release) {
    launch(run.workload, stream, table1_kernel(kind, kernel, gpu, shapes.a_threads / kWarpSize, scale), release);
    if (auto managed = table1_managed(kind, kernel, scale)) run.workload.managed.push_back(std::move(*managed));
  };
  const bool with_a = which != Table1Case::kSerialB33 && which != Table1Case::kSerialB32;
  const bool with_b = which != Table1Case::kSerialA;
  const bool colocated =
      which == Table1Case::kSerialB32 || which == Table1Case::kColocated || which == Table1Case::kSwapped;
  constexpr Femtoseconds kBehind = kMicrosecond / 10;  // the other kernel, whose blocks take a cycle each to place
  if (with_a) add(0, {false, gpu.sms - 1, shapes.a_threads}, which == Table1Case::kSwapped ? kBehind : 0);
  if (with_b) {
    const std::uint32_t blocks = which == Table1Case::kSpilled ? shapes.b_spilling : shapes.b_blocks;
    const bool second = with_a && which != Table1Case::kSwapped;
    add(1, {true, blocks, colocated ? kColocating : kIsolating}, second ? kBehind : 0);
  }
  return run;
}

double time_of(const LaunchOutcome& outcome) { return static_cast<double>(outcome.time()); }

double hits_of(const LaunchOutcome& outcome) {
  return ratio(static_cast<double>(outcome.l1_sector_hits),
               static_cast<double>(outcome.l1_sector_hits + outcome.l1_sector_misses));
}

/// Of A and B beside each other, over the serial case.
Table1Times factors(const std::vector<LaunchOutcome>& outcomes, double serial_a, double serial_b) {
  const Cycle begin = std::min(outcomes[0].first_block, outcomes[1].first_block);
  const Cycle end = std::max(outcomes[0].end, outcomes[1].end);
  return {time_of(outcomes[0]) / serial_a, time_of(outcomes[1]) / serial_b,
          static_cast<double>(end - begin) / (serial_a + serial_b)};
}

}  // namespace

Table1Runs::Table1Runs(const Plan& plan, Table1Shapes shapes, const ExperimentOptions& options)
    : kinds_(plan.values("kind")), scales_(plan.numbers("scale")), gpu_(plan.gpu()) {
  Sweep<std::tuple<std::string, Table1Case, unsigned>> sweep;
  for (const std::string& kind : kinds_) {
    const GpuConfig gpu = experiment_gpu(gpu_, table1_settings(table1_kind(kind)));
    mhz_ = gpu.core_mhz;
    for (const unsigned scale : scales_) {
      for (const Table1Case which : table1_cases(table1_kind(kind), shapes)) {
        sweep.add({kind, which, scale}, table1_run(gpu, shapes, table1_kind(kind), which, scale));
      }
    }
  }
  sweep.run(options.jobs());
  for (const std::string& kind : kinds_) {
    for (const unsigned scale : scales_) {
      const auto outcomes = [&](Table1Case which) { return launch_outcomes(sweep.result({kind, which, scale})); };
      const auto a = outcomes(Table1Case::kSerialA), b33 = outcomes(Table1Case::kSerialB33),
                 b32 = outcomes(Table1Case::kSerialB32);
      Table1Row& row = rows_[{kind, scale}];
      row.isolated_launches = outcomes(Table1Case::kIsolated);
      row.colocated_launches = outcomes(Table1Case::kColocated);
      row.serial = {time_of(a[0]), time_of(b33[0]), time_of(a[0]) + time_of(b33[0])};
      row.isolated = factors(row.isolated_launches, row.serial.a, row.serial.b);
      row.colocated = factors(row.colocated_launches, row.serial.a, time_of(b32[0]));
      row.b32_over_b33 = time_of(b32[0]) / row.serial.b;
      if (sweep.has({kind, Table1Case::kSpilled, scale})) {
        row.spilled_launches = outcomes(Table1Case::kSpilled);
        row.spilled = factors(row.spilled_launches, row.serial.a, row.serial.b);
      }
      if (sweep.has({kind, Table1Case::kSwapped, scale})) {
        row.swapped = factors(outcomes(Table1Case::kSwapped), row.serial.a, time_of(b32[0]));
      }
      for (const ManagedAllocation& pages : sweep.request({kind, Table1Case::kSerialA, scale}).workload.managed) {
        const RunResult& result = sweep.result({kind, Table1Case::kSerialA, scale});
        row.faults_a_page = ratio(static_cast<double>(result.units.total<MmuStatistics>().faults.handled),
                                  static_cast<double>(pages.bytes / kPageApart));
      }
      row.hit_rate = {hits_of(a[0]), hits_of(b33[0])};
    }
  }
}

std::array<std::pair<double, double>, 3> over_a_alone(const Table1Row& row) {
  const double b = row.serial.b / row.serial.a;
  return {{{1, b}, {row.isolated.a, row.isolated.b * b}, {row.colocated.a, row.colocated.b * row.b32_over_b33 * b}}};
}

double Table1Runs::spread(const std::string& kind) const {
  double most = 1;
  const Table1Row& judged = row(kind);
  for (const unsigned scale : scales_) {
    const Table1Row& other = row(kind, scale);
    for (const auto& [x, y] : {std::pair{judged.isolated, other.isolated}, {judged.colocated, other.colocated}}) {
      for (const double quotient : {x.a / y.a, x.b / y.b, x.total / y.total}) {
        most = std::max({most, quotient, 1 / quotient});
      }
    }
  }
  return most;
}

ReportTable Table1Runs::times() const {
  Table table({{"kernels"},
               {"scale", "", "Length of the kernels"},
               {"run"},
               {"a_ms", "ms", "Time of A", "A", 4},
               {"b_ms", "ms", "Time of B", "B", 4},
               {"total_ms", "ms", "Time of both", "total", 4},
               {"a", "", "Time of A over that alone", "A over serial", 2},
               {"b", "", "Time of B over that alone with as many threads a block", "B over serial", 2},
               {"total", "", "Time of both over that one after the other", "total over serial", 2}});
  for (const std::string& kind : kinds_) {
    for (const unsigned scale : scales_) {
      const Table1Row& r = row(kind, scale);
      const auto add = [&](const char* run, const std::optional<Table1Times>& times, double b_alone) {
        if (!times) return;
        const double ms = mhz_ * 1000;
        table.add({kind, scale, run, times->a * r.serial.a / ms, times->b * b_alone / ms,
                   times->total * r.serial.total / ms, times->a, times->b, times->total});
      };
      add("serial", Table1Times{1, 1, 1}, r.serial.b);
      add("isolated", r.isolated, r.serial.b);
      add("colocated", r.colocated, r.serial.b * r.b32_over_b33);
      add("a block of B too many for the empty SM", r.spilled, r.serial.b);
      add("colocated, B launched first", r.swapped, r.serial.b * r.b32_over_b33);
    }
  }
  return {"Kernel A: a block for all SMs of " + gpu_ +
              " but one. Kernel B comes next, with blocks of 33 threads (isolated) or 32 (colocated)",
          std::move(table)};
}

}  // namespace gputlm

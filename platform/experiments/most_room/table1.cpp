#include "platform/experiments/most_room/table1.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

constexpr std::uint32_t kIsolating = 33, kColocating = 32;  // threads of a block of B

enum class Table1Case : std::uint8_t { kSerialA, kSerialB33, kSerialB32, kIsolated, kColocated };
constexpr std::array<Table1Case, 5> kTable1Cases{Table1Case::kSerialA, Table1Case::kSerialB33, Table1Case::kSerialB32,
                                                 Table1Case::kIsolated, Table1Case::kColocated};

Run table1_run(const GpuConfig& gpu, const Table1Shapes& shapes, Table1Kind kind, Table1Case which, unsigned scale) {
  Run run{gpu, workload_of_streams(2)};
  const auto add = [&](StreamId stream, const Table1Kernel& kernel, Femtoseconds release) {
    launch(run.workload, stream, table1_kernel(kind, kernel, gpu, shapes.a_threads / kWarpSize, scale), release);
    if (auto managed = table1_managed(kind, kernel, scale)) run.workload.managed.push_back(std::move(*managed));
  };
  const bool with_a = which != Table1Case::kSerialB33 && which != Table1Case::kSerialB32;
  const bool colocated = which == Table1Case::kSerialB32 || which == Table1Case::kColocated;
  if (with_a) add(0, {false, gpu.sms - 1, shapes.a_threads}, 0);
  if (which == Table1Case::kSerialA) return run;
  // After A, whose blocks take a cycle each to place.
  add(1, {true, shapes.b_blocks, colocated ? kColocating : kIsolating}, with_a ? kMicrosecond / 10 : 0);
  return run;
}

double time_of(const LaunchOutcome& outcome) { return static_cast<double>(outcome.time()); }

double hits_of(const LaunchOutcome& outcome) {
  return ratio(static_cast<double>(outcome.l1_sector_hits),
               static_cast<double>(outcome.l1_sector_hits + outcome.l1_sector_misses));
}

/// Of A and B beside each other, over the serial case.
Table1Times factors(const std::vector<LaunchOutcome>& outcomes, double serial_a, double serial_b) {
  const Cycle end = std::max(outcomes[0].end, outcomes[1].end);
  return {time_of(outcomes[0]) / serial_a, time_of(outcomes[1]) / serial_b,
          static_cast<double>(end - outcomes[0].first_block) / (serial_a + serial_b)};
}

}  // namespace

Table1Runs::Table1Runs(const Matrix& matrix, Table1Shapes shapes, const ParameterSettings& settings,
                       const ExperimentOptions& options)
    : kinds_(matrix.values("kind")), scales_(matrix.numbers("scale")) {
  Sweep<std::tuple<std::string, Table1Case, unsigned>> sweep;
  for (const std::string& kind : kinds_) {
    ParameterSettings all = table1_settings(table1_kind(kind));
    all.insert(all.end(), settings.begin(), settings.end());
    const GpuConfig gpu = experiment_gpu(matrix.gpu(), all);
    mhz_ = gpu.core_mhz;
    for (const unsigned scale : scales_) {
      for (const Table1Case which : kTable1Cases) {
        sweep.add({kind, which, scale}, table1_run(gpu, shapes, table1_kind(kind), which, scale));
      }
    }
  }
  sweep.run(options.jobs());
  for (const std::string& kind : kinds_) {
    for (const unsigned scale : scales_) {
      const auto outcomes = [&](Table1Case which) { return launch_outcomes(sweep.result({kind, which, scale})); };
      const auto a = outcomes(Table1Case::kSerialA), b33 = outcomes(Table1Case::kSerialB33),
                 b32 = outcomes(Table1Case::kSerialB32), isolated = outcomes(Table1Case::kIsolated),
                 colocated = outcomes(Table1Case::kColocated);
      Table1Row& row = rows_[{kind, scale}];
      row.serial = {time_of(a[0]), time_of(b33[0]), time_of(a[0]) + time_of(b33[0])};
      row.isolated = factors(isolated, row.serial.a, row.serial.b);
      row.colocated = factors(colocated, row.serial.a, time_of(b32[0]));
      row.b32_over_b33 = time_of(b32[0]) / row.serial.b;
      row.isolated_on = list_text(isolated[1].sms());
      row.colocated_on = list_text(colocated[1].sms());
      for (const ManagedAllocation& pages : sweep.request({kind, Table1Case::kSerialA, scale}).workload.managed) {
        const RunResult& result = sweep.result({kind, Table1Case::kSerialA, scale});
        row.faults_a_page = ratio(static_cast<double>(result.translation.mmu.faults.handled),
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

std::string Table1Runs::text() const {
  std::string text = fmt::format("{:<28} {:>5}  {:>9} {:>9} {:>9}  {:>6} {:>6} {:>6}  {:>6} {:>6} {:>6}\n", "", "",
                                 "serial", "", "", "isolated", "", "", "colocated", "", "");
  text += fmt::format("{:<28} {:>5}  {:>9} {:>9} {:>9}  {:>6} {:>6} {:>6}  {:>6} {:>6} {:>6}\n", "kernels", "scale",
                      "A [ms]", "B [ms]", "total", "A", "B", "total", "A", "B", "total");
  for (const std::string& kind : kinds_) {
    for (const unsigned scale : scales_) {
      const Table1Row& r = row(kind, scale);
      const double ms = mhz_ * 1000;
      text += fmt::format(
          "{:<28} {:>5}  {:>9.4f} {:>9.4f} {:>9.4f}  {:>6.2f} {:>6.2f} {:>6.2f}  {:>6.2f} {:>6.2f} {:>6.2f}\n", kind,
          scale, r.serial.a / ms, r.serial.b / ms, r.serial.total / ms, r.isolated.a, r.isolated.b, r.isolated.total,
          r.colocated.a, r.colocated.b, r.colocated.total);
    }
  }
  return text;
}

}  // namespace gputlm

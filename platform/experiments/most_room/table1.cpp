#include "platform/experiments/most_room/table1.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "models/kernel/program_kernel.h"
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
  constexpr Femtoseconds kBehind = kMicrosecond / 10;  // the other kernel's blocks take a cycle each to place
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

/// Times of A and B side by side, relative to the serial case.
Table1Times factors(const std::vector<LaunchOutcome>& outcomes, double serial_a, double serial_b) {
  const Cycle begin = std::min(outcomes[0].first_block, outcomes[1].first_block);
  const Cycle end = std::max(outcomes[0].end, outcomes[1].end);
  return {time_of(outcomes[0]) / serial_a, time_of(outcomes[1]) / serial_b,
          static_cast<double>(end - begin) / (serial_a + serial_b)};
}

constexpr std::array<const char*, 4> kTable1Kinds{"L1-cache-dependent", "compute-intensive", "memory-intensive",
                                                  "transfer-bandwidth-dependent"};

constexpr std::int64_t kTableLine = 128;

/// "Each thread in a block repeatedly access[es] texture memory", "highly cacheable but vulnerable to replacement": every
/// warp chases pointers in a table of its own. The tables of A's 16 warps just fill the L1, and so do those of B's eight
/// blocks on one SM. After ten sweeps the next tables follow, so that the hit rate is 90 % for any length of the kernel.
std::vector<ProgramElement> l1_body(const GpuConfig& gpu, std::uint32_t a_warps, std::uint32_t scale,
                                    std::vector<AddressPattern>& patterns, Address data) {
  constexpr std::uint32_t kSweeps = 10;
  constexpr unsigned kOperations = 5;  // fitted: B over A, serial (see above)
  const auto lines = static_cast<std::uint32_t>(gpu.sm.l1.bytes / kTableLine / a_warps);
  std::vector<ProgramElement> body;
  for (std::uint32_t i = 0; i < scale; ++i) {
    const std::string tables = "tables" + std::to_string(i);
    patterns.push_back({tables, data + (Bytes{i} << 28), ReusePattern{Bytes{lines} * kTableLine, true, 0}});
    std::vector<ProgramElement> chase{load(tables, 4, 4, {4})};  // register 4 is address and result
    for (unsigned n = 0; n < kOperations; ++n) chase.push_back(instruction(Pipe::kFp32, 4, {4, 5}));
    body.push_back(loop(kSweeps * lines, std::move(chase)));
  }
  return body;
}

/// "Repeated floating point operations" and no memory accesses: a chain of multiply-adds with a few integer operations, and
/// the loop's counter, comparison and branch. One warp waits for itself; the four warps of A on a sub-core keep the pipe
/// busy.
std::vector<ProgramElement> compute_body(std::uint32_t scale) {
  constexpr std::uint32_t kFloat = 6, kInteger = 4;  // fitted: B over A, serial
  std::vector<ProgramElement> body;
  for (std::uint32_t n = 0; n < kFloat; ++n) body.push_back(instruction(Pipe::kFp32, 1, {1}));
  for (std::uint32_t n = 0; n < kInteger; ++n) body.push_back(instruction(Pipe::kInt, 1, {1}));
  for (const Pipe pipe : {Pipe::kInt, Pipe::kInt}) body.push_back(instruction(pipe, 10, {10}));
  body.push_back(instruction(Pipe::kControl, std::nullopt, {10}));
  return {loop(300 * scale, std::move(body))};
}

/// Writes of four bytes, spaced so that no two threads share a sector and none writes to a place twice, each after the
/// calculation of its index.
std::vector<ProgramElement> memory_body(std::uint32_t scale, std::vector<AddressPattern>& patterns, Address data) {
  constexpr std::int64_t kApart = 256;
  constexpr std::uint32_t kOperations = 15;  // fitted: B over A, serial
  patterns.push_back({"array", data, StridedPattern{kApart, 0}});
  std::vector<ProgramElement> body{store("array", 4, {10})};
  for (std::uint32_t n = 0; n < kOperations; ++n) body.push_back(instruction(Pipe::kInt, 10, {10}));
  return {loop(8 * scale, std::move(body))};
}

/// "The threads within a block target addresses nearby each other, but threads from different blocks target addresses that
/// are distant", in memory on the host: every access of a block is to another page, 2 MiB from the previous one.
constexpr std::uint32_t kPages = 8;  // per block, times the scale

std::vector<ProgramElement> transfer_body(std::uint32_t scale, std::vector<AddressPattern>& patterns, Address data) {
  AffinePattern pages;
  pages.lane_stride = 4;
  pages.warp_stride = kTableLine;
  pages.iteration_stride = static_cast<std::int64_t>(kPageApart);
  pages.block_stride = pages.iteration_stride * kPages * scale;
  patterns.push_back({"pages", data, pages});
  return {loop(kPages * scale, {load("pages", 4, 4, {4})})};  // register 4 is address and result
}

/// Data of A and of B, far apart.
Address data_of(const Table1Kernel& kernel) { return kernel.is_b ? 0x1000'0000'0000 : 0x2000'0000'0000; }

}  // namespace

Table1Runs::Table1Runs(const Study& plan, Table1Shapes shapes, const ExperimentOptions& options)
    : kinds_(plan.values("kind")), scales_(plan.numbers("scale")), gpu_(plan.gpu()) {
  RunSet<std::tuple<std::string, Table1Case, unsigned>> runs;
  for (const std::string& kind : kinds_) {
    const GpuConfig gpu = experiment_gpu(gpu_, table1_settings(table1_kind(kind)));
    mhz_ = gpu.core_mhz;
    for (const unsigned scale : scales_) {
      for (const Table1Case which : table1_cases(table1_kind(kind), shapes)) {
        runs.add({kind, which, scale}, table1_run(gpu, shapes, table1_kind(kind), which, scale));
      }
    }
  }
  runs.run(options.jobs());
  for (const std::string& kind : kinds_) {
    for (const unsigned scale : scales_) {
      const auto outcomes = [&](Table1Case which) { return launch_outcomes(runs.result({kind, which, scale})); };
      const auto a = outcomes(Table1Case::kSerialA), b33 = outcomes(Table1Case::kSerialB33),
                 b32 = outcomes(Table1Case::kSerialB32);
      Table1Row& row = rows_[{kind, scale}];
      row.isolated_launches = outcomes(Table1Case::kIsolated);
      row.colocated_launches = outcomes(Table1Case::kColocated);
      row.serial = {time_of(a[0]), time_of(b33[0]), time_of(a[0]) + time_of(b33[0])};
      row.isolated = factors(row.isolated_launches, row.serial.a, row.serial.b);
      row.colocated = factors(row.colocated_launches, row.serial.a, time_of(b32[0]));
      row.b32_over_b33 = time_of(b32[0]) / row.serial.b;
      if (runs.has({kind, Table1Case::kSpilled, scale})) {
        row.spilled_launches = outcomes(Table1Case::kSpilled);
        row.spilled = factors(row.spilled_launches, row.serial.a, row.serial.b);
      }
      if (runs.has({kind, Table1Case::kSwapped, scale})) {
        row.swapped = factors(outcomes(Table1Case::kSwapped), row.serial.a, time_of(b32[0]));
      }
      for (const ManagedAllocation& pages : runs.request({kind, Table1Case::kSerialA, scale}).workload.managed) {
        const RunResult& result = runs.result({kind, Table1Case::kSerialA, scale});
        const Bytes count = pages.bytes / kPageApart;
        row.faults_a_page =
            ratio(static_cast<double>(result.units.total<MmuStatistics>().faults.handled), static_cast<double>(count));
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

Table1Kind table1_kind(const std::string& name) {
  for (std::size_t i = 0; i < kTable1Kinds.size(); ++i) {
    if (name == kTable1Kinds[i]) return static_cast<Table1Kind>(i);
  }
  throw std::logic_error("no kind of kernels of table 1 is named " + name);
}

std::shared_ptr<Kernel> table1_kernel(Table1Kind kind, const Table1Kernel& kernel, const GpuConfig& gpu,
                                      std::uint32_t a_warps, std::uint32_t scale) {
  const Address data = data_of(kernel);
  ProgramSpec spec;
  spec.name = kernel.is_b ? "B" : "A";
  spec.grid = {kernel.blocks};
  spec.block = {kernel.threads};
  switch (kind) {
    case Table1Kind::kL1: spec.body = l1_body(gpu, a_warps, scale, spec.patterns, data); break;
    case Table1Kind::kCompute: spec.body = compute_body(scale); break;
    case Table1Kind::kMemory: spec.body = memory_body(scale, spec.patterns, data); break;
    case Table1Kind::kTransfer: spec.body = transfer_body(scale, spec.patterns, data); break;
  }
  return std::make_shared<ProgramKernel>(spec, 0);
}

std::optional<ManagedAllocation> table1_managed(Table1Kind kind, const Table1Kernel& kernel, std::uint32_t scale) {
  if (kind != Table1Kind::kTransfer) return std::nullopt;
  return ManagedAllocation{kernel.is_b ? "B" : "A", data_of(kernel), kPageApart * kPages * scale * kernel.blocks};
}

ParameterSettings table1_settings(Table1Kind kind) {
  // Section 5.3: "the scheduler's implicit preference for Kernel A (due only to the fact that it was launched first)", and
  // "only a small degradation for both" if the order is swapped: the warps that came first go first. Under loose round-robin,
  // which cuda-hierarchy (section IV) assumes, the order of launches makes no difference.
  ParameterSettings settings{{"sm.warp_scheduler", "gto"}};
  if (kind == Table1Kind::kTransfer) {
    settings.insert(
        settings.end(),
        {{"mmu.enabled", "true"},
         {"mmu.prefetch_bytes", "4096"},  // one page per fault: with the driver's 64 KiB, B over A would be 0.21
         {"mmu.batch_ns", "46500"}});     // fitted: B over A, serial; Zheng et al., HPCA 2016: 20 to 50 us
  }
  return settings;
}

}  // namespace gputlm

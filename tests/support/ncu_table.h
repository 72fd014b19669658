/// Writes a test's counts of Nsight Compute in the form of its command line. It shares no code with the reader of such tables
/// (platform/programs/ncu.cpp).
///
///     NcuTable ncu;
///     ncu.launch("gemm(float *, int)", "(256, 1, 1)", "(432, 1, 1)", {{"gpu__time_duration.sum", "usecond", "12.40"}});
///     ncu.write(path, ncu.long_text());
///
/// The forms are those that tables in public repositories have, found by their header lines:
/// - *long*, `ncu --csv`: microsoft/superbenchmark, tests of gpu-burn and cublaslt (CC 10.0, rows end with a comma where the
///   columns of rules are empty); nsightful, conftest.py (CC 7.5, rows of rules; 1,410,000,000.50 hz). `Kernel Time` stands
///   between name and context up to 2021, block, grid, device and CC from 2022 on.
/// - *wide*, `--page raw`: a line of units below the header, whose first cells are empty.
/// - *summary*, `--print-summary per-kernel` of 2025.3: a launch shape a group, with device and CC; older ones have no shapes.
/// Numbers have commas between thousands; units are scaled (`--print-units auto`), "usecond" up to 2023, "us" from 2024 on.
#pragma once

#include <string>
#include <vector>

namespace gputlm {

class NcuTable {
 public:
  struct Metric {
    std::string name;  ///< name of the metric, or its name on the page
    std::string unit, value;
    std::string section = "Command line profiler metrics";
  };

  /// `block`, `grid`: as the tool has them, "(256, 1, 1)". `times`: launches that a summary has averaged.
  NcuTable& launch(const std::string& kernel, const std::string& block, const std::string& grid,
                   const std::vector<Metric>& metrics, unsigned times = 1);

  std::string long_text() const;
  std::string wide_text() const;
  /// Each launch of launch() stands for `invocations` launches, of which it has the averages.
  std::string summary_text(unsigned invocations, bool shapes) const;

  static void write(const std::string& path, const std::string& text);

 private:
  struct Launch {
    std::string kernel, block, grid;
    std::vector<Metric> metrics;
    unsigned times = 1;
  };
  std::string before() const;
  static std::string after() { return "==PROF== Disconnected from process 4242\n"; }

  std::vector<Launch> launches_;
};

}  // namespace gputlm

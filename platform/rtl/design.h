/// A module of the user's own in SystemVerilog: its files, and what Verilator says of its ports and parameters.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "models/rtl_parameters.h"
#include "tlm/tools/tool.h"

namespace gputlm {

class RtlDesign {
 public:
  /// `path` is the file of the module, TOP.sv or TOP.v, or a list of files and options for Verilator, TOP.f, relative to
  /// the list. TOP is the module. What it instantiates is looked for in the same folder, then among the modules of rtl/. Throws InputError if the file
  /// cannot be read or is of another kind, or if there is no Verilator.
  explicit RtlDesign(const std::string& path);

  struct Port {
    bool input;
    unsigned bits;
  };
  struct Interface {
    std::map<std::string, Port> ports;
    std::vector<std::string> parameters;  ///< that may be set
    std::vector<std::string> files;       ///< all that were read, the list among them
  };
  /// With these values of its parameters. Throws InputError, with what Verilator says, if it cannot be elaborated;
  /// `stop` as for tools::run_tool().
  Interface interface(const RtlParameters& parameters, const std::atomic<bool>& stop = tools::kNeverStopped) const;

  const std::string& top() const { return top_; }
  const std::string& path() const { return path_; }
  /// For Verilator: where the module is, and these values.
  std::vector<std::string> arguments(const RtlParameters& parameters) const;

 private:
  std::string path_, top_;
};

/// Whether the path is one of a design rather than of a shared library.
bool is_rtl(const std::string& path);

/// Runs Verilator in `folder`. Throws InputError with its errors: "FILE:LINE:COLUMN: what".
void run_verilator(const RtlDesign& design, const std::vector<std::string>& arguments, const std::string& folder,
                   const std::atomic<bool>& stop);

}  // namespace gputlm

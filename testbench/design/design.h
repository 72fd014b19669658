/// A module of the user's own in SystemVerilog: its files, and what Verilator says of its ports and parameters.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "testbench/ports/rtl_parameters.h"
#include "tlm/tools/tool.h"

namespace gputlm {

class RtlDesign {
 public:
  /// `path` is the file of the module, TOP.sv or TOP.v, or a list of files and options for Verilator, TOP.f, relative to
  /// the list. TOP is the module. What it instantiates is looked for in the same folder, then among the modules of rtl/.
  /// Throws InputError if the file cannot be read or is of another kind, or if there is no Verilator.
  explicit RtlDesign(const std::string& path);

  struct Port {
    bool input;
    unsigned bits;
  };
  struct Interface {
    std::map<std::string, Port> ports;
    std::vector<std::string> parameters;  ///< that may be set
    RtlParameters values;                 ///< of them, as far as they are whole numbers
    std::vector<std::string> files;       ///< all that were read, the list among them
    std::vector<std::string> arrays;      ///< ports that are packed arrays of several dimensions
  };
  /// With these values of its parameters. Throws InputError, with what Verilator says, if it cannot be elaborated;
  /// `stop` as for tools::run_tool().
  Interface interface(const RtlParameters& parameters, const std::atomic<bool>& stop = tools::kNeverStopped) const;

  /// Parameters that are set whatever the size is, and in the place of their own standard values. Throws InputError for
  /// one that the module does not have.
  void set(const RtlParameters& parameters);
  const RtlParameters& set_parameters() const { return set_; }
  /// A file that Verilator reads with it, such as one of assertions that are bound to it.
  void add_source(const std::string& path) { beside_.push_back(path); }

  /// Verilator elaborates it from this module of the sources on, which gives it its parameters.
  void put_into(const std::string& top) { around_ = top; }

  const std::string& top() const { return top_; }
  const std::string& path() const { return path_; }
  /// For Verilator: where the module is, and these values.
  std::vector<std::string> arguments(const RtlParameters& parameters) const;

 private:
  std::string path_, top_;
  std::string around_;  ///< empty: it is on its own
  RtlParameters set_;
  std::vector<std::string> beside_;
};

/// `given`, and of parameters that are not there the values that the module has.
RtlParameters with_defaults(const RtlDesign::Interface& interface, RtlParameters given);

/// Of texts NAME=NUMBER. Throws InputError for another form, and for a name that is given twice.
RtlParameters parse_parameters(const std::vector<std::string>& texts);

/// Whether the path is one of a design rather than of a shared library.
bool is_rtl(const std::string& path);

/// Runs Verilator in `folder`. Throws InputError with its errors: "FILE:LINE:COLUMN: what".
void run_verilator(const RtlDesign& design, const std::vector<std::string>& arguments, const std::string& folder,
                   const std::atomic<bool>& stop);

}  // namespace gputlm

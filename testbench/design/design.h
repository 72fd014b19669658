/// A user's module in SystemVerilog: its files, and its ports and parameters according to Verilator.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "testbench/ports/rtl_parameters.h"
#include "tlm/base/tools/tool.h"

namespace gputlm {

class RtlDesign {
 public:
  /// `path` is the file of the module, TOP.sv or TOP.v, or a list of files and options for Verilator, TOP.f, with paths
  /// relative to the list. TOP is the module. Modules that it instantiates are searched in the same folder, then in rtl/.
  /// Throws InputError if the file cannot be read or is of another type, or if Verilator is missing.
  explicit RtlDesign(const std::string& path);

  struct Port {
    bool input;
    unsigned bits;
  };
  struct Interface {
    std::map<std::string, Port> ports;
    std::vector<std::string> parameters;  ///< parameters that may be set
    RtlParameters values;                 ///< values of these, if they are whole numbers
    std::vector<std::string> files;       ///< files that were read, including the list
    std::vector<std::string> arrays;      ///< ports that are multidimensional packed arrays
  };
  /// The interface with these parameter values. Throws InputError with Verilator's message if the design cannot be
  /// elaborated; `stop` as for tools::run_tool().
  Interface interface(const RtlParameters& parameters, const std::atomic<bool>& stop = tools::kNeverStopped) const;

  /// Sets parameters independent of the size, overriding their defaults. Throws InputError for one that the module does not
  /// have.
  void set(const RtlParameters& parameters);
  /// Adds a file that Verilator reads with the design, such as one of assertions that are bound to it.
  void add_source(const std::string& path) { beside_.push_back(path); }

  /// Makes `top`, a module of the sources, the top level for Verilator; it sets the design's parameters.
  void put_into(const std::string& top) { around_ = top; }

  const std::string& top() const { return top_; }
  const std::string& path() const { return path_; }
  /// Arguments for Verilator: location of the module, and these values.
  std::vector<std::string> arguments(const RtlParameters& parameters) const;

 private:
  std::string path_, top_;
  std::string around_;  ///< module around the design; empty: none
  RtlParameters set_;
  std::vector<std::string> beside_;
};

/// `given`, completed with the module's own values.
RtlParameters with_defaults(const RtlDesign::Interface& interface, RtlParameters given);

/// Parses texts NAME=NUMBER. Throws InputError for another form, and for a repeated name.
RtlParameters parse_parameters(const std::vector<std::string>& texts);

/// Whether the path is that of a design and not of a shared library.
bool is_rtl(const std::string& path);

/// Runs Verilator in `folder`. Throws InputError with its errors: "FILE:LINE:COLUMN: what".
void run_verilator(const RtlDesign& design, const std::vector<std::string>& arguments, const std::string& folder,
                   const std::atomic<bool>& stop);

}  // namespace gputlm

/// The commands of the program (`gputlm run`, ...): a file each; cli.cpp lists them.
#pragma once

#include <memory>
#include <string>

#include "platform/cli/arguments.h"

namespace gputlm {

class Subcommand {
 public:
  Subcommand() = default;
  Subcommand(const Subcommand&) = delete;
  Subcommand& operator=(const Subcommand&) = delete;
  virtual ~Subcommand() = default;

  virtual std::string name() const = 0;
  virtual std::string description() const = 0;
  /// Called once, before the command line is read; the arguments are members of the command.
  virtual void declare(Arguments& arguments) = 0;
  /// Does it and returns the exit code (cli.h). Throws InputError for anything a user can put right.
  virtual int execute() = 0;
};

/// A workload on a GPU.
std::unique_ptr<Subcommand> make_run_command();
/// An address trace on DRAM controllers alone.
std::unique_ptr<Subcommand> make_mem_command();
/// The papers' experiments.
std::unique_ptr<Subcommand> make_reproduce_command();
/// A user's own GPUs x settings x workloads x seeds.
std::unique_ptr<Subcommand> make_sweep_command();
/// What a block of rtl/ costs in gates.
std::unique_ptr<Subcommand> make_cost_command();
/// What there is to choose from.
std::unique_ptr<Subcommand> make_list_command();

}  // namespace gputlm

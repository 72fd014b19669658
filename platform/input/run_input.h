/// What `gputlm run` takes: a workload, from files of some format. A format is a file that registers itself; how a file is
/// told from others is said there and nowhere else.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "tlm/registry.h"

namespace gputlm {

/// A file that an input has been read from.
struct InputFile {
  std::string name;  ///< without its folder
  Bytes bytes = 0;
  std::string sha1;  ///< of its content; empty of what is no file
};
InputFile input_file(const std::string& path);

struct RunInput {
  Workload workload;
  /// What was assumed about the input, and what of it has no effect: more may come as blocks are read, so it is asked when
  /// the run is over.
  std::function<std::vector<std::string>()> warnings;
  std::string why_sm_model = {};      ///< why the workload's settings choose one; empty if they do not
  std::string format = {};            ///< name of the format it was read by
  std::vector<InputFile> files = {};  ///< those of the command line, unless the format knows better; traces are apart
};

struct RunInputOptions {
  std::uint64_t seed = 1;
  std::multimap<std::string, std::string> own = {};  ///< options of formats that have been given: InputFormat::options
  const GpuConfig* gpu = nullptr;  ///< that it is for, as far as its user has said; null: not known yet
};

/// An option of `gputlm run` that is for one format.
struct FormatOption {
  std::string name;  ///< with its dashes
  std::string help;
  bool file = false;  ///< names a file, and may be given several times
};

struct InputFormat : Registered {
  std::string description;    ///< in a line
  std::string together = {};  ///< how to have such files in a run with those of other formats; empty: not at all
  std::string source = {};    ///< key under which an application of a workload file takes one; empty: none does
  /// By name, or by how the file begins; must not throw. A file is of the first format, by rank, that takes it.
  std::function<bool(const std::string& path)> takes;
  std::vector<FormatOption> options = {};
  /// `paths`: one or more, all of this format, in the order of the command line. Throws InputError with file and line.
  std::function<RunInput(const std::vector<std::string>& paths, const RunInputOptions& options)> load;
};

Registry<InputFormat>& input_formats();
/// Of a file or folder. Throws InputError for one of another tool that is not read.
const InputFormat& input_format(const std::string& path);

/// Throws InputError for whatever is wrong with the files, where they are of different formats, and for an option that
/// their format does not have.
RunInput load_run_input(const std::vector<std::string>& paths, const RunInputOptions& options);

}  // namespace gputlm

/// The input of `gputlm run`: a workload, from files of some format. A format is a file that registers itself and alone knows
/// how to recognise its files.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "tlm/base/field.h"
#include "tlm/base/registry.h"

namespace gputlm {

/// A file that an input was read from.
struct InputFile {
  std::string name;  ///< name without its folder
  Bytes bytes = 0;
  std::string sha1;  ///< SHA-1 of its content; empty for anything but a file
};
InputFile input_file(const std::string& path);

struct RunInput {
  Workload workload;
  /// Assumptions about the input, and settings without effect. Reading blocks may add more, so this is called after the run.
  std::function<std::vector<std::string>()> warnings;
  std::string why_sm_model = {};      ///< why the workload's settings select an SM model; empty if they do not
  std::string format = {};            ///< name of the format
  std::vector<InputFile> files = {};  ///< those of the command line, unless the format knows better; without traces
};

struct RunInputOptions {
  std::uint64_t seed = 1;
  std::multimap<std::string, std::string> own = {};  ///< format-specific options that were given: InputFormat::options
  const GpuConfig* gpu = nullptr;  ///< the GPU that the input is for, as far as the user has said; null: not known yet
};

/// An option of `gputlm run` for one format. Its name has the dashes.
struct FormatOption : Field {
  bool file = false;  ///< names a file and may be repeated
};

struct InputFormat : Registered {
  std::string description;    ///< one line
  std::string together = {};  ///< how to combine such files with those of other formats in a run; empty: not possible
  std::string source = {};    ///< key under which an application of a workload file takes such a file; empty: none
  /// Decides by the name or the beginning of the file; must not throw. A file belongs to the first format, by rank, that
  /// takes it.
  std::function<bool(const std::string& path)> takes;
  std::vector<FormatOption> options = {};
  /// `paths`: one or more, all of this format, in the order of the command line. Throws InputError with file and line.
  std::function<RunInput(const std::vector<std::string>& paths, const RunInputOptions& options)> load;
};

Registry<InputFormat>& input_formats();
/// The format of a file or folder. Throws InputError for a file of another tool that is not supported.
const InputFormat& input_format(const std::string& path);

/// Throws InputError for any error in the files, for files of different formats, and for an option that their format does not
/// have.
RunInput load_run_input(const std::vector<std::string>& paths, const RunInputOptions& options);

}  // namespace gputlm

#include "platform/programs/capture.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

#include "platform/input/durations_file.h"
#include "platform/input/nearest.h"
#include "platform/input/preset.h"
#include "platform/input/run_input.h"
#include "platform/programs/kernel_profile.h"
#include "platform/programs/replay.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

namespace gputlm {

Registry<CaptureFormat>& capture_formats() {
  static Registry<CaptureFormat> registry("format of captures");
  return registry;
}

const CaptureFormat* capture_format(const std::string& path) {
  const auto& all = capture_formats().all();
  const auto found = std::find_if(all.begin(), all.end(), [&](const CaptureFormat& f) { return f.takes(path); });
  return found == all.end() ? nullptr : &*found;
}

std::string capture_descriptions() {
  std::string text;
  for (const CaptureFormat& format : capture_formats()) text += (text.empty() ? "" : "; ") + format.description;
  return text;
}

// `gputlm run CAPTURE...`: replays measured programs.

namespace {

constexpr const char* kReleaseOption = "--release";
constexpr const char* kDeviceOption = "--device";
constexpr const char* kSmsOption = "--sms";
constexpr const char* kJobsOption = "--job-range";
constexpr const char* kProfileOption = "--profile";

const std::string* option(const RunInputOptions& options, const char* name) {
  const auto found = options.own.find(name);
  return found == options.own.end() ? nullptr : &found->second;
}

std::optional<Release> release_of(const RunInputOptions& options) {
  const std::string* const text = option(options, kReleaseOption);
  if (!text) return std::nullopt;
  const std::vector<std::string>& names = release_names();
  const auto found = std::find(names.begin(), names.end(), *text);
  if (found == names.end())
    throw InputError(std::string(kReleaseOption) + ": found '" + shortened(*text) + "'" + suggestion(*text, names));
  return static_cast<Release>(found - names.begin());
}

template <class Number>
std::optional<Number> number_of(const RunInputOptions& options, const char* name, Number least) {
  const std::string* const text = option(options, name);
  if (!text) return std::nullopt;
  const auto number = parse_number<Number>(*text);
  if (!number || *number < least)
    throw InputError(std::string(name) + ": found '" + shortened(*text) + "', allowed: a number from " +
                     std::to_string(least) + " on");
  return number;
}

/// Names of files without folders and extensions; equal names get numbers.
std::vector<std::string> names_of(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    const std::string file = std::filesystem::path(path).filename().string();
    const std::string stem = file.substr(0, file.find('.', 1));
    std::string name = stem;
    for (std::size_t number = 2; std::find(names.begin(), names.end(), name) != names.end(); ++number)
      name = stem + " " + std::to_string(number);
    names.push_back(std::move(name));
  }
  return names;
}

GPUTLM_REGISTER {
  InputFormat format;
  format.name = "capture";
  format.rank = 5;
  format.source = "capture";
  format.description = "measured programs, each an application (docs/traces.md): " + capture_descriptions();
  format.together = "a workload file has both as applications: capture: FILE, trace: FILE";
  format.options = {
      {{kReleaseOption, "",
        "For a capture: when commands enter their streams: when the simulated host calls for them (program), at the "
        "measured call (launch), at the measured start (start), or immediately (none) [program if calls were recorded, "
        "else launch]"}},
      {{kDeviceOption, "", "For a capture: device whose kernels are taken (default: the one with the most)"}},
      {{kSmsOption, "",
        "For a capture: SMs of the part of the GPU that its kernels ran on, if it does not say (green contexts)"}},
      {{kJobsOption, "", "For a capture: each of its ranges of this name (NVTX, user_annotation) is a job"}},
      {{kProfileOption, "",
        "For a capture: demands of its kernels, a table of Nsight Compute (ncu --csv; docs/demands.md); may be "
        "repeated"},
       true}};
  format.takes = [](const std::string& path) { return capture_format(path) != nullptr; };
  format.load = [](const std::vector<std::string>& paths, const RunInputOptions& options) {
    ProgramRun run;
    run.release = release_of(options);
    run.measured_sms = number_of<unsigned>(options, kSmsOption, 1);
    if (const std::string* const jobs = option(options, kJobsOption)) run.jobs = *jobs;
    RunInput input;
    std::vector<KernelProfile> profiles;
    const auto [first, behind] = options.own.equal_range(kProfileOption);
    for (auto profile = first; profile != behind; ++profile) profiles.push_back(read_profile(profile->second));
    std::vector<Program> programs;
    for (const std::string& path : paths) {
      programs.push_back(capture_format(path)->read(path, number_of<std::uint64_t>(options, kDeviceOption, 0)));
      join(programs.back(), profiles);
      input.files.push_back(input_file(path));
    }
    for (const KernelProfile& profile : profiles) input.files.push_back(input_file(profile.path));
    input.workload = replayed(programs, names_of(paths), run, options.gpu ? *options.gpu : load_gpu(kDefaultGpu));
    if (!options.gpu || !options.gpu->mmu.enabled) {
      input.workload.settings.emplace_back("sm.model=blocks");
      input.why_sm_model = kExactForSpins;
    }
    input.warnings = [warnings = input.workload.warnings] { return warnings; };
    return input;
  };
  input_formats().add(std::move(format));
}

}  // namespace

}  // namespace gputlm

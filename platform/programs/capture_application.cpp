/// A captured program as an application of a workload file: `capture: PATH`, relative to the file.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "platform/input/application_source.h"
#include "platform/input/launch_list.h"
#include "platform/input/preset.h"
#include "platform/input/workload_file_forms.h"
#include "platform/programs/capture.h"
#include "platform/programs/kernel_profile.h"
#include "platform/programs/program_selection.h"
#include "platform/programs/replay.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr Microseconds kTime{0, kMaxReleaseUs};

std::string path_of(const YamlNode& node) {
  return (std::filesystem::path(node.file()).parent_path() / node.text()).lexically_normal().string();
}

std::string capture_path(const YamlMap& map) { return path_of(map.at("capture")); }

std::vector<KernelProfile> read_profiles(const YamlMap& map) {
  std::vector<KernelProfile> profiles;
  const auto given = map.find("profile");
  if (!given) return profiles;
  const auto read = [&](const YamlNode& node) {
    profiles.push_back(node.naming([&] { return read_profile(path_of(node)); }));
  };
  if (given->is_scalar()) {
    read(*given);
  } else {
    const auto items = given->items();
    if (items.empty()) given->fail("the list is empty, but at least one file is needed");
    for (const YamlNode& item : items) read(item);
  }
  return profiles;
}

const MapForm& capture_application_form() {
  static const MapForm form = [] {
    using schema::Json;
    const Json launches =
        schema::any_of({schema::whole_number(1, ~std::uint64_t{0}),
                        schema::matching("^[1-9][0-9]*(-[1-9][0-9]*)?(,[1-9][0-9]*(-[1-9][0-9]*)?)*$")});
    return MapForm("captured application")
        .key("name", schema::text(), "Name in results; default: that of the file")
        .with(application_form())
        .key("capture", schema::text(), "Path of a profiler's capture, relative to the file", kRequired)
        .key("profile", schema::any_of({schema::text(), schema::list(schema::text(), 1)}),
             "Demands of its kernels: tables of Nsight Compute (ncu --csv), relative to the file")
        .key("device", schema::whole_number(0, ~std::uint64_t{0}),
             "Device whose kernels are taken; default: the one with the most")
        .key("process", schema::any_of({schema::text(), schema::whole_number(0, ~std::uint64_t{0})}),
             "Name or id of the process to take; default: all")
        .key("from_us", forms::schema_of(kTime),
             "Takes commands from this time on, counted from the first kernel or copy")
        .key("to_us", forms::schema_of(kTime), "Takes commands that begin before this time")
        .key("kernels", schema::any_of({launches, schema::list(launches, 1)}),
             "Kernels to take, numbered by their starts, from 1: 3-9; a copy goes with the kernel that follows it")
        .key("range", schema::text(),
             "Takes commands that were called for in ranges of this name (NVTX, user_annotation)")
        .key("jobs", schema::text(), "Each range of this name is a job of a task of this name")
        .key("release", schema::one_of(release_names()),
             "When commands enter their streams: when the simulated host calls for them (program), at the measured "
             "call (launch), at the measured start (start), or immediately (none); default: program if calls were "
             "recorded, else launch")
        .key("measured_sms", schema::whole_number(1, kMaxSms),
             "SMs of the part of the GPU that its kernels ran on when measured, if the capture does not say")
        .key("priority", schema::signed_number(kMinPriority, kMaxPriority),
             "Priority of all its streams, instead of their own; lower is more urgent")
        .fields<LaunchCommand>({"budget"})
        .with(sourced_jobs_form());
  }();
  return form;
}

ProgramSelection read_selection(const YamlMap& map, LaunchNumbers& numbers) {
  ProgramSelection selection;
  if (const auto process = map.find("process")) selection.process = process->text();
  const auto nanoseconds = [](const YamlNode& node) {
    return static_cast<Nanoseconds>(forms::read(node, kTime) / static_cast<Femtoseconds>(kFemtosecondsOfNs));
  };
  if (const auto from = map.find("from_us")) selection.from = nanoseconds(*from);
  if (const auto to = map.find("to_us")) selection.to = nanoseconds(*to);
  if (const auto range = map.find("range")) selection.range = range->text();
  if (const auto kernels = map.find("kernels")) {
    numbers = LaunchNumbers::read(*kernels);
    selection.kernels = [&numbers](std::size_t number) { return numbers.contains(number); };
  }
  return selection;
}

/// Appends the program to those that earlier applications of the workload replay.
void keep(ReplayedProgram program, Workload& workload) {
  const auto origin = std::make_shared<ReplayOrigin>();
  if (const auto* const earlier = dynamic_cast<const ReplayOrigin*>(workload.origin.get()))
    origin->programs = earlier->programs;
  origin->programs.push_back(std::move(program));
  workload.origin = origin;
}

void read_capture_application(const YamlMap& map, const SourcedApplication& into) {
  const YamlNode node = map.at("capture");
  const std::string path = capture_path(map);
  const CaptureFormat* const format = capture_format(path);
  if (!format) node.fail("'" + path + "' is no capture; allowed are: " + capture_descriptions());
  std::optional<std::uint64_t> device;
  if (const auto given = map.find("device")) device = given->unsigned_number();
  ProgramRun run;
  run.label_prefix = into.label_prefix;
  if (const auto release = map.find("release")) run.release = static_cast<Release>(release->one_of(release_names()));
  if (const auto sms = map.find("measured_sms"))
    run.measured_sms = static_cast<unsigned>(sms->unsigned_number(1, kMaxSms));
  if (const auto priority = map.find("priority"))
    run.priority = static_cast<int>(priority->signed_number(kMinPriority, kMaxPriority));
  if (const auto jobs = map.find("jobs")) run.jobs = jobs->text();
  read_fields(map, run.launch);
  const ApplicationSpec& application = into.workload.applications[into.application];
  SourcedJobs jobs = read_sourced_jobs(map, application, into.seed);
  run.releases = std::move(jobs.releases);
  run.task = std::move(jobs.task);
  run.file = node.file();
  run.line = node.line();
  LaunchNumbers numbers;
  const ProgramSelection selection = read_selection(map, numbers);
  const std::vector<KernelProfile> profiles = read_profiles(map);
  node.naming([&] {
    Program whole = format->read(path, device);
    join(whole, profiles);
    const Program program = selected(whole, selection);
    const std::vector<ApplicationId> all(program.streams.size(), into.application);
    keep(add_program(program, all, run, into.gpu ? *into.gpu : load_gpu(kDefaultGpu), into.workload, into.launches),
         into.workload);
    return 0;
  });
}

GPUTLM_REGISTER {
  ApplicationSource source;
  source.name = "capture";
  source.form_name = "captured application";
  source.form = capture_application_form;
  source.default_name = [](const YamlMap& map) {
    const std::string file = std::filesystem::path(capture_path(map)).filename().string();
    return file.substr(0, file.find('.', 1));
  };
  source.read = read_capture_application;
  application_sources().add(std::move(source));
}

}  // namespace
}  // namespace gputlm

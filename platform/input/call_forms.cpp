#include "platform/input/call_forms.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "models/host/workload.h"
#include "models/kernel/program.h"
#include "platform/input/arrivals_form.h"
#include "platform/input/criticality_form.h"
#include "platform/input/workload_file_memory.h"

namespace gputlm {
namespace {

using schema::Json;
using Within = CallPlace::Within;

constexpr Microseconds kTime{0, kMaxReleaseUs};
constexpr Size kAllocated{1, kMaxAllocated};

Json schema_of_time() { return forms::schema_of(kTime); }

MapForm form_of(CallKind kind) { return MapForm(kCallKeys[static_cast<std::size_t>(kind)]); }

MapForm& with_stream(MapForm& form, const CallPlace& place) {
  if (place.thread) form.key("stream", schema::text(), "Name of a stream of the application", kRequired);
  return form;
}

MapForm& with_phase(MapForm& form) {
  return form.key("phase", schema::whole_number(0, kMaxPhases),
                  "Phase, which starts when all launches of the previous one have ended");
}

/// Commands that are released together, or repeatedly, form a job of a task.
MapForm& with_task(MapForm& form) {
  return form.key("task", schema::text(), "Name of the task of which it is the next job; default: a task of its own");
}

MapForm kernel_form(const CallPlace& place) {
  MapForm form = form_of(CallKind::kKernel).key("kernel", schema::text(), "Name of a kernel", kRequired);
  with_stream(form, place)
      .key("grid", forms::schema_of(kGridShape), "Replaces the kernel's")
      .key("block", forms::schema_of(kBlockShape), "Replaces the kernel's")
      .key("cluster", forms::schema_of(kClusterShape), "Replaces the kernel's")
      .key("label", schema::text(), "Label in results; default: the kernel's name");
  with_phase(form);
  form.key("position", schema::whole_number(0, kMaxPosition),
           "Position among the launches of its phase, which determines their ids; default: that in its list");
  form.fields<LaunchCommand>().with(access_policy_window_key());
  if (place.within == Within::kLoop) {
    form.key("release_us", schema_of_time(), "Not before, from the start of the iteration");
  } else {
    form.with(arrivals_form());
  }
  if (place.within != Within::kJob)
    form.without("beyond_budget", "only a launch of a job may be beyond its budget; here 'wcet_us' makes one");
  if (place.within == Within::kNothing) {
    form.fields<TaskSpec>({"min_interarrival_us", "criticality", "in_hi_mode", "degraded_every"});
    return with_task(form.with(criticality_form()));
  }
  return form.without("deadline_us", place.within == Within::kJob
                                         ? "a command of a job has no deadline of its own; the job may have one"
                                         : "a command of a loop has no deadline");
}

/// The direction of a copy determines which end must be given.
MapForm::Rule ends_of_a_copy() {
  const auto needs = [](const char* key, const char* unless) {
    return Json{{"if", {{"properties", {{"copy", {{"const", unless}}}}}}}, {"else", {{"required", {key}}}}};
  };
  return {[](const YamlMap& map) {
            const std::string kind = map.at("copy").text();
            if (kind != to_string(CopyKind::kHostToDevice)) map.at("from");
            if (kind != to_string(CopyKind::kDeviceToHost)) map.at("to");
            if (kind == to_string(CopyKind::kDeviceToDevice) && map.is_true("pageable"))
              map.at("pageable").fail("a copy within the device has no host memory that could be pageable");
          },
          [needs](Json& schema) {
            schema["allOf"] = {needs("from", to_string(CopyKind::kHostToDevice)),
                               needs("to", to_string(CopyKind::kDeviceToHost)),
                               {{"if", {{"properties", {{"copy", {{"const", to_string(CopyKind::kDeviceToDevice)}}}}}}},
                                {"then", {{"properties", {{"pageable", {{"const", false}}}}}}}}};
          }};
}

MapForm copy_form(const CallPlace& place) {
  MapForm form = form_of(CallKind::kCopy)
                     .key("copy", schema::one_of({"host_to_device", "device_to_host", "device_to_device"}),
                          "Direction of the copy", kRequired);
  with_stream(form, place)
      .key("from", address_or_name(), "Address, or name of an allocation")
      .key("to", address_or_name(), "Address, or name of an allocation")
      .key("bytes", forms::schema_of(kAllocated), "Number of bytes", kRequired)
      .key("label", schema::text(), "Label in results");
  return form.fields<CopyCommand>().rule(ends_of_a_copy());
}

MapForm memset_form(const CallPlace& place) {
  MapForm form = form_of(CallKind::kMemset).key("memset", forms::schema_of(kAllocated), "Number of bytes", kRequired);
  with_stream(form, place)
      .key("to", address_or_name(), "Address, or name of an allocation", kRequired)
      .key("label", schema::text(), "Label in results");
  return form.fields<CopyCommand>()
      .without("pageable", "a memset has no host memory")
      .without("staged", "a memset has no host memory");
}

/// Only the object to synchronize with is named.
MapForm synchronize_form(const CallPlace& place) {
  static const std::vector<std::string> kinds{"stream", "device", "event"};
  MapForm form = form_of(CallKind::kSynchronize)
                     .key("synchronize", schema::one_of(kinds),
                          "Target of the wait: a stream, all streams of the application, or an event", kRequired)
                     .key("event", schema::text(), "Name of an event of the application, with synchronize: event");
  if (place.thread) form.key("stream", schema::text(), "Name of a stream of the application, with synchronize: stream");
  return form.rule({[thread = place.thread](const YamlMap& map) {
                      const std::size_t kind = map.at("synchronize").one_of(kinds);
                      const auto needs = [&](const char* key, bool needed) {
                        const auto given = map.find(key);
                        if (needed) map.at(key);
                        if (!needed && given)
                          given->fail(std::string("'synchronize: ") + kinds[kind] + "' takes no " + key + " here");
                      };
                      if (thread) needs("stream", kind == 0);
                      needs("event", kind == 2);
                    },
                    [thread = place.thread](Json& schema) {
                      const auto only_with = [](const char* key, const char* kind) {
                        return Json{{"if", {{"properties", {{"synchronize", {{"const", kind}}}}}}},
                                    {"then", {{"required", {key}}}},
                                    {"else", {{"not", {{"required", {key}}}}}}};
                      };
                      schema["allOf"].push_back(only_with("event", "event"));
                      if (thread) schema["allOf"].push_back(only_with("stream", "stream"));
                    }});
}

MapForm job_form(const CallPlace& place) {
  const Json commands = schema::list(schema::reference(CallPlace{place.thread, Within::kJob}.name()), 1);
  MapForm form = form_of(CallKind::kJob).key("job", schema::text(), "Name of the task", kRequired);
  with_task(with_phase(form));
  return form.fields<TaskSpec>()
      .key("commands", commands, "Commands that are released together", kRequired)
      .key("when_reached", schema::boolean(),
           "Whether it is released when its thread reaches it, however late; default: false")
      .with(criticality_form())
      .with(arrivals_form());
}

MapForm loop_form(const CallPlace& place) {
  const Json calls = schema::list(schema::reference(CallPlace{place.thread, Within::kLoop}.name()));
  return form_of(CallKind::kLoop)
      .key("loop", calls, "Calls to repeat", kRequired)
      .key("count", schema::whole_number(1, kMaxIterations), "Number of iterations")
      .key("time_us", schema_of_time(), "Time after the start of the first iteration from which on none begins")
      .rule({[](const YamlMap& map) {
               if (!map.find("count") && !map.find("time_us"))
                 map.node().fail("the loop has neither 'count' nor 'time_us', but needs an end");
             },
             [](Json& schema) {
               schema["allOf"] = {schema::any_key({"count", "time_us"})};
             }});
}

MapForm made_form(CallKind kind, const CallPlace& place) {
  MapForm form = form_of(kind);
  switch (kind) {
    case CallKind::kKernel: return kernel_form(place);
    case CallKind::kRecord:
      form.key("record", schema::text(), "Event, reached when everything before it in the stream has ended", kRequired);
      return with_stream(form, place);
    case CallKind::kWait:
      form.key("wait", schema::text(), "Event that the stream waits for", kRequired);
      return with_stream(form, place);
    case CallKind::kHost: return form.key("host_us", schema_of_time(), "Time for which the thread computes", kRequired);
    case CallKind::kSynchronize: return synchronize_form(place);
    case CallKind::kMalloc:
      return form.key("malloc", schema::text(), "Name of device memory", kRequired)
          .key("bytes", forms::schema_of(kAllocated), "Size", kRequired)
          .key("address", address_alone(), "Address; default: a fresh one");
    case CallKind::kFree: return form.key("free", schema::text(), "Name of device memory", kRequired);
    case CallKind::kCopy: return copy_form(place);
    case CallKind::kMemset: return memset_form(place);
    case CallKind::kJob: return job_form(place);
    case CallKind::kWaitUntil:
      return form.key("wait_until_us", schema_of_time(),
                      "Time until which the thread waits, from the start of its application", kRequired);
    case CallKind::kBarrier:
      return form.key("barrier", schema::whole_number(0, kMaxBarrier),
                      "Number of the barrier at which the thread waits for all others that use it", kRequired);
    case CallKind::kLoop: return loop_form(place);
  }
  return form;
}

bool stands_in(CallKind kind, const CallPlace& place) {
  return place.within == Within::kNothing || (kind != CallKind::kJob && kind != CallKind::kLoop);
}

}  // namespace

std::string CallPlace::name() const {
  return std::string(thread ? "call" : "command") + (within == Within::kJob    ? " of a job"
                                                     : within == Within::kLoop ? " of a loop"
                                                                               : "");
}

std::vector<CallPlace> call_places() {
  std::vector<CallPlace> places;
  for (const Within within : {Within::kNothing, Within::kJob, Within::kLoop}) {
    for (const bool thread : {false, true}) places.push_back({thread, within});
  }
  return places;
}

CallKind call_kind(const YamlNode& call) {
  if (call.is_scalar()) return CallKind::kKernel;
  for (const auto& [key, value] : call.entries()) {
    const auto found = std::find(kCallKeys.begin(), kCallKeys.end(), key);
    if (found != kCallKeys.end()) return static_cast<CallKind>(found - kCallKeys.begin());
  }
  call.fail(fmt::format("found none of '{}', but a call has one of them", fmt::join(kCallKeys, "', '")));
}

const MapForm& call_form(CallKind kind, const CallPlace& place) {
  static const std::vector<MapForm> forms = [] {
    std::vector<MapForm> all;
    for (const CallPlace& at : call_places()) {
      for (std::size_t k = 0; k < kCallKeys.size(); ++k) all.push_back(made_form(static_cast<CallKind>(k), at));
    }
    return all;
  }();
  const std::size_t at = static_cast<std::size_t>(place.within) * 2 + place.thread;  // in the order of call_places()
  return forms[at * kCallKeys.size() + static_cast<std::size_t>(kind)];
}

std::vector<const MapForm*> call_forms() {
  std::vector<const MapForm*> all;
  for (std::size_t k = 0; k < kCallKeys.size(); ++k)
    all.push_back(&call_form(static_cast<CallKind>(k), {true, Within::kNothing}));
  return all;
}

Json call_schema(const CallPlace& place) {
  std::vector<Json> forms;
  if (!place.thread) forms.push_back(schema::text());
  for (std::size_t k = 0; k < kCallKeys.size(); ++k) {
    const auto kind = static_cast<CallKind>(k);
    if (stands_in(kind, place)) forms.push_back(call_form(kind, place).schema());
  }
  return schema::any_of(forms);
}

Json launch_schema() { return schema::any_of({schema::text(), call_form(CallKind::kKernel, {}).schema()}); }

Json address_or_name() {
  return schema::any_of(
      {schema::whole_number(0, kMaxAddress), schema::matching("^([0-9]+|0[xX][0-9a-fA-F]+|[^0-9].*)$")});
}

Json address_alone() {
  return schema::any_of({schema::whole_number(0, kMaxAddress), schema::matching("^([0-9]+|0[xX][0-9a-fA-F]+)$")});
}

}  // namespace gputlm

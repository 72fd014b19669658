#include "platform/input/workload_file_forms.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/host/workload.h"
#include "platform/input/application_source.h"
#include "platform/input/arrivals_form.h"
#include "platform/input/call_forms.h"
#include "platform/input/criticality_form.h"
#include "platform/input/instances_form.h"
#include "platform/input/schema.h"
#include "platform/input/task_set.h"
#include "platform/input/workload_file_kernel.h"
#include "platform/input/workload_file_memory.h"

namespace gputlm {

namespace {

using schema::Json;

}  // namespace

const MapForm& file_form() {
  static const MapForm form = [] {
    std::vector<Json> kinds{schema::reference("application")}, sourced;
    for (const ApplicationSource& source : application_sources()) {
      kinds.push_back(schema::reference(source.form_name));
      sourced.push_back(Json{{"required", {source.name}}});
    }
    const Json applications = schema::list(schema::any_of(kinds), 1);
    const Json sources_only{{"applications", {{"items", schema::any_of(sourced)}}}};
    return MapForm("workload")
        .key("settings", schema::named(schema::text()),
             "Parameters of the GPU that the workload sets; --set takes precedence")
        .key("variants", schema::named(Json{{"type", "object"}}),
             "Changes of FILE#NAME, by name; merged into the file (RFC 7396, lists by name)")
        .key("instances", instances_schema(),
             "Instances that the GPU is divided into, by name, as with MIG; `3g` stands for {profile: 3g}")
        .key("managed", schema::named(schema::reference("managed")), "Managed memory, by name")
        .key("kernels", schema::named(schema::reference("kernel")), "Kernels, by name")
        .key("applications", applications, "Programs that launch kernels and copies; required unless there are tasks")
        .key("tasks", schema::reference("tasks"), "A random set of periodic tasks, one application per task")
        .rule({[](const YamlMap& map) {
                 if (!map.find("applications") && map.find("tasks")) return;
                 const std::vector<YamlNode> items = map.at("applications").items();
                 if (!std::all_of(items.begin(), items.end(), application_source)) map.at("kernels");
               },
               [sources_only](Json& schema) {
                 const Json none{{"not", {{"required", {"applications"}}}}};
                 schema["allOf"] = {
                     schema::any_key({"applications", "tasks"}),
                     schema::any_of({none, Json{{"required", {"kernels"}}}, Json{{"properties", sources_only}}})};
               }});
  }();
  return form;
}

const MapForm& memory_budget_form() {
  static const MapForm form = MapForm("memory budget").fields<MemoryBudget>();
  return form;
}

const MapForm& application_form() {
  static const MapForm form = MapForm("application")
                                  .fields<ApplicationSpec>()
                                  .key("memory_budget", schema::reference("memory budget"),
                                       "Bytes that it may move per period, as in MemGuard; default: unlimited")
                                  .at_most_one({"sms", "sm_percent", "active_thread_percentage", "green_context_sms"})
                                  .key("allocations", schema::list(schema::reference("allocation")),
                                       "Parts of its memory in other channels or slices than the rest")
                                  .at_most_one({"dram_channels", "l2_slices"});
  return form;
}

const MapForm& program_application_form() {
  static const MapForm form =
      MapForm("application")
          .key("name", schema::text(), "Name in results", kRequired)
          .with(application_form())
          .key("streams", schema::list(schema::reference("stream"), 1), "Its streams", kRequired)
          .key("threads", schema::list(schema::reference("thread")),
               "Threads of the host program; default: one per stream")
          .rule({nullptr, [](Json& schema) {
                   schema["if"] = {{"not", {{"required", {"threads"}}}}};
                   schema["then"] = {
                       {"properties", {{"streams", {{"items", schema::any_key({"launches", "commands"})}}}}}};
                 }});
  return form;
}

const MapForm& task_set_form() {
  static const MapForm form =
      MapForm("task set")
          .fields<TaskSetSpec>()
          .rule({[](const YamlMap& map) {
                   const auto ordered = [&](const char* least, const char* most, const TaskSetSpec& spec, auto from,
                                            auto to) {
                     if (spec.*from > spec.*to)
                       map.find(most)
                           .value_or(map.node())
                           .fail(fmt::format("found less than {}, allowed: no less", least));
                   };
                   TaskSetSpec spec;
                   read_fields(map, spec);
                   ordered("shortest_period_us", "longest_period_us", spec, &TaskSetSpec::shortest_period,
                           &TaskSetSpec::longest_period);
                   ordered("shortest_block_us", "longest_block_us", spec, &TaskSetSpec::shortest_block,
                           &TaskSetSpec::longest_block);
                   if (spec.utilisation > spec.tasks)
                     map.at("utilisation").fail("found more than the number of tasks, allowed: 1 for each");
                 },
                 nullptr});
  return form;
}

const MapForm& tasks_form() {
  static const MapForm form =
      MapForm("tasks")
          .key("uunifast", schema::reference("task set"), "Distribution of the set", kRequired)
          .key("application", schema::reference("application of a task"), "Properties of each task's application");
  return form;
}

const MapForm& application_of_a_task_form() {
  static const MapForm form = MapForm("application of a task")
                                  .fields<ApplicationSpec>()
                                  .without("relaunch", "a task has jobs; its application is launched once")
                                  .at_most_one({"sms", "sm_percent", "active_thread_percentage", "green_context_sms"})
                                  .at_most_one({"dram_channels", "l2_slices"});
  return form;
}

const MapForm& stream_form() {
  static const MapForm form =
      MapForm("stream")
          .key("name", schema::text(), "Name in results and in calls of threads", kRequired)
          .fields<StreamSpec>()
          .key("default", schema::boolean(),
               "Whether it is CUDA's NULL stream, of which an application has one; default: false")
          .key("non_blocking", schema::boolean(), "Whether it ignores the order of the default stream; default: false")
          .key("launches", schema::list(schema::reference("launch")), "Launches, one after the other")
          .key("commands", schema::list(schema::reference(CallPlace{}.name())),
               "Commands that a host thread of its own submits")
          .with(access_policy_window_key())
          .not_together({"commands", "launches"}, "a stream has 'launches' or 'commands', not both")
          .rule({[](const YamlMap& map) {
                   if (map.is_true("default") && map.is_true("non_blocking"))
                     map.node().fail("a stream is 'default' or 'non_blocking', not both");
                 },
                 [](Json& schema) {
                   const Json is_true{{"const", true}};
                   schema["allOf"].push_back({{"not",
                                               {{"required", {"default", "non_blocking"}},
                                                {"properties", {{"default", is_true}, {"non_blocking", is_true}}}}}});
                 }});
  return form;
}

const MapForm& thread_form() {
  static const MapForm form =
      MapForm("thread")
          .key("name", schema::text(), "Name in deadlock reports", kRequired)
          .key("calls", schema::list(schema::reference(CallPlace{true, CallPlace::Within::kNothing}.name())),
               "Calls, in order", kRequired);
  return form;
}

std::vector<const MapForm*> workload_forms() {
  std::vector<const MapForm*> all{&file_form(), &instance_form(), &managed_form()};
  const std::vector<const MapForm*> kernels = kernel_forms();
  all.insert(all.end(), kernels.begin(), kernels.end());
  for (const MapForm* form :
       {&program_application_form(), &memory_budget_form(), &coloured_allocation_form(), &access_policy_window_form(),
        &stream_form(), &thread_form(), &release_table_form(), &tasks_form(), &task_set_form(),
        &application_of_a_task_form(), &wcet_form(), &overruns_form()})
    all.push_back(form);
  for (const ApplicationSource& source : application_sources()) all.push_back(&source.form());
  const std::vector<const MapForm*> calls = call_forms();
  all.insert(all.end(), calls.begin(), calls.end());
  return all;
}

namespace {

Json workload_schema() {
  Json form = file_form().schema();
  Json definitions = Json::object();
  add_kernel_definitions(definitions);
  definitions["application"] = program_application_form().schema();
  for (const ApplicationSource& source : application_sources()) definitions[source.form_name] = source.form().schema();
  definitions["stream"] = stream_form().schema();
  definitions["thread"] = thread_form().schema();
  definitions["instance"] = instance_form().schema();
  definitions["memory budget"] = memory_budget_form().schema();
  definitions["allocation"] = coloured_allocation_form().schema();
  definitions["access policy window"] = access_policy_window_form().schema();
  definitions["managed"] = managed_form().schema();
  definitions["launch"] = launch_schema();
  definitions["release table"] = release_table_form().schema();
  for (const MapForm* of_tasks :
       {&tasks_form(), &task_set_form(), &application_of_a_task_form(), &wcet_form(), &overruns_form()})
    definitions[of_tasks->name()] = of_tasks->schema();
  for (const CallPlace& place : call_places()) definitions[place.name()] = call_schema(place);
  form["definitions"] = definitions;
  return form;
}

GPUTLM_REGISTER {
  schemas().add(
      {{"workload"}, "A workload: kernels as programs, and the applications that launch them", workload_schema});
}

}  // namespace
}  // namespace gputlm

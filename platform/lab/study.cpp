#include "platform/lab/study.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "platform/files/short_paths.h"
#include "platform/input/foreign_formats.h"
#include "platform/input/map_form.h"
#include "platform/input/parameters.h"
#include "platform/input/preset.h"
#include "platform/input/run_input.h"
#include "platform/input/schema.h"
#include "platform/input/variants.h"

namespace gputlm {
namespace {

using schema::Json;

constexpr std::size_t kMaxPoints = 1'000'000;

/// A list without repetitions and with at least one entry.
std::vector<YamlNode> entries_of(const YamlNode& list) {
  std::vector<YamlNode> items = list.items();
  if (items.empty()) list.fail("found an empty list, allowed: one entry or more");
  std::set<std::string> seen;
  for (const YamlNode& item : items) {
    if (!seen.insert(item.text()).second) item.fail("'" + item.text() + "' is given twice");
  }
  return items;
}

std::string in_folder(const std::string& folder, const std::string& path) {
  return (std::filesystem::path(folder) / path).lexically_normal().string();
}

/// A workload, and where the file names it.
struct NamedWorkload {
  std::string name;
  YamlNode node;
};

/// Those of a list, FILE#* being each variant of a file.
std::vector<NamedWorkload> named_workloads(const YamlNode& list, const std::string& folder) {
  std::vector<NamedWorkload> all;
  for (const YamlNode& entry : entries_of(list)) {
    for (const std::string& path : entry.naming([&] { return expand_variants(entry.text(), folder); }))
      all.push_back({path, entry});
  }
  return all;
}

/// What `slurm` may have.
const MapForm& slurm_form() {
  static const MapForm form = [] {
    MapForm made("slurm");
    for (const SlurmKey& key : slurm_keys())
      made.key(key.name, key.most > 0 ? schema::whole_number(1, key.most) : schema::text(), key.help);
    return made;
  }();
  return form;
}

/// A list as entries_of() reads it.
Json entries(const Json& item) {
  Json form = schema::list(item, 1);
  form["uniqueItems"] = true;
  return form;
}

const MapForm& study_form() {
  static const MapForm form = [] {
    Json one = Json::object(), several = Json::object();
    for (const Parameter& parameter : parameters()) {
      one[parameter.key] = schema::reference(parameter.key);
      several[parameter.key] = entries(schema::reference(parameter.key));
    }
    const auto by_key = [](const Json& properties) {
      return Json{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    };
    return MapForm("sweep")
        .key("description", schema::text(), "What is asked, in a line")
        .key("gpus", entries(schema::text()), "Presets or GPU files; default that of gputlm run")
        .key("set", by_key(one), "Parameters of every run")
        .key("vary", by_key(several), "Every combination of these")
        .key("workloads", entries(schema::text()), "Files", kRequired)
        .key("seeds", entries(schema::whole_number(0, ~std::uint64_t{0})), "Default 1")
        .key("alone", schema::boolean(), "Also each application alone; default false")
        .key("slurm", slurm_form().schema(), "For gputlm sweep --slurm");
  }();
  return form;
}

GPUTLM_REGISTER {
  schemas().add({{"study"}, "A sweep: GPUs x settings x workloads x seeds", [] {
                   Json form = study_form().schema();
                   form["definitions"] = parameter_definitions();
                   return form;
                 }});
}

/// Names of variants of one file: "#variant".
std::vector<std::string> without_their_one_file(const std::vector<std::string>& workloads) {
  const std::size_t variant = workloads.front().find('#');
  const bool all_of_one =
      variant != std::string::npos && std::all_of(workloads.begin(), workloads.end(), [&](const std::string& other) {
        return other.compare(0, variant + 1, workloads.front(), 0, variant + 1) == 0;
      });
  if (!all_of_one) return short_paths(workloads);
  std::vector<std::string> names;
  for (const std::string& workload : workloads) names.push_back(workload.substr(variant));
  return names;
}

bool is_file_name(const std::string& gpu) {
  return gpu.find('/') != std::string::npos || std::filesystem::path(gpu).has_extension();
}

}  // namespace

Study Study::load(const std::string& path) {
  refuse_foreign(path);
  return read(YamlNode::load_file(path), std::filesystem::path(path).parent_path().string());
}

Study Study::read(const YamlNode& root, const std::string& folder) {
  const YamlMap map = study_form().read(root);
  Study study;
  study.file_ = root.file();
  if (const auto text = map.find("description")) study.description_ = text->text();
  study.alone_ = map.is_true("alone");
  if (const auto slurm = map.find("slurm")) study.read_slurm(*slurm);
  if (const auto seeds = map.find("seeds")) {
    study.seeds_.clear();
    for (const YamlNode& seed : entries_of(*seeds)) study.seeds_.push_back(seed.unsigned_number());
  }
  const auto add = [&](GpuConfig config, Origins origins) {
    if (const auto given = map.find("set")) {
      for (const auto& [key, value] : given->entries()) {
        set_parameter(config, key, value.text(), {value.file(), value.line()}, &origins);
      }
    }
    study.bases_.push_back(std::move(config));
    study.origins_.push_back(std::move(origins));
  };
  if (const auto gpus = map.find("gpus")) {
    for (const YamlNode& gpu : entries_of(*gpus)) {
      const std::string name = gpu.text();
      study.gpus_.push_back(name);
      Origins origins;
      GpuConfig config =
          gpu.naming([&] { return load_gpu(is_file_name(name) ? in_folder(folder, name) : name, &origins); });
      add(std::move(config), std::move(origins));
    }
  } else {
    study.gpus_ = {kDefaultGpu};
    Origins origins;
    GpuConfig config = load_gpu(kDefaultGpu, &origins);
    add(std::move(config), std::move(origins));
  }
  if (const auto vary = map.find("vary")) study.read_axes(*vary);
  // Before any workload is loaded, which is once for each seed.
  const std::vector<NamedWorkload> workloads = named_workloads(map.at("workloads"), folder);
  std::size_t points = study.gpus_.size() * workloads.size() * study.seeds_.size();
  for (const Axis& axis : study.axes_) points = std::min(points, kMaxPoints + 1) * axis.values.size();
  if (points > kMaxPoints) root.fail("found more than " + std::to_string(kMaxPoints) + " runs");
  for (const NamedWorkload& workload : workloads) study.load_workload(workload.name, workload.node, folder);
  study.shorten(study.gpus_);
  study.shorten(study.workloads_);
  study.short_workloads_ = without_their_one_file(study.workloads_);
  return study;
}

void Study::shorten(std::vector<std::string>& names) {
  std::vector<std::string> all = without_folders_of_absolute(names);
  for (std::size_t i = 0; i < names.size(); ++i) called_.emplace(names[i], all[i]);
  names = std::move(all);
}

const std::string& Study::called(const std::string& named) const {
  const auto found = called_.find(named);
  return found == called_.end() ? named : found->second;
}

void Study::read_slurm(const YamlNode& node) {
  const YamlMap map = slurm_form().read(node);
  for (const SlurmKey& key : slurm_keys()) {
    const auto value = map.find(key.name);
    if (!value) continue;
    const std::string text = key.most > 0 ? std::to_string(value->unsigned_number(1, key.most)) : value->text();
    set_slurm(slurm_, key, text, {value->file(), value->line()});
  }
}

void Study::read_axes(const YamlNode& node) {
  for (const auto& [key, values] : node.entries()) {
    Axis axis{key, {}};
    std::vector<std::size_t> lines;
    for (const YamlNode& value : entries_of(values)) {
      axis.values.push_back(value.text());
      lines.push_back(value.line());
      GpuConfig any = bases_.front();
      set_parameter(any, key, value.text(), {value.file(), value.line()});
    }
    axes_.push_back(std::move(axis));
    axis_lines_.push_back(std::move(lines));
  }
}

void Study::load_workload(const std::string& name, const YamlNode& named, const std::string& folder) {
  workloads_.push_back(name);
  const std::string path = in_folder(folder, name);
  std::vector<Workload>& loaded = loaded_.emplace_back();
  for (const std::uint64_t seed : seeds_) {
    RunInput input = named.naming([&] { return load_run_input({path}, {seed, {}, &bases_.front()}); });
    loaded.push_back(std::move(input.workload));
  }
}

std::vector<StudyPoint> Study::points() const {
  std::vector<StudyPoint> points;
  StudyPoint point;
  point.settings.assign(axes_.size(), 0);
  while (true) {
    points.push_back(point);
    if (++point.seed < seeds_.size()) continue;
    point.seed = 0;
    if (++point.workload < workloads_.size()) continue;
    point.workload = 0;
    std::size_t axis = axes_.size();
    while (axis > 0 && ++point.settings[axis - 1] == axes_[axis - 1].values.size()) point.settings[--axis] = 0;
    if (axis > 0) continue;
    if (++point.gpu == gpus_.size()) return points;
  }
}

GpuConfig Study::config(const StudyPoint& point) const {
  GpuConfig config = bases_[point.gpu];
  Origins origins = origins_[point.gpu];
  for (const std::string& setting : loaded_[point.workload].front().settings) {  // unless the sweep sets it
    const std::string key = setting.substr(0, setting.find('='));
    const auto is_set = [&](const auto& set) { return set.first == key && set.second.source == file_; };
    if (std::none_of(origins.begin(), origins.end(), is_set)) set_assignment(config, setting, &origins);
  }
  std::size_t line = 0;  // of what was set last, where a contradiction shows
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    line = axis_lines_[a][point.settings[a]];
    set_parameter(config, axes_[a].parameter, axes_[a].values[point.settings[a]], {file_, line}, &origins);
  }
  validate(config, {file_, line}, origins);
  return config;
}

}  // namespace gputlm

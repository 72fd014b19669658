#include "platform/lab/study.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "platform/files/short_paths.h"
#include "platform/input/foreign_formats.h"
#include "platform/input/map_form.h"
#include "platform/input/parameters.h"
#include "platform/input/preset.h"
#include "platform/input/run_input.h"
#include "platform/input/schema.h"
#include "platform/input/variants.h"
#include "platform/input/workload_file.h"
#include "tlm/base/numbers.h"

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

/// The keys of `slurm`.
const MapForm& slurm_form() {
  static const MapForm form = [] {
    MapForm made("slurm");
    for (const SlurmKey& key : slurm_keys())
      made.key(key.name, key.is_number() ? schema::whole_number(key.least, key.most) : schema::text(), key.meaning);
    return made;
  }();
  return form;
}

/// The schema of a list that entries_of() reads.
Json entries(const Json& item) {
  Json form = schema::list(item, 1);
  form["uniqueItems"] = true;
  return form;
}

/// The keys of a study and of its quick form. `plan`: those of a plan. `whole`: those of the study, not of the quick form.
MapForm form_of(bool plan, bool whole) {
  const auto or_taken_away = [whole](const Json& form) {  // by `~` in the quick form
    return whole ? form : schema::any_of({form, {{"type", "null"}}});
  };
  Json one = Json::object(), several = Json::object();
  for (const Parameter& parameter : parameters()) {
    one[parameter.name] = or_taken_away(schema::reference(parameter.name));
    several[parameter.name] = or_taken_away(entries(schema::reference(parameter.name)));
  }
  const auto by_key = [](const Json& properties) {
    return Json{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  };
  const Json text = schema::text(), texts = schema::list(text), lines = {{"type", "string"}, {"minLength", 1}};
  MapForm form("study");
  form.key("gpu", text, "Preset or GPU file; default that of gputlm run")
      .key("gpus", entries(text), "Several")
      .key("set", by_key(one), "Parameters of every run")
      .key("vary", by_key(several), "Every combination of these")
      .key("workloads", entries(plan ? texts : text), "Files, or names of `texts`", whole && !plan)
      .key("seeds", entries(schema::whole_number(0, ~std::uint64_t{0})), "Default 1")
      .key("alone", schema::boolean(), "Also each application alone; default false")
      .key("texts", schema::named(or_taken_away(lines)), "Workloads in the place of files, by name")
      .not_together({"gpu", "gpus"}, "a study has 'gpu' or 'gpus', not both");
  for (const MapForm::Key& key : std::vector<MapForm::Key>(form.keys()))
    form.restrict(key.name, or_taken_away(key.form));
  if (plan) return form.key("factors", schema::named(texts), "Factors of an experiment that are not parameters");
  return form.without("factors", "only the plan of an experiment has factors: what its C++ varies");
}

struct StudyForms {
  MapForm smaller, whole;
};
const StudyForms& study_forms(bool plan) {
  static const auto make = [](bool of_plan) {
    StudyForms forms{form_of(of_plan, false), form_of(of_plan, true)};
    forms.whole.key("description", schema::text(), "Question of the study, in a line")
        .key("slurm", slurm_form().schema(), "For gputlm sweep --slurm")
        .key("quick", forms.smaller.schema(), "Replacements of the smaller form, for --quick");
    return forms;
  };
  static const StudyForms of_user = make(false), of_plan = make(true);
  return plan ? of_plan : of_user;
}

GPUTLM_REGISTER {
  schemas().add({{"study"}, "A sweep: GPUs x settings x workloads x seeds", [] {
                   Json form = study_forms(false).whole.schema();
                   form["definitions"] = parameter_definitions();
                   return form;
                 }});
}

/// The quick form of a study; none if it has none.
std::optional<YamlNode> quick_of(const YamlMap& map, const StudyForms& forms) {
  const auto smaller = map.find("quick");
  if (!smaller) return std::nullopt;
  forms.smaller.read(*smaller);
  return merged(map.node(), *smaller, "quick");
}

std::vector<std::string> texts_of(const YamlNode& list) {
  std::vector<std::string> all;
  for (const YamlNode& item : list.items()) all.push_back(item.text());
  return all;
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

Study Study::load(const std::string& path, bool quick) {
  refuse_foreign(path);
  return read(YamlNode::load_file(path), std::filesystem::path(path).parent_path().string(), quick);
}

Study Study::read(const YamlNode& root, const std::string& folder, bool quick) {
  const StudyForms& forms = study_forms(false);
  const YamlMap map = forms.whole.read(root);
  Study study = read_form(map, folder, nullptr);
  std::vector<std::string> named = study.workloads_;
  if (const auto smaller = quick_of(map, forms)) {  // checked even if it is not used
    Study of_quick = read_form(forms.whole.read(*smaller), folder, nullptr);
    named.insert(named.end(), of_quick.workloads_.begin(), of_quick.workloads_.end());
    if (quick) study = std::move(of_quick);
  } else if (quick) {
    root.fail("found no 'quick', the smaller form");
  }
  if (const auto texts = map.find("texts")) {
    for (const auto& [name, text] : texts->entries()) {
      if (std::find(named.begin(), named.end(), name) == named.end()) text.fail("'workloads' does not name it");
    }
  }
  std::size_t points = study.gpus_.size() * study.workloads_.size() * study.seeds_.size();
  for (const Axis& axis : study.axes_) points = std::min(points, kMaxPoints + 1) * axis.values.size();
  if (points > kMaxPoints) root.fail("found more than " + std::to_string(kMaxPoints) + " runs");
  for (std::size_t w = 0; w < study.workloads_.size(); ++w)
    study.load_workload(study.workloads_[w], study.named_[w], folder);
  study.shorten(study.gpus_);
  study.shorten(study.workloads_);
  study.short_workloads_ = without_their_one_file(study.workloads_);
  return study;
}

Study Study::read_plan(const YamlNode& root, const std::vector<std::string>& factors, bool quick) {
  const StudyForms& forms = study_forms(true);
  const YamlMap map = forms.whole.read(root);
  const auto smaller = quick_of(map, forms);
  return read_form(quick && smaller ? forms.whole.read(*smaller) : map, "", &factors);
}

Study Study::read_form(const YamlMap& map, const std::string& folder, const std::vector<std::string>* factors) {
  Study study;
  study.file_ = map.node().file();
  if (const auto text = map.find("description")) study.description_ = text->text();
  study.alone_ = map.is_true("alone");
  if (const auto slurm = map.find("slurm")) study.read_slurm(*slurm);
  if (const auto seeds = map.find("seeds")) {
    study.seeds_.clear();
    for (const YamlNode& seed : entries_of(*seeds)) study.seeds_.push_back(seed.unsigned_number());
  }
  if (const auto texts = map.find("texts")) {
    for (const auto& [name, text] : texts->entries()) study.texts_[name] = text.lines();
  }
  study.read_gpus(map, folder);
  if (const auto vary = map.find("vary")) study.read_axes(*vary);
  const auto workloads = map.find("workloads");
  if (!factors) {
    study.name_workloads(*workloads, folder);
    return study;
  }
  if (map.find("factors") || !factors->empty()) study.read_factors(map.at("factors"), *factors);
  if (workloads) {
    for (const YamlNode& programs : workloads->items()) study.programs_.push_back(texts_of(programs));
  }
  return study;
}

void Study::read_gpus(const YamlMap& map, const std::string& folder) {
  const auto given = map.find("set");
  const auto set = given ? given->entries() : std::vector<std::pair<std::string, YamlNode>>{};
  for (const auto& [key, value] : set) set_.emplace_back(key, value.text());
  const auto add = [&](const std::string& name, GpuConfig config, Origins origins) {
    for (const auto& [key, value] : set)
      set_parameter(config, key, value.text(), {value.file(), value.line()}, &origins);
    gpus_.push_back(name);
    bases_.push_back(std::move(config));
    origins_.push_back(std::move(origins));
  };
  const auto gpu = map.find("gpu"), several = map.find("gpus");
  std::vector<YamlNode> nodes;
  if (gpu) nodes.push_back(*gpu);
  if (several) nodes = entries_of(*several);
  for (const YamlNode& node : nodes) {
    const std::string name = node.text();
    Origins origins;
    GpuConfig config =
        node.naming([&] { return load_gpu(is_file_name(name) ? in_folder(folder, name) : name, &origins); });
    add(name, std::move(config), std::move(origins));
  }
  if (!nodes.empty()) return;
  Origins origins;
  GpuConfig config = load_gpu(kDefaultGpu, &origins);
  add(kDefaultGpu, std::move(config), std::move(origins));
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
    const std::string text =
        key.is_number() ? std::to_string(value->unsigned_number(key.least, key.most)) : value->text();
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

void Study::read_factors(const YamlNode& node, const std::vector<std::string>& factors) {
  const YamlMap map(node, factors);
  for (const std::string& name : factors) factors_[name] = texts_of(map.at(name));
}

void Study::name_workloads(const YamlNode& list, const std::string& folder) {
  for (const YamlNode& entry : entries_of(list)) {  // FILE#* is each variant of a file
    for (const std::string& path : entry.naming([&] { return expand_variants(entry.text(), folder); })) {
      workloads_.push_back(path);
      named_.push_back(entry);
    }
  }
}

void Study::load_workload(const std::string& name, const YamlNode& named, const std::string& folder) {
  const std::string path = in_folder(folder, name);
  const auto text = texts_.find(name);
  std::vector<Workload>& loaded = loaded_.emplace_back();
  for (const std::uint64_t seed : seeds_) {
    loaded.push_back(named.naming([&] {
      return text == texts_.end() ? load_run_input({path}, {seed, {}, &bases_.front()}).workload
                                  : load_workload_text(text->second, path, seed, &bases_.front());
    }));
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
  std::size_t line = 0;  // line of the last setting, where a contradiction shows
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    line = axis_lines_[a][point.settings[a]];
    set_parameter(config, axes_[a].parameter, axes_[a].values[point.settings[a]], {file_, line}, &origins);
  }
  validate(config, {file_, line}, origins);
  return config;
}

GpuConfig Study::config_with(const Settings& more, std::size_t gpu) const {
  GpuConfig config = bases_[gpu];
  Origins origins = origins_[gpu];
  for (const auto& [key, value] : more) set_parameter(config, key, value, {file_, 0}, &origins);
  validate(config, {file_, 0}, origins);
  return config;
}

std::vector<std::string> Study::values(const std::string& what) const {
  for (const Axis& axis : axes_) {
    if (axis.parameter == what) return axis.values;
  }
  const auto found = factors_.find(what);
  if (found == factors_.end()) throw std::logic_error(file_ + " does not vary '" + what + "'");
  return found->second;
}

std::vector<unsigned> Study::numbers(const std::string& what) const {
  std::vector<unsigned> numbers;
  for (const std::string& text : values(what)) {
    const auto number = parse_number<unsigned>(text);
    if (!number) throw std::logic_error(file_ + ": '" + text + "' of '" + what + "' is no number");
    numbers.push_back(*number);
  }
  return numbers;
}

void Study::replace(const std::map<std::string, std::string>& instead) {
  const auto in = [&](std::vector<std::string>& values) {
    for (std::string& value : values) {
      if (const auto found = instead.find(value); found != instead.end()) value = found->second;
    }
  };
  for (Axis& axis : axes_) in(axis.values);
  for (auto& [name, values] : factors_) in(values);
}

}  // namespace gputlm

#include "platform/input/workload_file_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "models/kernel/program_kernel.h"
#include "platform/input/nearest.h"
#include "platform/input/workload_file_program.h"

namespace gputlm {
namespace {

using schema::Json;

// --- Address patterns ---

template <class Shape>
const MapForm& pattern_form() {
  static const MapForm form =
      MapForm(std::string("pattern ") + Shape::kName)
          .key("kind", {{"const", Shape::kName}}, "Rule for the addresses", kRequired)
          .key("base", base_schema(), "First address, or the name of managed memory; default: fresh addresses")
          .template fields<Shape>();
  return form;
}

/// An alternative of PatternShape.
struct PatternKind {
  const char* name;
  const MapForm& form;
  PatternShape (*read)(const YamlNode&);
};

template <class... Shapes>
std::vector<PatternKind> kinds_of(std::variant<Shapes...>*) {
  return {{Shapes::kName, pattern_form<Shapes>(), [](const YamlNode& node) -> PatternShape {
             Shapes shape;
             read_fields(pattern_form<Shapes>().read(node), shape);
             return shape;
           }}...};
}

const std::vector<PatternKind>& pattern_kinds() {
  static const std::vector<PatternKind> kinds = kinds_of(static_cast<PatternShape*>(nullptr));
  return kinds;
}

struct PatternEntry {
  AddressPattern pattern;
  bool has_base;
};

PatternEntry read_pattern(const std::string& name, const YamlNode& node,
                          const std::vector<ManagedAllocation>& managed) {
  std::vector<std::string> kinds;
  for (const PatternKind& kind : pattern_kinds()) kinds.emplace_back(kind.name);
  PatternEntry result{{name, 0, {}, node.line()}, false};
  std::optional<YamlNode> kind;
  std::optional<YamlNode> footprint;
  const ManagedAllocation* in = nullptr;
  for (const auto& [key, value] : node.entries()) {
    if (key == "kind") kind = value;
    if (key == "footprint") footprint = value;
    if (key != "base") continue;
    in = named_base(value, managed);
    result.pattern.base = in ? in->address : value.bytes(0, kMaxAddress);
    result.has_base = true;
  }
  if (!kind) node.fail("key 'kind' is missing" + suggestion("", kinds));
  result.pattern.shape = pattern_kinds()[kind->one_of(kinds)].read(node);
  if (in && footprint && footprint->bytes(1, kMaxAddress) > in->bytes)
    footprint->fail("found " + footprint->text() + ", but '" + in->name + "' has " + std::to_string(in->bytes) +
                    " bytes");
  return result;
}

// --- Kernels ---

/// The largest spread depends on the distribution.
Json variation_schema() {
  std::vector<Json> forms;
  const std::vector<std::string> names{"uniform", "normal", "exponential", "few_long"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    MapForm form = MapForm("variation").fields<Variation>();
    form.restrict("spread", schema::number(0, largest_spread(static_cast<Variation::Distribution>(i))))
        .restrict("distribution", {{"const", names[i]}});
    forms.push_back(form.schema());
    if (i > 0) forms.back()["required"].push_back("distribution");  // the first one is the default
  }
  return schema::any_of(forms);
}

const MapForm& variation_form() {
  static const MapForm form = MapForm("variation").fields<Variation>();
  return form;
}

const MapForm& demand_form() {
  static const MapForm form = MapForm("demand").fields<KernelDemand>();
  return form;
}

const MapForm& kernel_form() {
  static const MapForm form =
      MapForm("kernel")
          .fields<ProgramSpec>()
          .key("name", schema::text(), "Name in results; default: its key")
          .key("seed", schema::whole_number(0, ~std::uint64_t{0}),
               "Seed of its random choices; default: that of the run")
          .key("variation", schema::reference("variation"), "Variation of the blocks' runtimes")
          .key("demand", schema::reference("demand"), "Demand of a launch on the hardware, as counted by a profiler")
          .key("patterns", schema::named(schema::reference("pattern")), "Address patterns, by name")
          .key("program", schema::reference("whole program"), "Program of each warp", kRequired);
  return form;
}

void check_threads(const YamlNode& node, const Dim3& block) {
  if (block.count() > kMaxThreadsPerBlock)
    node.fail("found " + std::to_string(block.count()) + " threads, but at most " +
              std::to_string(kMaxThreadsPerBlock) + " are allowed in a block");
}

}  // namespace

Dim3 read_grid(const YamlNode& node) { return forms::read(node, kGridShape); }

Dim3 read_block(const YamlNode& node) {
  const Dim3 block = forms::read(node, kBlockShape);
  check_threads(node, block);
  return block;
}

ProgramSpec read_kernel(const std::string& name, const YamlNode& node, FreshAddresses& addresses,
                        const std::vector<ManagedAllocation>& managed) {
  const YamlMap map = kernel_form().read(node);
  ProgramSpec spec;
  const auto other_name = map.find("name");
  spec.name = other_name ? other_name->text() : name;
  spec.file = node.file();
  spec.line = node.line();
  read_fields(map, spec);
  if (spec.grid.count() > kMaxIterations)
    map.at("grid").fail("found " + std::to_string(spec.grid.count()) + " blocks, but at most 2^32 - 1 are allowed");
  check_threads(map.at("block"), spec.block);
  if (const auto variation = map.find("variation")) {
    spec.variation.line = variation->line();
    read_fields(variation_form().read(*variation), spec.variation);
  }
  if (const auto demand = map.find("demand")) read_fields(demand_form().read(*demand), spec.demand.emplace());

  std::vector<bool> has_base;
  if (const auto patterns = map.find("patterns")) {
    for (const auto& [pattern_name, pattern] : patterns->entries()) {
      PatternEntry entry = read_pattern(pattern_name, pattern, managed);
      spec.patterns.push_back(std::move(entry.pattern));
      has_base.push_back(entry.has_base);
    }
  }
  std::vector<bool> global;
  spec.body = read_program(map.at("program"), spec.patterns, global);
  for (std::size_t i = 0; i < spec.patterns.size(); ++i) {
    if (has_base[i] || !global[i]) continue;
    spec.patterns[i].base = addresses.take(map.at("patterns"), 1);
  }
  for (ProgramElement& element : spec.body) {
    auto* const work = std::get_if<WorkElement>(&element.what);
    if (work && work->counters == 0)
      work->counters = addresses.take(map.at("program"), spec.grid.count() * WorkElement::kBytesOfACounter);
  }
  return spec;
}

Json written_kernel(const ProgramSpec& spec) {
  Json json = Json::object();
  write_fields(spec, json);
  if (spec.variation.spread > 0) write_fields(spec.variation, json["variation"] = Json::object());
  if (spec.demand) write_fields(*spec.demand, json["demand"] = Json::object());
  for (const AddressPattern& pattern : spec.patterns) {
    Json& entry = json["patterns"][pattern.name];
    std::visit(
        [&](const auto& shape) {
          entry = {{"kind", shape.kName}, {"base", fmt::format("{:#x}", pattern.base)}};
          write_fields(shape, entry);
        },
        pattern.shape);
  }
  json["program"] = written_program(spec.body);
  return json;
}

std::optional<std::uint64_t> read_kernel_seed(const YamlNode& kernel) {
  const auto seed = kernel_form().read(kernel).find("seed");
  return seed ? std::optional(seed->unsigned_number()) : std::nullopt;
}

void add_kernel_definitions(Json& definitions) {
  std::vector<Json> patterns;
  for (const PatternKind& kind : pattern_kinds()) patterns.push_back(kind.form.schema());
  definitions.update({{"kernel", kernel_form().schema()},
                      {"pattern", schema::any_of(patterns)},
                      {"variation", variation_schema()},
                      {"demand", demand_form().schema()}});
  add_program_definitions(definitions);
}

std::vector<const MapForm*> kernel_forms() {
  std::vector<const MapForm*> forms{&kernel_form(), &variation_form(), &demand_form()};
  for (const PatternKind& kind : pattern_kinds()) forms.push_back(&kind.form);
  for (const MapForm* const form : program_forms()) forms.push_back(form);
  return forms;
}

}  // namespace gputlm

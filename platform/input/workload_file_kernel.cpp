#include "platform/input/workload_file_kernel.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "models/kernel/program_kernel.h"
#include "platform/input/nearest.h"

namespace gputlm {
namespace {

using schema::Json;

// --- Address patterns ---

template <class Shape>
const MapForm& pattern_form() {
  static const MapForm form =
      MapForm(std::string("pattern ") + Shape::kName)
          .key("kind", {{"const", Shape::kName}}, "Rule for the addresses", kRequired)
          .key("base", base_schema(), "First address, or the name of managed memory; without it, addresses of its own")
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

// --- Instructions ---

/// Registers are named, or given by a distance.
MapForm::Rule one_form_of_registers() {
  const auto check = [](const YamlMap& map) {
    Registers registers;
    read_fields(map, registers);
    if (registers.named() && registers.distance > 0)
      map.at("distance").fail("found together with dst or src, but only one of the two forms is allowed");
  };
  return {check, [](Json& schema) {
            const Json no_list{{"not", {{"type", "array"}, {"maxItems", 0}}}};
            schema["if"] =
                schema::any_of({{{"required", {"dst"}}}, {{"required", {"src"}}, {"properties", {{"src", no_list}}}}});
            schema["then"] = {{"properties", {{"distance", {{"const", 0}}}}}};
          }};
}

const MapForm& arithmetic_form() {
  static const MapForm form = MapForm("arithmetic").fields<ArithmeticElement>().rule(one_form_of_registers());
  return form;
}

/// A block of the cluster: by rank or peer.
MapForm::Rule one_member() {
  return {[](const YamlMap& map) {
            if (map.find("rank") && map.find("peer"))
              map.at("peer").fail("found together with rank, but only one of the two is allowed");
          },
          [](Json& schema) {
            schema["allOf"].push_back(schema::not_together({"rank", "peer"}));
          }};
}

const MapForm& memory_form() {
  static const MapForm form = MapForm("load").fields<MemoryElement>().rule(one_form_of_registers()).rule(one_member());
  return form;
}

const MapForm& mbarrier_init_form() {
  static const MapForm form = MapForm("mbarrier_init").fields<MbarrierInit>();
  return form;
}
const MapForm& mbarrier_arrive_form() {
  static const MapForm form = MapForm("mbarrier_arrive").fields<MbarrierArrive>().rule(one_member());
  return form;
}
const MapForm& mbarrier_wait_form() {
  static const MapForm form = MapForm("mbarrier_wait").fields<MbarrierWait>();
  return form;
}
const MapForm& tma_load_form() {
  static const MapForm form = MapForm("tma_load").fields<BulkLoad>();
  return form;
}

/// What `op` takes of it, as compile() checks (models/kernel/program_code.cpp).
MapForm memory_form_of(Op op) {
  MapForm form = memory_form();
  if (op == Op::kStore) {
    form.restrict("space", schema::one_of({"global", "local", "shared", "cluster"}))
        .restrict("distance", {{"const", 0}});
    form.without("dst", "a store writes no register");
  }
  if (op == Op::kAtomic)
    form.restrict("space", schema::one_of({"global", "shared", "cluster"})).restrict("width", {{"enum", {4, 8}}});
  return form;
}

/// A time in microseconds or nanoseconds.
MapForm& with_nanoseconds(MapForm& form, const std::string& suffix, double most_us) {
  const std::string us = "us" + suffix, ns = "ns" + suffix;
  form.key(ns, schema::number(0, most_us * 1e3), "The same in nanoseconds");
  return form.rule({[us, ns](const YamlMap& map) {
                      if (map.find(us) && map.find(ns))
                        map.at(ns).fail("found together with " + us + ", but only one of the two is allowed");
                    },
                    [us, ns](Json& schema) {
                      schema["allOf"].push_back(schema::not_together({us, ns}));
                    }});
}

const MapForm& spin_form() {
  static const MapForm form = [] {
    MapForm made = MapForm("spin").fields<SpinElement>();
    with_nanoseconds(made, "", kMaxSpinUs);
    with_nanoseconds(made, "_per_sm", kMaxSpinPerSmUs);
    return made.rule({[](const YamlMap& map) {
                        if (map.node().entries().empty()) map.node().fail("the time is missing");
                      },
                      [](Json& schema) { schema["minProperties"] = 1; }});
  }();
  return form;
}

SpinElement read_spin(const YamlNode& node) {
  const YamlMap map = spin_form().read(node);
  SpinElement element;
  read_fields(map, element);
  const auto nanoseconds = [&](const char* key, double most_us, Femtoseconds& time) {
    if (const auto ns = map.find(key)) {
      ns->number(0, most_us * 1e3);
      time = *parse_microseconds(ns->text() + (ns->text().find_first_of("eE") == std::string::npos ? "e-3" : ""));
    }
  };
  nanoseconds("ns", kMaxSpinUs, element.time);
  nanoseconds("ns_per_sm", kMaxSpinPerSmUs, element.per_sm);
  return element;
}

const MapForm& loop_form() {
  static const MapForm form =
      MapForm("loop").fields<LoopElement>().key("body", schema::reference("program"), "What is repeated", kRequired);
  return form;
}

const MapForm& warps_form() {
  static const MapForm form =
      MapForm("warps").fields<WarpsElement>().key("body", schema::reference("part"), "What these warps do", kRequired);
  return form;
}

const MapForm& work_form() {
  static const MapForm form =
      MapForm("work").fields<WorkElement>().key("body", schema::reference("program"), "For each unit", kRequired);
  return form;
}

/// Reads the elements of a program. Which patterns only shared memory uses is noted for their default base.
class ProgramReader {
 public:
  explicit ProgramReader(const std::vector<AddressPattern>& patterns) : global_(patterns.size(), false) {
    for (const AddressPattern& pattern : patterns) names_.push_back(pattern.name);
  }

  std::vector<ProgramElement> body(const YamlNode& node) {
    std::vector<ProgramElement> elements;
    for (const YamlNode& item : node.items()) elements.push_back(element(item));
    if (elements.empty()) node.fail("the list is empty, but at least one element is needed");
    return elements;
  }

  /// Whether pattern `index` is used by other than shared memory.
  bool global(std::size_t index) const { return global_[index]; }

  /// An element of a program, in the order in which users are told of them.
  struct Kind {
    const char* name;
    const char* meaning;
    std::function<Json()> form;  ///< made when a schema is asked for
    bool alone;                  ///< its name may stand without a value
    std::function<decltype(ProgramElement::what)(ProgramReader&, const YamlNode* value)> read;
  };
  static const std::vector<Kind>& kinds();

 private:
  ProgramElement element(const YamlNode& item) {
    std::vector<std::string> names;
    for (const Kind& kind : kinds()) names.emplace_back(kind.name);
    if (item.is_scalar()) {  // just a name
      const Kind& kind = kinds()[item.one_of(names)];
      if (!kind.alone) item.fail("'" + std::string(kind.name) + "' needs a value");
      return {kind.read(*this, nullptr), item.line()};
    }
    const auto [name, value] = item.only_entry();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) item.fail("unknown instruction '" + name + "'" + suggestion(name, names));
    return {kinds()[static_cast<std::size_t>(found - names.begin())].read(*this, &value), item.line()};
  }

  static ArithmeticElement arithmetic(const ArithmeticElement& kind, const YamlNode* node) {
    ArithmeticElement element = kind;
    if (!node || node->is_null()) return element;
    if (node->is_scalar()) {
      element.count = static_cast<std::uint32_t>(node->unsigned_number(1, kMaxCodeLength));
      return element;
    }
    read_fields(arithmetic_form().read(*node), element);
    return element;
  }

  MemoryElement memory(Op op, const YamlNode& node) {
    MemoryElement element;
    element.op = op;
    std::optional<YamlNode> pattern = node;
    if (!node.is_scalar()) {
      const YamlMap map = memory_form().read(node);
      pattern = map.at("pattern");
      read_fields(map, element);
    }
    element.pattern = pattern->text();
    const std::size_t number = number_of(*pattern);
    if (element.space != Space::kShared && element.space != Space::kCluster) global_[number] = true;
    return element;
  }

  BulkLoad bulk_load(const YamlNode& node) {
    const YamlMap map = tma_load_form().read(node);
    BulkLoad element;
    read_fields(map, element);
    global_[number_of(map.at("pattern"))] = true;
    return element;
  }

  /// Of an address pattern, by its name.
  std::size_t number_of(const YamlNode& pattern) const {
    const auto found = std::find(names_.begin(), names_.end(), pattern.text());
    if (found == names_.end())
      pattern.fail("no address pattern of this kernel is named '" + pattern.text() + "'" +
                   suggestion(pattern.text(), names_));
    return static_cast<std::size_t>(found - names_.begin());
  }

  /// Its number alone, or a mapping.
  template <class Element>
  static Element at_mbarrier(const MapForm& form, const YamlNode& node) {
    Element element;
    if (node.is_scalar()) {
      element.number = static_cast<std::uint32_t>(node.unsigned_number(0, kMbarriers - 1));
    } else {
      read_fields(form.read(node), element);
    }
    return element;
  }

  template <class Element>
  static Kind mbarrier_kind(const char* name, const char* meaning, const MapForm& form) {
    return {name, meaning,
            [&form] {
              return schema::any_of({schema::whole_number(0, kMbarriers - 1), form.schema()});
            },
            false, [&form](ProgramReader&, const YamlNode* value) { return at_mbarrier<Element>(form, *value); }};
  }

  /// Its name says all.
  static Kind alone(const char* name, const char* meaning, const decltype(ProgramElement::what)& element) {
    return {name, meaning,
            [] {
              return Json{{"type", "null"}};
            },
            true,
            [element](ProgramReader&, const YamlNode* value) {
              if (value && !value->is_null()) value->fail("found '" + value->text() + "', but it takes no value");
              return element;
            }};
  }

  template <class Element>
  Element with_body(const YamlMap& map) {
    Element element;
    read_fields(map, element);
    if constexpr (std::is_same_v<Element, WarpsElement>) {
      if (element.last && *element.last < element.first)
        map.at("last").unsigned_number(element.first, kMaxThreadsPerBlock / kWarpSize - 1);
    }
    element.body = body(map.at("body"));
    return element;
  }

  template <class Element>
  static Kind kind_with_body(const char* name, const char* meaning, const MapForm& form) {
    return {
        name, meaning, [&form] { return form.schema(); }, false,
        [&form](ProgramReader& reader, const YamlNode* value) { return reader.with_body<Element>(form.read(*value)); }};
  }

  std::vector<std::string> names_;
  std::vector<bool> global_;
};

const std::vector<ProgramReader::Kind>& ProgramReader::kinds() {
  static const std::vector<Kind> kinds = [] {
    std::vector<Kind> all;
    for (const auto& [name, kind] : arithmetic_kinds()) {
      all.push_back({name, "How many, or with registers", [] { return schema::reference("arithmetic"); }, true,
                     [kind = kind](ProgramReader&, const YamlNode* value) { return arithmetic(kind, value); }});
    }
    for (const auto& [name, op] : {std::pair("load", Op::kLoad), {"store", Op::kStore}, {"atomic", Op::kAtomic}}) {
      all.push_back({name, "Name of an address pattern, or with more",
                     [name = name] { return schema::reference(name); }, false,
                     [op = op](ProgramReader& reader, const YamlNode* value) { return reader.memory(op, *value); }});
    }
    all.push_back({"barrier", "Its number", [] { return schema::whole_number(0, kBarriers - 1); }, true,
                   [](ProgramReader&, const YamlNode* value) {
                     return BarrierElement{value ? static_cast<std::uint32_t>(value->unsigned_number(0, kBarriers - 1))
                                                 : 0};
                   }});
    all.push_back(alone("fence", "Waits until the warp's accesses so far have been performed", FenceElement{}));
    for (const auto& [name, kind, meaning] :
         {std::tuple("cluster_barrier", ClusterElement::Kind::kBarrier,
                     "A fence, and waits until all warps of its cluster's blocks have come there"),
          {"cluster_arrive", ClusterElement::Kind::kArrive,
           "A fence, and the warp has come to the barrier of its cluster"},
          {"cluster_arrive_relaxed", ClusterElement::Kind::kArriveRelaxed,
           "The warp has come to the barrier of its cluster, without a fence"},
          {"cluster_wait", ClusterElement::Kind::kWait, "Waits until all warps of its cluster's blocks have"}})
      all.push_back(alone(name, meaning, ClusterElement{kind}));
    all.push_back(mbarrier_kind<MbarrierInit>("mbarrier_init", "A barrier in shared memory: its number, or with more",
                                              mbarrier_init_form()));
    all.push_back(mbarrier_kind<MbarrierArrive>(
        "mbarrier_arrive", "Arrives there, and says for how many bytes it waits", mbarrier_arrive_form()));
    all.push_back(
        mbarrier_kind<MbarrierWait>("mbarrier_wait", "Waits until a phase there has ended", mbarrier_wait_form()));
    all.push_back({"tma_load", "TMA copies rows into shared memory, which count at an mbarrier",
                   [] { return tma_load_form().schema(); }, false,
                   [](ProgramReader& reader, const YamlNode* value) { return reader.bulk_load(*value); }});
    for (const auto& [name, kind, meaning] :
         {std::tuple("launch_dependents", GridElement::Kind::kLaunchDependents,
                     "Its block lets a kernel that depends on this one begin (programmatic dependent launch)"),
          {"grid_dependency_wait", GridElement::Kind::kGridDependencyWait,
           "Waits until the kernel that this one depends on has ended"}})
      all.push_back(alone(name, meaning, GridElement{kind}));
    all.push_back({"spin", "Waits until so long after the block's start", [] { return spin_form().schema(); }, false,
                   [](ProgramReader&, const YamlNode* value) { return read_spin(*value); }});
    all.push_back(kind_with_body<LoopElement>("loop", "Again and again", loop_form()));
    all.push_back(kind_with_body<WarpsElement>("warps", "A part for some warps of a block", warps_form()));
    all.push_back(kind_with_body<WorkElement>("work", "Units of work that the blocks divide", work_form()));
    return all;
  }();
  return kinds;
}

/// An element of the program named `program`. In a part for some warps of a block are no barriers; work is in nothing else.
Json element_schema(const std::string& program, bool barriers, bool outermost) {
  std::vector<schema::Key> keys;
  std::vector<std::string> alone;
  for (const ProgramReader::Kind& kind : ProgramReader::kinds()) {
    const std::string name = kind.name;
    const bool waits_for_all = name == "barrier" || name.rfind("cluster_", 0) == 0;
    if ((waits_for_all && !barriers) || (name == "work" && !outermost)) continue;
    if (kind.alone) alone.push_back(name);
    Json form = kind.form();
    if (name == "loop") form = MapForm(loop_form()).restrict("body", schema::reference(program)).schema();
    keys.push_back({name, std::move(form), kind.meaning});
  }
  Json several = schema::mapping(keys);
  several["minProperties"] = several["maxProperties"] = 1;
  return schema::any_of({schema::one_of(alone), several});
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
    if (i > 0) forms.back()["required"].push_back("distribution");  // the first is the default
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
          .key("name", schema::text(), "What results call it; default its key")
          .key("seed", schema::whole_number(0, ~std::uint64_t{0}), "Of what is random in it; default that of the run")
          .key("variation", schema::reference("variation"), "Of the runtimes of blocks")
          .key("demand", schema::reference("demand"), "What a launch asks of the hardware, as a profiler counts it")
          .key("patterns", schema::named(schema::reference("pattern")), "Address patterns, by name")
          .key("program", schema::reference("whole program"), "What each warp does", kRequired);
  return form;
}

void check_threads(const YamlNode& node, const Dim3& block) {
  if (block.count() > kMaxThreadsPerBlock)
    node.fail("found " + std::to_string(block.count()) + " threads, but at most " +
              std::to_string(kMaxThreadsPerBlock) + " are allowed in a block");
}

}  // namespace

const std::vector<std::pair<const char*, ArithmeticElement>>& arithmetic_kinds() {
  static const std::vector<std::pair<const char*, ArithmeticElement>> kinds{
      {"fp32", {Pipe::kFp32}},           {"int", {Pipe::kInt}},
      {"fp64", {Pipe::kFp64}},           {"sfu", {Pipe::kSfu}},
      {"tensor", {Pipe::kTensor}},       {"control", {Pipe::kControl}},
      {"branch", {Pipe::kControl, true}}};
  return kinds;
}

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
  ProgramReader reader(spec.patterns);
  spec.body = reader.body(map.at("program"));
  for (std::size_t i = 0; i < spec.patterns.size(); ++i) {
    if (has_base[i] || !reader.global(i)) continue;
    spec.patterns[i].base = addresses.take(map.at("patterns"), 1);
  }
  for (ProgramElement& element : spec.body) {
    auto* const work = std::get_if<WorkElement>(&element.what);
    if (work && work->counters == 0)
      work->counters = addresses.take(map.at("program"), spec.grid.count() * WorkElement::kBytesOfACounter);
  }
  return spec;
}

std::optional<std::uint64_t> read_kernel_seed(const YamlNode& kernel) {
  const auto seed = kernel_form().read(kernel).find("seed");
  return seed ? std::optional(seed->unsigned_number()) : std::nullopt;
}

void add_kernel_definitions(Json& definitions) {
  std::vector<Json> patterns;
  for (const PatternKind& kind : pattern_kinds()) patterns.push_back(kind.form.schema());
  const auto with_text = [](Json form) { return schema::any_of({schema::text(), std::move(form)}); };
  definitions.update(
      {{"kernel", kernel_form().schema()},
       {"pattern", schema::any_of(patterns)},
       {"variation", variation_schema()},
       {"demand", demand_form().schema()},
       {"whole program", schema::list(schema::reference("element of the whole"), 1)},
       {"element of the whole", element_schema("program", true, true)},
       {"program", schema::list(schema::reference("element"), 1)},
       {"element", element_schema("program", true, false)},
       {"part", schema::list(schema::reference("element of a part"), 1)},
       {"element of a part", element_schema("part", false, false)},
       {"arithmetic",
        schema::any_of({{{"type", "null"}}, schema::whole_number(1, kMaxCodeLength), arithmetic_form().schema()})},
       {"load", with_text(memory_form_of(Op::kLoad).schema())},
       {"store", with_text(memory_form_of(Op::kStore).schema())},
       {"atomic", with_text(memory_form_of(Op::kAtomic).schema())}});
}

std::vector<const MapForm*> kernel_forms() {
  std::vector<const MapForm*> forms{&kernel_form(), &variation_form(), &demand_form()};
  for (const PatternKind& kind : pattern_kinds()) forms.push_back(&kind.form);
  for (const MapForm* form :
       {&arithmetic_form(), &memory_form(), &spin_form(), &loop_form(), &warps_form(), &work_form(),
        &mbarrier_init_form(), &mbarrier_arrive_form(), &mbarrier_wait_form(), &tma_load_form()})
    forms.push_back(form);
  return forms;
}

}  // namespace gputlm

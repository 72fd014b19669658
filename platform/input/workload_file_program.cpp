#include "platform/input/workload_file_program.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "models/kernel/program_kernel.h"
#include "platform/input/nearest.h"

namespace gputlm {
namespace {

using schema::Json;
using What = decltype(ProgramElement::what);

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

MapForm form_of_spin() {
  MapForm form = MapForm("spin").fields<SpinElement>();
  with_nanoseconds(form, "", kMaxSpinUs);
  with_nanoseconds(form, "_per_sm", kMaxSpinPerSmUs);
  return form.rule({[](const YamlMap& map) {
                      if (map.node().entries().empty()) map.node().fail("the time is missing");
                    },
                    [](Json& schema) { schema["minProperties"] = 1; }});
}

template <class Element>
MapForm form_with_body(const char* name, const char* definition, const char* meaning) {
  return MapForm(name).fields<Element>().key("body", schema::reference(definition), meaning, kRequired);
}

/// The forms of the mappings after the names of elements.
struct ElementForms {
  MapForm arithmetic = MapForm("arithmetic").fields<ArithmeticElement>().rule(one_form_of_registers());
  MapForm memory = MapForm("load").fields<MemoryElement>().rule(one_form_of_registers()).rule(one_member());
  MapForm spin = form_of_spin();
  MapForm loop = form_with_body<LoopElement>("loop", "program", "Body of the loop");
  MapForm warps = form_with_body<WarpsElement>("warps", "part", "Program of these warps");
  MapForm work = form_with_body<WorkElement>("work", "program", "Program of each unit");
  MapForm mbarrier_init = MapForm("mbarrier_init").fields<MbarrierInit>();
  MapForm mbarrier_arrive = MapForm("mbarrier_arrive").fields<MbarrierArrive>().rule(one_member());
  MapForm mbarrier_wait = MapForm("mbarrier_wait").fields<MbarrierWait>();
  MapForm tma_load = MapForm("tma_load").fields<BulkLoad>();
};
const ElementForms& element_forms() {
  static const ElementForms forms;
  return forms;
}

/// The keys of an element with `op`, as compile() checks (models/kernel/program_code.cpp).
MapForm memory_form_of(Op op) {
  MapForm form = element_forms().memory;
  if (op == Op::kStore) {
    form.restrict("space", schema::one_of({"global", "local", "shared", "cluster"}))
        .restrict("distance", {{"const", 0}});
    form.without("dst", "a store writes no register");
  }
  if (op == Op::kAtomic)
    form.restrict("space", schema::one_of({"global", "shared", "cluster"})).restrict("width", {{"enum", {4, 8}}});
  return form;
}

SpinElement read_spin(const YamlNode& node) {
  const YamlMap map = element_forms().spin.read(node);
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

class ProgramReader;

/// A kind of program element: its name, reader and writer. Kinds are in the order in which users see them.
struct ElementKind {
  const char* name;
  const char* meaning;
  std::function<Json()> form;  ///< built when a schema is requested
  bool alone;                  ///< whether the name may stand without a value
  std::function<What(ProgramReader&, const YamlNode* value)> read;
  /// The value after the name; null: no value. None: the element has another kind.
  std::function<std::optional<Json>(const What&)> write;
};
const std::vector<ElementKind>& element_kinds();

/// Reads the elements of a program. Notes which patterns only shared memory uses, for their default base.
class ProgramReader {
 public:
  ProgramReader(const std::vector<AddressPattern>& patterns, std::vector<bool>& global) : global_(global) {
    global_.assign(patterns.size(), false);
    for (const AddressPattern& pattern : patterns) names_.push_back(pattern.name);
  }

  std::vector<ProgramElement> body(const YamlNode& node) {
    std::vector<ProgramElement> elements;
    for (const YamlNode& item : node.items()) elements.push_back(element(item));
    if (elements.empty()) node.fail("the list is empty, but at least one element is needed");
    return elements;
  }

  MemoryElement memory(Op op, const YamlNode& node) {
    MemoryElement element;
    element.op = op;
    std::optional<YamlNode> pattern = node;
    if (!node.is_scalar()) {
      const YamlMap map = element_forms().memory.read(node);
      pattern = map.at("pattern");
      read_fields(map, element);
    }
    element.pattern = pattern->text();
    const std::size_t number = number_of(*pattern);
    if (element.space != Space::kShared && element.space != Space::kCluster) global_[number] = true;
    return element;
  }

  BulkLoad bulk_load(const YamlNode& node) {
    const YamlMap map = element_forms().tma_load.read(node);
    BulkLoad element;
    read_fields(map, element);
    global_[number_of(map.at("pattern"))] = true;
    return element;
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

 private:
  ProgramElement element(const YamlNode& item) {
    std::vector<std::string> names;
    for (const ElementKind& kind : element_kinds()) names.emplace_back(kind.name);
    if (item.is_scalar()) {  // only a name
      const ElementKind& kind = element_kinds()[item.one_of(names)];
      if (!kind.alone) item.fail("'" + std::string(kind.name) + "' needs a value");
      return {kind.read(*this, nullptr), item.line()};
    }
    const auto [name, value] = item.only_entry();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) item.fail("unknown instruction '" + name + "'" + suggestion(name, names));
    return {element_kinds()[static_cast<std::size_t>(found - names.begin())].read(*this, &value), item.line()};
  }

  /// The index of an address pattern, by its name.
  std::size_t number_of(const YamlNode& pattern) const {
    const auto found = std::find(names_.begin(), names_.end(), pattern.text());
    if (found == names_.end())
      pattern.fail("no address pattern of this kernel is named '" + pattern.text() + "'" +
                   suggestion(pattern.text(), names_));
    return static_cast<std::size_t>(found - names_.begin());
  }

  std::vector<std::string> names_;
  std::vector<bool>& global_;
};

/// `write` for elements of a type: takes one and returns an optional Json.
template <class Element, class Write>
std::function<std::optional<Json>(const What&)> writes(Write write) {
  return [write](const What& what) -> std::optional<Json> {
    const auto* const element = std::get_if<Element>(&what);
    return element ? write(*element) : std::optional<Json>();
  };
}

/// The value of `only` by itself if no other field needs to be written.
template <class Element>
Json fields_of(const Element& element, const char* only = "") {
  Json json = Json::object();
  write_fields(element, json);
  return json.size() == 1 && json.contains(only) ? Json(json[only]) : json;
}

ElementKind arithmetic(const char* name, const ArithmeticElement& kind) {
  return {name,
          "Number of instructions, or with registers",
          [] { return schema::reference("arithmetic"); },
          true,
          [kind](ProgramReader&, const YamlNode* node) {
            ArithmeticElement element = kind;
            if (!node || node->is_null()) return element;
            if (node->is_scalar()) {
              element.count = static_cast<std::uint32_t>(node->unsigned_number(1, kMaxCodeLength));
            } else {
              read_fields(element_forms().arithmetic.read(*node), element);
            }
            return element;
          },
          writes<ArithmeticElement>([kind](const ArithmeticElement& element) -> std::optional<Json> {
            if (element.pipe != kind.pipe || element.branches != kind.branches) return std::nullopt;
            Json json = fields_of(element, "count");
            return json.empty() ? Json() : json;
          })};
}

ElementKind memory(const char* name, Op op) {
  return {name,
          "Name of an address pattern, or with more",
          [name] { return schema::reference(name); },
          false,
          [op](ProgramReader& reader, const YamlNode* value) { return reader.memory(op, *value); },
          writes<MemoryElement>([op](const MemoryElement& element) {
            return element.op == op ? std::optional(fields_of(element, "pattern")) : std::nullopt;
          })};
}

/// The name alone is sufficient.
template <class Element>
ElementKind alone(const char* name, const char* meaning, const Element& element) {
  return {name,
          meaning,
          [] {
            return Json{{"type", "null"}};
          },
          true,
          [element](ProgramReader&, const YamlNode* value) {
            if (value && !value->is_null()) value->fail("found '" + value->text() + "', but it takes no value");
            return element;
          },
          writes<Element>([element](const Element& other) {
            if constexpr (std::is_empty_v<Element>)
              return std::optional<Json>(std::in_place);
            else
              return other.kind == element.kind ? std::optional<Json>(std::in_place) : std::nullopt;
          })};
}

/// A number alone, or a mapping.
template <class Element>
ElementKind of_mbarrier(const char* name, const char* meaning, const MapForm& form) {
  return {name,
          meaning,
          [&form] {
            return schema::any_of({schema::whole_number(0, kMbarriers - 1), form.schema()});
          },
          false,
          [&form](ProgramReader&, const YamlNode* value) {
            Element element;
            if (value->is_scalar()) {
              element.number = static_cast<std::uint32_t>(value->unsigned_number(0, kMbarriers - 1));
            } else {
              read_fields(form.read(*value), element);
            }
            return element;
          },
          writes<Element>([](const Element& element) { return std::optional(fields_of(element, "number")); })};
}

template <class Element>
ElementKind with_body(const char* name, const char* meaning, const MapForm& form) {
  return {
      name,
      meaning,
      [&form] { return form.schema(); },
      false,
      [&form](ProgramReader& reader, const YamlNode* value) { return reader.with_body<Element>(form.read(*value)); },
      writes<Element>([](const Element& element) {
        Json json = fields_of(element);
        json["body"] = written_program(element.body);
        return std::optional(json);
      })};
}

const std::vector<ElementKind>& element_kinds() {
  static const std::vector<ElementKind> kinds = [] {
    const ElementForms& forms = element_forms();
    std::vector<ElementKind> all;
    for (const auto& [name, kind] : arithmetic_kinds()) all.push_back(arithmetic(name, kind));
    for (const auto& [name, op] : {std::pair("load", Op::kLoad), {"store", Op::kStore}, {"atomic", Op::kAtomic}})
      all.push_back(memory(name, op));
    all.push_back({"barrier", "Its number", [] { return schema::whole_number(0, kBarriers - 1); }, true,
                   [](ProgramReader&, const YamlNode* value) {
                     return BarrierElement{value ? static_cast<std::uint32_t>(value->unsigned_number(0, kBarriers - 1))
                                                 : 0};
                   },
                   writes<BarrierElement>([](const BarrierElement& element) {
                     return std::optional(element.number == 0 ? Json() : Json(element.number));
                   })});
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
    all.push_back(of_mbarrier<MbarrierInit>("mbarrier_init", "A barrier in shared memory: its number, or with more",
                                            forms.mbarrier_init));
    all.push_back(of_mbarrier<MbarrierArrive>("mbarrier_arrive", "Arrives there, and says for how many bytes it waits",
                                              forms.mbarrier_arrive));
    all.push_back(
        of_mbarrier<MbarrierWait>("mbarrier_wait", "Waits until a phase there has ended", forms.mbarrier_wait));
    all.push_back({"tma_load", "TMA copies rows into shared memory, which count at an mbarrier",
                   [&forms] { return forms.tma_load.schema(); }, false,
                   [](ProgramReader& reader, const YamlNode* value) { return reader.bulk_load(*value); },
                   writes<BulkLoad>([](const BulkLoad& element) { return std::optional(fields_of(element)); })});
    for (const auto& [name, kind, meaning] :
         {std::tuple("launch_dependents", GridElement::Kind::kLaunchDependents,
                     "Its block lets a kernel that depends on this one begin (programmatic dependent launch)"),
          {"grid_dependency_wait", GridElement::Kind::kGridDependencyWait,
           "Waits until the kernel that this one depends on has ended"}})
      all.push_back(alone(name, meaning, GridElement{kind}));
    all.push_back({"spin", "Waits until so long after the block's start", [&forms] { return forms.spin.schema(); },
                   false, [](ProgramReader&, const YamlNode* value) { return read_spin(*value); },
                   writes<SpinElement>([](const SpinElement& element) {
                     const Json json = fields_of(element);
                     return std::optional(json.empty() ? Json{{"us", 0}} : json);
                   })});
    all.push_back(with_body<LoopElement>("loop", "Again and again", forms.loop));
    all.push_back(with_body<WarpsElement>("warps", "A part for some warps of a block", forms.warps));
    all.push_back(with_body<WorkElement>("work", "Units of work that the blocks divide", forms.work));
    return all;
  }();
  return kinds;
}

/// Schema of an element of the program named `program`. Parts for some warps of a block contain no barriers. Only an
/// outermost element may be work.
Json element_schema(const std::string& program, bool barriers, bool outermost) {
  std::vector<schema::Key> keys;
  std::vector<std::string> alone;
  for (const ElementKind& kind : element_kinds()) {
    const std::string name = kind.name;
    const bool waits_for_all = name == "barrier" || name.rfind("cluster_", 0) == 0;
    if ((waits_for_all && !barriers) || (name == "work" && !outermost)) continue;
    if (kind.alone) alone.push_back(name);
    Json form = kind.form();
    if (name == "loop") form = MapForm(element_forms().loop).restrict("body", schema::reference(program)).schema();
    keys.push_back({{name, {}, kind.meaning}, std::move(form)});
  }
  Json several = schema::mapping(keys);
  several["minProperties"] = several["maxProperties"] = 1;
  return schema::any_of({schema::one_of(alone), several});
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

std::vector<ProgramElement> read_program(const YamlNode& node, const std::vector<AddressPattern>& patterns,
                                         std::vector<bool>& global) {
  return ProgramReader(patterns, global).body(node);
}

Json written_program(const std::vector<ProgramElement>& body) {
  Json list = Json::array();
  for (const ProgramElement& element : body) {
    std::optional<Json> value;
    const auto& kinds = element_kinds();
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const ElementKind& one) {
      value = one.write(element.what);
      return value.has_value();
    });
    if (kind == kinds.end()) throw std::logic_error("an instruction of no kind");
    list.push_back(value->is_null() ? Json(kind->name) : Json{{kind->name, *value}});
  }
  return list;
}

void add_program_definitions(Json& definitions) {
  const auto with_text = [](Json form) { return schema::any_of({schema::text(), std::move(form)}); };
  definitions.update({{"whole program", schema::list(schema::reference("element of the whole"), 1)},
                      {"element of the whole", element_schema("program", true, true)},
                      {"program", schema::list(schema::reference("element"), 1)},
                      {"element", element_schema("program", true, false)},
                      {"part", schema::list(schema::reference("element of a part"), 1)},
                      {"element of a part", element_schema("part", false, false)},
                      {"arithmetic", schema::any_of({{{"type", "null"}},
                                                     schema::whole_number(1, kMaxCodeLength),
                                                     element_forms().arithmetic.schema()})},
                      {"load", with_text(memory_form_of(Op::kLoad).schema())},
                      {"store", with_text(memory_form_of(Op::kStore).schema())},
                      {"atomic", with_text(memory_form_of(Op::kAtomic).schema())}});
}

std::vector<const MapForm*> program_forms() {
  const ElementForms& f = element_forms();
  return {&f.arithmetic,    &f.memory,          &f.spin,          &f.loop,    &f.warps, &f.work,
          &f.mbarrier_init, &f.mbarrier_arrive, &f.mbarrier_wait, &f.tma_load};
}

}  // namespace gputlm

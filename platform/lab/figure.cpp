#include "platform/lab/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "platform/input/yaml_reader.h"
#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

double number_of(const Quantity& quantity) {
  if (const auto number = quantity.number()) return *number;
  throw std::logic_error("'" + quantity.text() + "' is no number, but is judged as one");
}

template <class Found>
void read(const YamlNode& node, const std::string& path, std::string place, Found found) {
  const auto entries = node.entries();
  for (const auto& [key, value] : entries) {
    if (key == "place") place = value.text();
  }
  for (const auto& [key, value] : entries) {
    if (key == "place") continue;
    const std::string here = path.empty() ? key : path + "." + key;
    if (value.is_map()) {
      read(value, here, place, found);
    } else {
      if (place.empty()) value.fail("has no place in the paper");
      found(here, value.text(), place);
    }
  }
}

constexpr double kSamePlace = 0.1;  ///< a miss within this share of its recorded value is the same miss

KnownMiss::Figures read_figures(const std::optional<YamlNode>& node) {
  KnownMiss::Figures figures;
  if (!node) return figures;
  for (const auto& [name, value] : node->entries()) figures.emplace(name, Quantity::of_text(value.text()));
  return figures;
}

KnownMiss read_miss(const YamlNode& node) {
  const YamlMap map(node, {"since", "why", "tried", "ours", "quick"});
  KnownMiss miss{map.at("since").text(), map.at("why").text(), map.at("tried").text(), read_figures(map.find("ours")),
                 read_figures(map.find("quick"))};
  if (miss.ours.empty() && miss.quick.empty()) node.fail("names no figure, neither 'ours' nor 'quick'");
  return miss;
}

bool same_place(const Quantity& noted, const Quantity& ours) {
  if (noted.text() == ours.text()) return true;
  if (!noted.number() || !ours.number()) return false;
  return std::abs(*ours.number() - *noted.number()) <= kSamePlace * std::abs(*noted.number());
}

}  // namespace

Quantity Quantity::of_text(const std::string& text) {
  Quantity quantity(text);
  quantity.number_ = parse_number<double>(text);
  return quantity;
}

Quantity Quantity::number(double value, int digits, const std::string& unit) {
  Quantity quantity(fmt::format("{:.{}f}", value, digits) + unit);
  quantity.number_ = value;
  return quantity;
}

Band Band::exact() { return {Kind::kExact, "equal"}; }

Band Band::within(double difference) {
  return {Kind::kWithin, fmt::format("within {:.2f}", difference), 0, difference};
}

Band Band::within_share(double share) {
  return {Kind::kWithinShare, fmt::format("within {:.0f} %", share * 100), 0, share};
}

Band Band::range(double least, double most, int digits) {
  return {Kind::kRange, fmt::format("{:.{}f} to {:.{}f}", least, digits, most, digits), least, most};
}

Band Band::near_one(double difference) {
  return {Kind::kRange, fmt::format("within {:.0f} % of 1", 100 * difference), 1 - difference, 1 + difference};
}

Band Band::slower(double than) {
  const double bound = 1.05 * than;
  return {Kind::kAbove, fmt::format("above {:.2f}", bound), bound};
}

Band Band::above(double bound) { return {Kind::kAbove, fmt::format("above {:g}", bound), bound}; }

Band Band::below(double bound) { return {Kind::kBelow, fmt::format("below {:g}", bound), 0, bound}; }

Band Band::trend(std::string name, bool holds) { return {holds ? Kind::kHolds : Kind::kFails, std::move(name)}; }

Band Band::named(std::string name) && {
  name_ = std::move(name);
  return std::move(*this);
}

bool Band::agrees(const Quantity& paper, const Quantity& ours) const {
  switch (kind_) {
    case Kind::kExact: return paper.text() == ours.text();
    case Kind::kWithin: return std::abs(number_of(ours) - number_of(paper)) <= high_;
    case Kind::kWithinShare: return std::abs(number_of(ours) / number_of(paper) - 1) <= high_;
    case Kind::kRange: return low_ <= number_of(ours) && number_of(ours) <= high_;
    case Kind::kAbove: return number_of(ours) > low_;
    case Kind::kBelow: return number_of(ours) < high_;
    case Kind::kHolds: return true;
    case Kind::kFails: return false;
  }
  return false;
}

Figure exact_figure(std::string name, Quantity paper, Quantity ours, std::string note) {
  return {std::move(name), std::move(paper), std::move(ours), Band::exact(), std::move(note)};
}

Reference::Reference(const std::string& yaml, const std::string& file) : file_(file) {
  read(YamlNode::load_text(yaml, file), "", "",
       [&](const std::string& key, const std::string& text, const std::string& place) {
         facts_[key] = {Quantity::of_text(text), place};
       });
}

const Reference::Fact& Reference::fact(const std::string& key) const {
  const auto found = facts_.find(key);
  if (found == facts_.end()) throw std::logic_error(file_ + " has no '" + key + "'");
  return found->second;
}

const Quantity& Reference::at(const std::string& key) const { return fact(key).value; }
const std::string& Reference::place(const std::string& key) const { return fact(key).place; }

double Reference::number(const std::string& key) const {
  if (const auto number = at(key).number()) return *number;
  throw std::logic_error(file_ + ": '" + key + "' is no number");
}

std::vector<std::string> Reference::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, fact] : facts_) keys.push_back(key);
  return keys;
}

const Reference& reference(const std::string& paper) {
  static const std::map<std::string, Reference> all = [] {
    std::map<std::string, Reference> read;
    for (const PresetSource& source : reference_sources()) {
      std::string name = source.name;
      for (char& c : name) c = c == '_' ? '-' : c;
      read.emplace(name, Reference(source.yaml, "platform/experiments/" + source.name + "/reference.yaml"));
    }
    return read;
  }();
  const auto found = all.find(paper);
  if (found == all.end()) throw std::logic_error("there is no reference of '" + paper + "'");
  return found->second;
}

KnownMisses::KnownMisses(const std::string& yaml, const std::string& file) {
  for (const auto& [experiment, list] : YamlNode::load_text(yaml, file).entries()) {
    for (const YamlNode& item : list.items()) misses_[experiment].push_back(read_miss(item));
  }
}

const std::vector<KnownMiss>& KnownMisses::of(const std::string& experiment) const {
  static const std::vector<KnownMiss> none;
  const auto found = misses_.find(experiment);
  return found == misses_.end() ? none : found->second;
}

std::vector<std::string> KnownMisses::experiments() const {
  std::vector<std::string> names;
  for (const auto& [name, misses] : misses_) names.push_back(name);
  return names;
}

const KnownMisses& known_misses() {
  static const KnownMisses all(known_misses_source().front().yaml, "platform/experiments/known-misses.yaml");
  return all;
}

std::size_t Judgement::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::count(verdicts.begin(), verdicts.end(), verdict));
}

Judgement judge(const std::vector<Figure>& figures, const std::vector<KnownMiss>& known, bool quick) {
  std::map<std::string, const KnownMiss*> listed;  // misses that are listed, by figure
  for (const KnownMiss& miss : known) {
    for (const auto& [figure, noted] : miss.in_form(quick)) listed.emplace(figure, &miss);
  }
  Judgement judgement;
  auto stale = listed;
  for (const Figure& figure : figures) {
    const auto found = listed.find(figure.name);
    std::string why;
    Verdict verdict = figure.agrees() ? Verdict::kAgrees : Verdict::kNewMiss;
    if (verdict == Verdict::kNewMiss && found != listed.end()) {
      const KnownMiss& miss = *found->second;
      stale.erase(figure.name);  // it misses, even if it has moved
      if (same_place(miss.in_form(quick).at(figure.name), figure.ours)) {
        verdict = Verdict::kKnownMiss;
        why = fmt::format("known since {}: {}", miss.since, miss.why);
      }
    }
    judgement.verdicts.push_back(verdict);
    judgement.why.push_back(why);
  }
  for (const auto& [figure, miss] : stale) judgement.stale.push_back(figure);
  return judgement;
}

std::string counts_text(std::size_t agree, std::size_t known, std::size_t fresh) {
  return fmt::format("{} figures: {} agree, {} known misses, {} new misses", agree + known + fresh, agree, known,
                     fresh);
}

}  // namespace gputlm

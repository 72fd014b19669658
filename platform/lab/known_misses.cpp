#include "platform/lab/known_misses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "platform/input/yaml_reader.h"

namespace gputlm {

namespace {

constexpr double kSamePlace = 0.1;  ///< a miss within this share of where it was is the same miss

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
  std::map<std::string, const KnownMiss*> listed;  // by figure
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
      stale.erase(figure.name);  // it misses, though it may have moved
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

#include "platform/input/arrivals_form.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

#include "models/host/arrivals.h"
#include "platform/files/atomic_file.h"
#include "platform/files/csv.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr const char* kReleases = "releases_us";
constexpr Microseconds kRelease{0, kMaxReleaseUs};

using schema::Json;

void check(const YamlMap& map) {
  if (map.find(kReleases)) {
    for (const MapForm::Key& key : arrivals_form().keys()) {
      if (key.name == kReleases) continue;
      if (const auto other = map.find(key.name))
        other->fail("a launch has 'releases_us' or '" + key.name + "', not both");
    }
  }
  const auto repeat = map.find("repeat");
  const bool again = repeat && repeat->unsigned_number(1, kMaxRepeats) > 1;
  for (const char* key : {"period_us", "sporadic_us"}) {
    const auto node = map.find(key);
    if (node && !again) node->fail("'" + std::string(key) + "' needs a 'repeat' of 2 or more");
  }
  const auto seed = map.find("seed");
  if (seed && !map.find("sporadic_us") && !map.find("jitter_us"))
    seed->fail("'seed' has no effect without 'sporadic_us' or 'jitter_us'");
}

void say(Json& schema) {
  const Json repeated{{"required", {"repeat"}}, {"properties", {{"repeat", {{"minimum", 2}}}}}};
  Json others = Json::array();
  for (const MapForm::Key& key : arrivals_form().keys()) {
    if (key.name != kReleases) others.push_back({{"required", {key.name}}});
  }
  schema["dependencies"] = {{"period_us", repeated},
                            {"sporadic_us", repeated},
                            {"seed", schema::any_key({"sporadic_us", "jitter_us"})},
                            {kReleases, {{"not", {{"anyOf", others}}}}}};
}

std::vector<Femtoseconds> read_list(const YamlNode& list) {
  if (list.is_map()) return read_release_table(list);
  std::vector<Femtoseconds> times;
  for (const YamlNode& item : list.items()) {
    const Femtoseconds time = forms::read(item, kRelease);
    if (!times.empty() && time < times.back()) item.fail("found a release before the previous one");
    times.push_back(time);
  }
  if (times.empty()) list.fail("the list is empty, but at least one release is needed");
  return times;
}

enum class Unit : std::uint8_t { kNanoseconds, kMicroseconds, kMilliseconds, kSeconds };
constexpr double kMicrosecondsOf[] = {1e-3, 1, 1e3, 1e6};

struct ReleaseTable {
  std::string csv, column;
  Unit unit = Unit::kMicroseconds;
  double scale = 1;
  std::uint64_t rows = kMaxRepeats;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = ReleaseTable;
    v.required(&S::csv, "csv", Text{},
               "CSV file, relative to the workload file, with a header and one line per release");
    v.required(&S::column, "column", Text{},
               "Column with the times, in ascending order; they count from the first row");
    v.field(&S::unit, "unit", OneOf{"ns", "us", "ms", "s"}, "Unit of the times");
    v.field(&S::scale, "scale", Real{1e-9, 1e9, kPlain}, "Factor for the times: 0.001 makes an hour 3.6 s");
    v.field(&S::rows, "rows", Whole{1, kMaxRepeats, "rows"}, "Maximum number of rows");
  }
};

}  // namespace

const MapForm& arrivals_form() {
  static const MapForm form =
      MapForm("release")
          .fields<Arrivals>()
          .key(kReleases,
               schema::any_of({schema::list(forms::schema_of(kRelease), 1), schema::reference("release table")}),
               "Replaces all of these: a list of times, or those of a CSV file")
          .rule({check, say});
  return form;
}

std::vector<Femtoseconds> read_arrivals(const YamlMap& map, std::uint64_t seed) {
  if (const auto list = map.find(kReleases)) return read_list(*list);
  Arrivals arrivals;
  read_fields(map, arrivals);
  if (!arrivals.seed) arrivals.seed = seed;
  const double last_us = (static_cast<double>(arrivals.first) +
                          static_cast<double>(arrivals.jobs - 1) *
                              (static_cast<double>(arrivals.period) + static_cast<double>(arrivals.sporadic))) *
                         1e-9;
  if (last_us > kMaxReleaseUs) {
    map.at(arrivals.period ? "period_us" : "sporadic_us")
        .fail("the last release would be at " + std::to_string(std::llround(last_us)) + " us, but at most " +
              std::to_string(std::llround(kMaxReleaseUs)) + " are allowed");
  }
  return release_times(arrivals);
}

std::optional<Femtoseconds> read_min_interarrival(const YamlMap& map) {
  Arrivals arrivals;
  if (!map.find("sporadic_us")) return std::nullopt;
  read_fields(map, arrivals);
  if (arrivals.sporadic == 0 || arrivals.period == 0 || arrivals.jitter > 0) return std::nullopt;
  return arrivals.period;
}

const MapForm& release_table_form() {
  static const MapForm form = MapForm("release table").fields<ReleaseTable>();
  return form;
}

std::vector<Femtoseconds> read_release_table(const YamlNode& node) {
  ReleaseTable table;
  read_fields(release_table_form().read(node), table);
  const std::string path = (std::filesystem::path(node.file()).parent_path() / table.csv).lexically_normal().string();
  const std::string text = read_text(path);
  CsvReader rows(path, text, CsvReader::Comments::kHash);
  const std::size_t column = rows.column(table.column);
  const double us = kMicrosecondsOf[static_cast<std::size_t>(table.unit)] * table.scale;
  std::vector<Femtoseconds> times;
  double first = 0, before = -std::numeric_limits<double>::infinity();
  while (times.size() < table.rows && rows.next()) {
    const double time = rows.real(column);
    if (times.empty()) first = time;
    if (time < before) rows.fail(fmt::format("{}: found {}, which is before the previous row", table.column, time));
    before = time;
    const double after = (time - first) * us;
    if (after > kMaxReleaseUs) {
      rows.fail(
          fmt::format("{}: found a release {:.0f} us after the first, allowed: {:.0f} ('rows' and 'scale' make it "
                      "less)",
                      table.column, after, kMaxReleaseUs));
    }
    times.push_back(static_cast<Femtoseconds>(std::llround(after * 1e9)));
  }
  if (times.empty()) throw InputError(path, 0, "there is no row, but at least one release is needed");
  return times;
}

}  // namespace gputlm

#include "platform/input/release_table.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

#include "models/host/arrivals.h"
#include "platform/files/csv_reader.h"
#include "platform/files/text_file.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

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
    v.required(&S::csv, "csv", Text{}, "File, relative to that of the workload; a header and a line a release");
    v.required(&S::column, "column", Text{}, "With the times, in order; they count from that of the first row");
    v.field(&S::unit, "unit", OneOf{"ns", "us", "ms", "s"}, "Of the times");
    v.field(&S::scale, "scale", Real{1e-9, 1e9, kPlain}, "Times are multiplied by it: 0.001 makes an hour 3.6 s");
    v.field(&S::rows, "rows", Whole{1, kMaxRepeats, "rows"}, "So many at most");
  }
};

}  // namespace

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
    if (time < before) rows.fail(fmt::format("{}: found {}, which is before the row before", table.column, time));
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

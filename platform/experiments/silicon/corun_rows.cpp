#include "platform/experiments/silicon/corun_rows.h"

#include "platform/input/map_form.h"

namespace gputlm {
namespace {

const MapForm& beside_form() {
  static const MapForm form = MapForm("beside").fields<CorunKernel>();
  return form;
}

const MapForm& row_form() {
  static const MapForm form =
      MapForm("row").fields<CorunRow>().key("beside", beside_form().schema(), "The second kernel; default: the first");
  return form;
}

const MapForm& group_form() {
  static const MapForm form = MapForm("group").with(row_form()).key("rows", {{"type", "object"}}, "By name", kRequired);
  return form;
}

void read_row(const YamlMap& map, CorunRow& row) {
  read_fields(map, row);
  if (const auto beside = map.find("beside")) {
    row.same = false;
    read_fields(beside_form().read(*beside), row.second);
  }
}

void check(const YamlNode& node, const CorunKernel& kernel) {
  if (kernel.grid == 0 || kernel.block == 0) node.fail("has no grid or no block");
  if (kernel.sleeps() ? kernel.sleep == 0 : kernel.units() == 0) node.fail("does not say how much its kernel does");
  if (kernel.apart && kernel.apart < kernel.bytes) node.fail("has blocks whose memory overlaps");
  if (kernel.moves() && kernel.bytes == 0) node.fail("does not say what it reads or writes");
}

}  // namespace

std::vector<CorunRow> corun_rows(const std::string& yaml, const std::string& file) {
  std::vector<CorunRow> all;
  const YamlMap map(YamlNode::load_text(yaml, file), {"gpu", "source", "groups"});
  const std::string gpu = map.at("gpu").text();
  const std::string source = map.at("source").text();
  for (const auto& [group, node] : map.at("groups").entries()) {
    const YamlMap common = group_form().read(node);
    for (const auto& [name, own] : common.at("rows").entries()) {
      CorunRow row;
      row.group = group;
      row.name = name;
      row.gpu = gpu;
      row.source = source;
      read_row(common, row);
      read_row(row_form().read(own), row);
      if (row.same) row.second = row.first;
      if (row.place.empty()) own.fail("does not say where it was measured");
      row.place = row.source + " " + row.place;
      check(own, row.first);
      check(own, row.second);
      all.push_back(std::move(row));
    }
  }
  return all;
}

}  // namespace gputlm

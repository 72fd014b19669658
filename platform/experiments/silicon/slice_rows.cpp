#include "platform/experiments/silicon/slice_rows.h"

#include "platform/input/map_form.h"

namespace gputlm {

std::vector<SliceRow> slice_rows(const std::string& yaml, const std::string& file) {
  static const MapForm form = MapForm("row").fields<SliceRow>();
  std::vector<SliceRow> all;
  const YamlMap map(YamlNode::load_text(yaml, file), {"rows"});
  for (const auto& [name, node] : map.at("rows").entries()) {
    SliceRow& row = all.emplace_back();
    row.name = name;
    read_fields(form.read(node), row);
    if ((row.blocks == 0) == (row.block == 0)) node.fail("has to have a number of blocks, or a time that one takes");
    if (row.has_hog() != (row.hog_block > 0)) node.fail("has a hog without threads, or without a time for its blocks");
  }
  return all;
}

}  // namespace gputlm

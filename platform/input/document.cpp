#include "platform/input/document.h"

namespace gputlm {
namespace {

/// Appends what leads from `from` to `to`, if it is there.
bool append_path(const Document::Node& from, const Document::Node& to, std::string& path) {
  if (&from == &to) return true;
  const bool is_map = from.kind == Document::Node::Kind::kMap;
  const std::size_t before = path.size();
  for (std::size_t i = 0; i < from.children.size(); ++i) {
    if (is_map && i % 2 == 0) {
      if (from.children[i] == &to) return true;
      continue;
    }
    path += is_map ? (path.empty() ? "" : ".") + from.children[i - 1]->text : "[" + std::to_string(i) + "]";
    if (append_path(*from.children[i], to, path)) return true;
    path.resize(before);
  }
  return false;
}

}  // namespace

std::string Document::path_to(const Node& node) const {
  std::string path;
  append_path(*root_, node, path);
  return path;
}

}  // namespace gputlm

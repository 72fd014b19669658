#include "platform/input/variants.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>

#include "platform/files/atomic_file.h"
#include "platform/input/document.h"
#include "platform/input/nearest.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using DocumentNode = Document::Node;
using NodeKind = DocumentNode::Kind;

constexpr const char* kVariants = "variants";

const DocumentNode* find_key(const DocumentNode& map, const std::string& key) {
  for (std::size_t i = 0; i + 1 < map.children.size(); i += 2) {
    if (map.children[i]->text == key) return map.children[i + 1];
  }
  return nullptr;
}

/// Whether an entry of a variant's list removes an entry of the list that it changes: `- hog: ~`.
bool takes_away(const DocumentNode& entry) {
  return entry.kind == NodeKind::kMap && entry.children.size() == 2 && entry.children[1]->kind == NodeKind::kNull;
}

/// The name of a list entry; null if it has none.
const std::string* entry_name(const DocumentNode& entry) {
  if (entry.kind != NodeKind::kMap) return nullptr;
  for (const char* const key : {"name", "job", "kernel"}) {
    const DocumentNode* const name = find_key(entry, key);
    if (name) return name->kind == NodeKind::kText ? &name->text : nullptr;
  }
  return nullptr;
}

/// The name of an entry of a variant's list, including the name that it removes; null if it has none.
const std::string* changed_name(const DocumentNode& entry) {
  return takes_away(entry) ? &entry.children[0]->text : entry_name(entry);
}

using NameOf = const std::string* (*)(const DocumentNode&);

/// Whether all entries have names, and the names are distinct.
bool has_names(const DocumentNode& list, NameOf name_of) {
  std::set<std::string> seen;
  return !list.children.empty() &&
         std::all_of(list.children.begin(), list.children.end(), [&](const DocumentNode* entry) {
           const std::string* const name = name_of(*entry);
           return name && seen.insert(*name).second;
         });
}

/// The entry of `list` with this name; null if there is none.
const DocumentNode* find_named(const DocumentNode& list, const std::string& name, NameOf name_of) {
  const auto found = std::find_if(list.children.begin(), list.children.end(),
                                  [&](const DocumentNode* entry) { return *name_of(*entry) == name; });
  return found == list.children.end() ? nullptr : *found;
}

/// Copies and merges trees into a document.
class Merger {
 public:
  explicit Merger(DocumentBuilder& builder) : builder_(builder) {}

  void copy(const DocumentNode& node) {
    if (node.kind != NodeKind::kList && node.kind != NodeKind::kMap) {
      builder_.add(node.kind, node.text, node.line);
      return;
    }
    builder_.begin(node.kind, node.line);
    for (const DocumentNode* child : node.children) copy(*child);
    builder_.end();
  }

  void merge(const DocumentNode& base, const DocumentNode& change) {
    if (base.kind == NodeKind::kMap && change.kind == NodeKind::kMap) return merge_maps(base, change);
    if (base.kind == NodeKind::kList && change.kind == NodeKind::kList && has_names(base, entry_name) &&
        has_names(change, changed_name))
      return merge_names(base, change);
    copy(change);
  }

  void merge_maps(const DocumentNode& base, const DocumentNode& change, const std::string& without = {}) {
    builder_.begin(NodeKind::kMap, base.line);
    for (std::size_t i = 0; i + 1 < base.children.size(); i += 2) {
      const DocumentNode& key = *base.children[i];
      if (key.text == without) continue;
      const DocumentNode* const changed = find_key(change, key.text);
      if (changed && changed->kind == NodeKind::kNull) continue;
      copy(key);
      changed ? merge(*base.children[i + 1], *changed) : copy(*base.children[i + 1]);
    }
    for (std::size_t i = 0; i + 1 < change.children.size(); i += 2) {
      if (find_key(base, change.children[i]->text) || change.children[i + 1]->kind == NodeKind::kNull) continue;
      copy(*change.children[i]);
      copy(*change.children[i + 1]);
    }
    builder_.end();
  }

 private:
  void merge_names(const DocumentNode& base, const DocumentNode& change) {
    builder_.begin(NodeKind::kList, base.line);
    for (const DocumentNode* entry : base.children) {
      const DocumentNode* const changed = find_named(change, *entry_name(*entry), changed_name);
      if (changed && takes_away(*changed)) continue;
      changed ? merge(*entry, *changed) : copy(*entry);
    }
    for (const DocumentNode* entry : change.children) {
      if (!find_named(base, *changed_name(*entry), entry_name)) copy(*entry);
    }
    builder_.end();
  }

  DocumentBuilder& builder_;
};

std::shared_ptr<const Document> changed(const DocumentNode& base, const DocumentNode& change, const std::string& file,
                                        const std::string& without) {
  DocumentBuilder builder("", file);
  Merger(builder).merge_maps(base, change, without);
  return builder.document();
}

/// The variants of a document, as a mapping; null if it has none.
const DocumentNode* variants_in(const Document& document) {
  if (document.root().kind != NodeKind::kMap) return nullptr;
  const DocumentNode* const variants = find_key(document.root(), kVariants);
  return variants && variants->kind == NodeKind::kMap ? variants : nullptr;
}

std::vector<std::string> variant_names(const DocumentNode* variants) {
  std::vector<std::string> names;
  for (std::size_t i = 0; variants && i < variants->children.size(); i += 2)
    names.push_back(variants->children[i]->text);
  return names;
}

/// The changes of the variant `name` of the document.
const DocumentNode& change_of(const Document& document, const std::string& name) {
  const DocumentNode* const variants = variants_in(document);
  const DocumentNode* const change = variants ? find_key(*variants, name) : nullptr;
  if (!change) {
    throw InputError(document.file(), variants ? variants->line : 0,
                     "no variant '" + shortened(name) + "'" +
                         (variants ? suggestion(name, variant_names(variants)) : "; the file has no 'variants'"));
  }
  if (change->kind != NodeKind::kMap)
    throw InputError(document.file(), change->line, "variants." + name + ": allowed: a mapping of what it changes");
  return *change;
}

YamlNode document_of(const std::string& text, const VariantPath& path) {
  const auto document = Document::parse_yaml(text, path.file);
  auto with_changes = document;
  for (const std::string& name : path.variants)
    with_changes = changed(with_changes->root(), change_of(*document, name), path.file, kVariants);
  return YamlNode::root_of(with_changes);
}

std::string read_document(const std::string& file) { return read_text(file, Document::kMaxBytes); }

}  // namespace

VariantPath variant_path(const std::string& path) {
  const std::size_t hash = path.rfind('#');
  std::error_code error;
  if (hash == std::string::npos || std::filesystem::exists(path, error)) return {path, {}};
  VariantPath parts{path.substr(0, hash), {}};
  for (std::size_t at = hash; at != std::string::npos;) {
    const std::size_t next = path.find('+', at + 1);
    parts.variants.push_back(path.substr(at + 1, next == std::string::npos ? next : next - at - 1));
    at = next;
  }
  return parts;
}

YamlNode load_variant(const std::string& path) {
  const VariantPath parts = variant_path(path);
  return document_of(read_document(parts.file), parts);
}

YamlNode variant_of_text(const std::string& text, const std::string& name) {
  return document_of(text, variant_path(name));
}

YamlNode merged(const YamlNode& base, const YamlNode& change, const std::string& without) {
  return YamlNode::root_of(changed(base.node(), change.node(), base.file(), without));
}

std::vector<std::string> variants_of_text(const std::string& text, const std::string& name) {
  const auto document = Document::parse_yaml(text, name);
  std::vector<std::string> names = variant_names(variants_in(*document));
  if (names.empty()) throw InputError(name, 0, "the file has no 'variants'");
  return names;
}

std::vector<std::string> expand_variants(const std::string& path, const std::string& folder) {
  const VariantPath parts = variant_path(path);
  if (parts.variants.empty() || parts.variants.front() != "*") return {path};
  const auto others = parts.variants.begin() + 1;
  const std::string behind = path.substr(parts.file.size() + 2);  // "#*"
  std::vector<std::string> paths;
  const std::string file = (std::filesystem::path(folder) / parts.file).lexically_normal().string();
  for (const std::string& name : variants_of_text(read_document(file), file)) {
    if (std::find(others, parts.variants.end(), name) == parts.variants.end())
      paths.push_back(parts.file + "#" + name + behind);
  }
  return paths;
}

}  // namespace gputlm

/// YAML as a Document.
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>
#include <unordered_map>

#include "platform/input/document_builder.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

std::size_t line_of(const YAML::Mark& mark) { return static_cast<std::size_t>(mark.line + 1); }

/// Makes nodes of yaml-cpp's events, which know no bounds: its own tree takes an alias to what it stands in, and calls of
/// itself for every level.
class YamlEvents final : public YAML::EventHandler {
 public:
  explicit YamlEvents(DocumentBuilder& builder) : builder_(builder) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    // A document begins wherever something is left behind the one before it; that may be where yaml-cpp gets no further
    // (the comma of `"a", b`), so that nothing may be read on.
    if (builder_.has_root()) builder_.fail(line_of(mark), "a second YAML document begins here, but one is allowed");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    anchors_[anchor] = &builder_.add(Kind::kNull, "", line_of(mark));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    builder_.repeat(*anchors_.at(anchor), line_of(mark));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_tag(mark, tag);
    if (value == "<<" && tag == "?") builder_.fail(line_of(mark), "merge keys (<<) are not supported");
    anchors_[anchor] = &builder_.add(Kind::kText, value, line_of(mark));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    check_tag(mark, tag);
    anchors_[anchor] = &builder_.begin(Kind::kList, line_of(mark));
  }
  void OnSequenceEnd() override { builder_.end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    check_tag(mark, tag);
    anchors_[anchor] = &builder_.begin(Kind::kMap, line_of(mark));
  }
  void OnMapEnd() override { builder_.end(); }

 private:
  using Kind = Document::Node::Kind;

  /// Without a tag of its own, a plain scalar has "?", a quoted one "!", and a list or mapping either.
  void check_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag.empty() || tag == "?" || tag == "!") return;
    const std::string core = "tag:yaml.org,2002:";  // which `!!` stands for
    const std::string written = tag.rfind(core, 0) == 0 ? "!!" + tag.substr(core.size()) : tag;
    builder_.fail(line_of(mark), "found the tag '" + shortened(written) + "', but tags are not supported");
  }

  DocumentBuilder& builder_;
  std::unordered_map<YAML::anchor_t, const Document::Node*> anchors_;  // that of YAML::NullAnchor is never asked for
};

}  // namespace

std::shared_ptr<const Document> Document::parse_yaml(const std::string& text, const std::string& name) {
  DocumentBuilder builder(text, name);
  YamlEvents events(builder);
  try {
    std::istringstream input(text);
    YAML::Parser parser(input);
    while (parser.HandleNextDocument(events)) {
    }
  } catch (const YAML::Exception& error) {
    builder.fail(line_of(error.mark), "not YAML: " + error.msg);
  }
  if (!builder.has_root() || builder.document()->root().kind == Node::Kind::kNull) builder.fail(0, "the file is empty");
  return builder.document();
}

}  // namespace gputlm

#include "tlm/base/format_field.h"

#include <algorithm>
#include <cstring>

namespace gputlm {
namespace {

const FileFormat* formats = nullptr;  // set before any constructor runs

}  // namespace

FormatField::FormatField(FileFormat& of, const char* where, const char* called, const char* what, const char* in_unit,
                         const char* allowed, const char* said_by) noexcept
    : format(of), place(where), name(called), meaning(what), unit(in_unit), values(allowed), source(said_by),
      before_(of.last_) {
  if (!of.last_) {
    of.next_ = formats;
    formats = &of;
  }
  of.last_ = this;
}

std::vector<const FormatField*> FileFormat::fields() const {
  std::vector<const FormatField*> all;
  for (const FormatField* field = last_; field; field = field->before_) all.push_back(field);
  std::reverse(all.begin(), all.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const FormatField* a, const FormatField* b) { return std::strcmp(a->place, b->place) < 0; });
  return all;
}

std::vector<std::string> FileFormat::names(const char* place) const {
  std::vector<std::string> all;
  for (const FormatField* field = last_; field; field = field->before_) {
    if (std::strcmp(field->place, place) == 0) all.insert(all.begin(), field->name);
  }
  return all;
}

std::vector<const FileFormat*> file_formats() {
  std::vector<const FileFormat*> all;
  for (const FileFormat* format = formats; format; format = format->next_) all.push_back(format);
  std::sort(all.begin(), all.end(),
            [](const FileFormat* a, const FileFormat* b) { return std::strcmp(a->name, b->name) < 0; });
  return all;
}

}  // namespace gputlm

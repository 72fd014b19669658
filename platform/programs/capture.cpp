#include "platform/programs/capture.h"

#include <algorithm>

namespace gputlm {

Registry<CaptureFormat>& capture_formats() {
  static Registry<CaptureFormat> registry("format of captures");
  return registry;
}

const CaptureFormat* capture_format(const std::string& path) {
  const auto& all = capture_formats().all();
  const auto found = std::find_if(all.begin(), all.end(), [&](const CaptureFormat& f) { return f.takes(path); });
  return found == all.end() ? nullptr : &*found;
}

std::string capture_descriptions() {
  std::string text;
  for (const CaptureFormat& format : capture_formats()) text += (text.empty() ? "" : "; ") + format.description;
  return text;
}

}  // namespace gputlm

#include "platform/report/design_data.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "platform/files/text_file.h"
#include "tlm/error.h"

namespace gputlm {

std::optional<DesignKind> design_kind(const std::string& path) {
  // The schema comes first; a result of a run may be too large to be read for this.
  constexpr std::streamsize kBegin = 100;
  std::string begin(kBegin, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), kBegin);
  const std::string_view read(begin.data(), static_cast<std::size_t>(file.gcount()));
  if (read.find("\"gputlm-check-1\"") != std::string_view::npos) return DesignKind::kCheck;
  if (read.find("\"gputlm-cost-1\"") != std::string_view::npos) return DesignKind::kCost;
  return std::nullopt;
}

nlohmann::ordered_json design_data(const std::string& path) {
  auto result = nlohmann::ordered_json::parse(read_text(path), nullptr, /*allow_exceptions=*/false);
  if (!result.is_object()) throw InputError(path, 0, "is no JSON object");
  return {{"path", path}, {"result", std::move(result)}};
}

}  // namespace gputlm

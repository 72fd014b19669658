#include "platform/report/report_file.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "platform/report/document_data.h"
#include "platform/report/page.h"
#include "platform/report/run_data.h"
#include "tlm/digest.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

/// What a report begins with.
constexpr std::string_view kMark = "<!doctype html>\n<!-- A report of gputlm";

/// `<` as JSON may write it too: nothing in it ends the script that it stands in.
std::string for_a_script(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text.push_back(c);
    }
  }
  return text;
}

/// The page with what its marks, @nonce@ and so on, stand for.
std::string filled_in(std::string_view page, const std::vector<std::pair<std::string_view, std::string_view>>& marks) {
  std::string text;
  while (!page.empty()) {
    std::size_t at = page.size();
    std::pair<std::string_view, std::string_view> next;
    for (const auto& mark : marks) {
      const std::size_t place = page.find(mark.first);
      if (place < at) at = place, next = mark;
    }
    text.append(page.substr(0, at)).append(next.second);
    page.remove_prefix(std::min(page.size(), at + next.first.size()));
  }
  return text;
}

}  // namespace

std::string report_page(const std::vector<std::string>& results, std::size_t most_boxes) {
  using Json = nlohmann::ordered_json;
  Json all{{"runs", Json::array()},
           {"checks", Json::array()},
           {"costs", Json::array()},
           {"shares", Json::array()},
           {"studies", Json::array()}};
  for (const std::string& result : results) {
    if (const auto list = list_of_document(result)) {
      all[*list].push_back(document_data(result));
    } else {
      all["runs"].push_back(run_data(result, most_boxes / results.size()));
    }
  }
  const std::string data = for_a_script(all.dump(-1, ' ', false, Json::error_handler_t::replace));
  // Scripts run if they have the nonce alone, which nobody who chooses names in the data can know.
  const std::string nonce = sha1(data);
  return filled_in(page_source(), {{"@nonce@", nonce}, {"@echarts@", chart_library()}, {"@data@", data}});
}

void check_is_report(const std::string& path) {
  if (!std::filesystem::exists(path)) return;
  std::ifstream file(path, std::ios::binary);
  std::string begin(kMark.size(), '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (begin != kMark) throw InputError(path, 0, "is there and is no report, allowed: another name, or --force");
}

}  // namespace gputlm

#include "testbench/formal/value_dump.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace gputlm::formal {
namespace {

std::string as_number(const std::string& bits) {
  if (bits.find_first_not_of("01") != std::string::npos) return bits;
  std::string number;
  const std::string padded = std::string((4 - bits.size() % 4) % 4, '0') + bits;
  for (std::size_t i = 0; i < padded.size(); i += 4)
    number += "0123456789abcdef"[std::stoul(padded.substr(i, 4), nullptr, 2)];
  return number.substr(std::min(number.find_first_not_of('0'), number.size() - 1));
}

/// The names of the variables by their codes; several names may share one.
std::multimap<std::string, std::string> read_header(std::istream& in) {
  std::multimap<std::string, std::string> names;
  std::vector<std::string> scopes;
  for (std::string word; in >> word && word != "$enddefinitions";) {
    std::string type, name, bits, code;
    if (word == "$scope") {
      in >> type >> name;
      scopes.push_back(name);
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$var") {
      in >> type >> bits >> code >> name;
      std::string path;
      for (const std::string& scope : scopes) path += scope + '.';
      names.emplace(code, path + name);
    }
  }
  return names;
}

}  // namespace

std::map<std::string, std::vector<std::string>> values_by_cycle(const std::string& vcd,
                                                                const std::vector<std::string>& names, unsigned cycles,
                                                                unsigned period) {
  std::istringstream in(vcd);
  std::map<std::string, std::string> now;  // by code
  std::map<std::string, std::vector<std::string>> of_code, of_name;
  for (const auto& [code, name] : read_header(in)) {
    if (std::find(names.begin(), names.end(), name) != names.end()) of_name[name] = {code};
  }
  for (const auto& [name, code] : of_name) now[code.front()] = "0";
  // The values of a cycle are those at its beginning.
  const auto note_until = [&](unsigned long time) {
    for (auto& [code, value] : now) {
      auto& values = of_code[code];
      while (values.size() < cycles && values.size() * period < time) values.push_back(as_number(value));
    }
  };
  for (std::string word; in >> word;) {
    if (word.front() == '#') {
      note_until(std::stoul(word.substr(1)));
    } else if (word.front() == 'b') {
      std::string code;
      in >> code;
      if (const auto found = now.find(code); found != now.end()) found->second = word.substr(1);
    } else if (std::isdigit(word.front()) || word.front() == 'x') {
      if (const auto found = now.find(word.substr(1)); found != now.end()) found->second = word.substr(0, 1);
    }
  }
  note_until(static_cast<unsigned long>(cycles) * period);
  for (auto& [name, values] : of_name) values = of_code.at(values.front());
  return of_name;
}

}  // namespace gputlm::formal

/// Which folder may use which: the #include lines of the sources against the rules of the layers.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace gputlm {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

/// One #include of a file of the tree, both as paths from its root.
struct Use {
  std::string user, used;
};

std::vector<Use> uses_below(const fs::path& root) {
  static const std::regex include("^\\s*#\\s*include\\s*\"([^\"]+)\"");
  std::vector<Use> uses;
  for (const char* part : {"tlm", "models", "platform", "testbench", "examples", "benchmarks"}) {
    if (!fs::exists(root / part)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / part)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp") continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        std::smatch found;
        if (std::regex_search(line, found, include))
          uses.push_back({fs::relative(entry.path(), root).generic_string(), found[1]});
      }
    }
  }
  return uses;
}

const std::vector<Use>& uses() {
  static const std::vector<Use> all = uses_below(GPUTLM_SOURCE_DIR);
  return all;
}

/// The first `levels` folders of a path; a file that lies less deep stands for itself.
std::string folder(const std::string& path, unsigned levels) {
  std::size_t end = 0;
  for (; levels > 0; --levels) {
    const std::size_t slash = path.find('/', end + 1);
    if (slash == std::string::npos) return path;
    end = slash;
  }
  return path.substr(0, end);
}

bool is_in(const std::string& path, const std::string& where) { return path.rfind(where + "/", 0) == 0; }

/// The uses that begin in `from` and end in none of `allowed`, one of the parts of the tree.
std::vector<std::string> strays(const std::vector<Use>& all, const std::string& from,
                                const std::vector<std::string>& allowed) {
  static const std::vector<std::string> parts = {"tlm", "models", "platform", "testbench", "rtl", "tests", "examples"};
  std::vector<std::string> list;
  for (const Use& use : all) {
    const auto used_in = [&](const std::string& part) { return is_in(use.used, part); };
    if (is_in(use.user, from) && std::any_of(parts.begin(), parts.end(), used_in) &&
        std::none_of(allowed.begin(), allowed.end(), used_in))
      list.push_back(use.user + " uses " + use.used);
  }
  return list;
}

/// Folders, `levels` deep, of which one uses the other and the other, by way of any number of folders, the one.
std::vector<std::string> circles(const std::vector<Use>& all, const std::string& below, unsigned levels) {
  std::map<std::string, std::set<std::string>> used_by;
  for (const Use& use : all) {
    const std::string from = folder(use.user, levels), to = folder(use.used, levels);
    if (is_in(use.user, below) && is_in(use.used, below) && from != to) used_by[from].insert(to);
  }
  const auto reach = [&](const std::string& start) {
    std::set<std::string> reached;
    std::vector<std::string> open{start};
    while (!open.empty()) {
      const std::string at = open.back();
      open.pop_back();
      for (const std::string& next : used_by[at]) {
        if (reached.insert(next).second) open.push_back(next);
      }
    }
    return reached;
  };
  std::vector<std::string> list;
  std::vector<std::string> folders;
  for (const auto& [name, used] : used_by) folders.push_back(name);
  for (const std::string& name : folders) {
    for (const std::string& other : used_by[name]) {
      if (name < other && reach(other).count(name)) list.push_back(name + " and " + other);
    }
  }
  return list;
}

/// Rooms of platform/: each uses those before it only.
const std::vector<std::string> kRooms = {"files", "input",  "probes",   "examiner", "run",         "report",
                                         "lab",   "bounds", "programs", "share",    "experiments", "cli"};

std::vector<std::string> upward(const std::vector<Use>& all, const std::string& below,
                                const std::vector<std::string>& rooms) {
  const auto rank = [&](const std::string& path) {
    return std::find_if(rooms.begin(), rooms.end(),
                        [&](const std::string& name) { return is_in(path, below + "/" + name); }) -
           rooms.begin();
  };
  std::vector<std::string> list;
  for (const Use& use : all) {
    if (is_in(use.user, below) && is_in(use.used, below) && rank(use.used) > rank(use.user))
      list.push_back(use.user + " uses " + use.used);
  }
  return list;
}

TEST(Layers, TlmUsesNothingOfTheModelsOrThePlatform) { EXPECT_THAT(strays(uses(), "tlm", {"tlm"}), IsEmpty()); }

/// What is of no unit and no socket knows neither those nor SystemC, so its unit tests link neither.
TEST(Layers, TheBaseUsesItselfAlone) {
  std::vector<std::string> list = strays(uses(), "tlm/base", {"tlm/base"});
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(GPUTLM_SOURCE_DIR) / "tlm/base")) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line == "#include <systemc>" || line == "#include <tlm>") list.push_back(entry.path().string() + ": " + line);
    }
  }
  EXPECT_THAT(list, IsEmpty());
}

TEST(Layers, ModelsUseTlmAndModelsOnly) { EXPECT_THAT(strays(uses(), "models", {"tlm", "models"}), IsEmpty()); }

TEST(Layers, NoTwoFoldersOfTheModelsUseEachOther) { EXPECT_THAT(circles(uses(), "models", 2), IsEmpty()); }

TEST(Layers, RoomsOfThePlatformUseThoseBelowThemOnly) { EXPECT_THAT(upward(uses(), "platform", kRooms), IsEmpty()); }

TEST(Layers, EveryRoomOfThePlatformHasItsPlace) {
  const std::set<std::string> rooms(kRooms.begin(), kRooms.end());
  std::set<std::string> found;
  for (const auto& entry : fs::directory_iterator(fs::path(GPUTLM_SOURCE_DIR) / "platform")) {
    if (entry.is_directory()) found.insert(entry.path().filename().string());
  }
  EXPECT_EQ(found, rooms);
}

TEST(Layers, NoTwoPapersExperimentsUseEachOther) { EXPECT_THAT(circles(uses(), "platform/experiments", 3), IsEmpty()); }

/// Rooms of the hardware: each uses those before it only, all of them the models, and what reads and writes files.
const std::vector<std::string> kHardwareRooms = {"ports",  "lockstep",  "design", "kind", "cost",
                                                 "formal", "mutations", "kinds",  "check"};

TEST(Layers, TheTestbenchUsesModelsAndTheLowerRoomsOfThePlatform) {
  EXPECT_THAT(
      strays(uses(), "testbench",
             {"tlm", "models", "testbench", "platform/files", "platform/input", "platform/probes", "platform/lab"}),
      IsEmpty());
  EXPECT_THAT(upward(uses(), "testbench", kHardwareRooms), IsEmpty());
}

/// A kind is one folder: nothing outside names a file of it. CMake names them by pattern.
TEST(Layers, NothingOutsideOfAKindKnowsIt) {
  EXPECT_THAT(circles(uses(), "testbench/kinds", 3), IsEmpty());
  std::vector<std::string> list;
  for (const Use& use : uses()) {
    if (is_in(use.used, "testbench/kinds") && folder(use.user, 3) != folder(use.used, 3))
      list.push_back(use.user + " uses " + use.used);
  }
  EXPECT_THAT(list, IsEmpty());
}

/// The command line alone offers what the testbench has.
TEST(Layers, ThePlatformBelowTheCommandLineUsesNothingOfTheTestbench) {
  std::vector<std::string> list = strays(uses(), "platform", {"tlm", "models", "platform"});
  list.erase(
      std::remove_if(list.begin(), list.end(), [](const std::string& use) { return is_in(use, "platform/cli"); }),
      list.end());
  EXPECT_THAT(list, IsEmpty());
}

TEST(Layers, NothingUsesTests) {
  std::vector<std::string> list;
  for (const Use& use : uses()) {
    if (is_in(use.used, "tests")) list.push_back(use.user + " uses " + use.used);
  }
  EXPECT_THAT(list, IsEmpty());
}

TEST(Layers, AreReadFromTheSources) {
  EXPECT_GT(uses().size(), 500u);
  const auto knows = [](const char* user, const char* used) {
    return std::any_of(uses().begin(), uses().end(), [&](const Use& u) { return u.user == user && u.used == used; });
  };
  EXPECT_TRUE(knows("models/sm/sm_core.cpp", "models/sm/sm_core.h"));
}

TEST(Layers, ShowACircleAndAnUpwardUse) {
  const std::vector<Use> planted = {{"models/a/x.h", "models/b/y.h"},
                                    {"models/b/z.cpp", "models/c/y.h"},
                                    {"models/c/z.cpp", "models/a/x.h"},
                                    {"models/d/z.cpp", "models/a/x.h"},
                                    {"platform/files/x.cpp", "platform/cli/y.h"},
                                    {"models/a/x.h", "platform/cli/y.h"}};
  EXPECT_THAT(circles(planted, "models", 2), ElementsAre("models/a and models/b", "models/b and models/c"));
  EXPECT_EQ(upward(planted, "platform", kRooms).size(), 1u);
  EXPECT_EQ(strays(planted, "models", {"tlm", "models"}).size(), 1u);
}

}  // namespace
}  // namespace gputlm

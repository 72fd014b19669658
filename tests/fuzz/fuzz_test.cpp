// The inputs that attacks have found, and their quick form without libFuzzer. docs/attacks.md
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>

#include "platform/input/parameters.h"
#include "platform/input/yaml_reader.h"
#include "tests/fuzz/mutator.h"
#include "tlm/base/error.h"

namespace gputlm::fuzz {

static void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

namespace {

/// A file that was found once, or a seed.
struct Kept {
  const Target* target;
  std::string path;
  std::string name() const { return std::filesystem::path(path).filename(); }
};
void PrintTo(const Kept& kept, std::ostream* out) { *out << kept.path; }

std::vector<Kept> kept_inputs() {
  std::vector<Kept> all;
  for (const Target& target : targets()) {
    const auto folder = std::filesystem::path(GPUTLM_SOURCE_DIR) / "tests/data/fuzz" / target.name;
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& file : std::filesystem::directory_iterator(folder)) all.push_back({&target, file.path()});
  }
  std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) { return a.path < b.path; });
  return all;
}

class KeptInput : public testing::TestWithParam<Kept> {};

TEST_P(KeptInput, IsReadOrRefusedAsItShould) {
  const Kept& kept = GetParam();
  const Outcome outcome = attack(*kept.target, content_of(kept.path));
  EXPECT_EQ(outcome.finding, "") << outcome.message;
  if (kept.name().rfind("seed", 0) == 0) {
    EXPECT_TRUE(outcome.accepted) << outcome.message;
  }
}

INSTANTIATE_TEST_SUITE_P(All, KeptInput, testing::ValuesIn(kept_inputs()), [](const auto& instance) {
  std::string name = instance.param.target->name + "_" + instance.param.name();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

/// All seeds of a target.
std::vector<std::string> seeds_of(const Target& target) {
  std::vector<std::string> seeds = seed_texts(target);
  for (const std::string& folder : seed_folders(target)) {
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
      if (file.is_regular_file() && file.file_size() < 20000) seeds.push_back(content_of(file.path()));
    }
  }
  return seeds;
}

class EachTarget : public testing::TestWithParam<Target> {};

TEST_P(EachTarget, HoldsAgainstChangesOfItsSeeds) {
  const Target& target = GetParam();
  const std::vector<std::string> seeds = seeds_of(target);
  ASSERT_FALSE(seeds.empty());
  Words words;
  std::size_t accepted = 0;
  for (const std::string& seed : seeds) {
    const Outcome outcome = attack(target, seed);
    ASSERT_EQ(outcome.finding, "") << seed;
    if (outcome.accepted) words.learn_text(seed);
    accepted += outcome.accepted ? 1 : 0;
  }
  EXPECT_GT(accepted, 0u) << "nothing is learned from seeds that are all refused";
  Draws draws(hash_name(target.name));
  for (unsigned i = 0; i < target.changes; ++i) {
    const std::string &seed = seeds[draws.below(seeds.size())], &other = seeds[draws.below(seeds.size())];
    const std::string text = Mutator(target.grammar, words, draws.bits()).cross(seed, other);
    const Outcome outcome = attack(target, text);
    ASSERT_EQ(outcome.finding, "") << outcome.message << "\n" << text;
    if (!outcome.accepted) words.learn_message(outcome.message);
  }
}

INSTANTIATE_TEST_SUITE_P(All, EachTarget, testing::ValuesIn(targets()),
                         [](const auto& instance) { return instance.param.name; });

Target planted(void (*read)(const std::string&)) { return {"planted", Grammar::kLines, read}; }

/// Which InputError itself would have made shorter.
struct LongError : InputError {
  LongError() : InputError(kName, 3, "no") {}
  const char* what() const noexcept override {
    static const std::string text(3000, 'x');
    return text.c_str();
  }
};

TEST(Attack, OnlyAnInputErrorThatSaysWhereIsARefusal) {
  const auto finding = [](void (*read)(const std::string&)) { return attack(planted(read), "one\ntwo\n").finding; };
  EXPECT_EQ(finding([](const std::string&) {}), "");
  EXPECT_EQ(finding([](const std::string&) { throw InputError(kName, 3, "no"); }), "");
  EXPECT_EQ(finding([](const std::string&) { throw InputError("no"); }), "the message does not say where");
  EXPECT_EQ(finding([](const std::string&) { throw InputError(kName, 5, "no"); }), "there is no such line");
  EXPECT_EQ(finding([](const std::string&) { throw LongError(); }), "a message of 3000 bytes");
  EXPECT_EQ(finding([](const std::string&) { throw std::out_of_range("at"); }),
            "an exception that is no InputError: at");
  EXPECT_EQ(finding([](const std::string&) { require(false, "lost"); }), "lost");
}

TEST(Attack, MoreThanASecondIsAFinding) {
  const auto slow = [](const std::string&) {
    const std::clock_t began = std::clock();
    while (std::clock() - began < CLOCKS_PER_SEC + CLOCKS_PER_SEC / 5) {
    }
  };
  EXPECT_EQ(attack(planted(slow), "text").finding.rfind("took 1.", 0), 0u);
}

TEST(FuzzWords, AreLearnedFromTextsAndFromWhatMessagesAllow) {
  Words words;
  words.learn_text("kernels: {k: {grid: [480, 2]}}");
  words.learn_message("input:2: unknown key 'gird'; did you mean 'grid'? allowed: grid, block, shared_memory");
  for (const char* word : {"kernels", "grid", "480", "shared_memory"}) EXPECT_TRUE(words.knows(word)) << word;
  EXPECT_FALSE(words.knows("gird"));
}

constexpr const char* kYaml =
    "kernels:\n  k:\n    grid: 4\n    block: [64, 2]\n    program:\n      - int\n      - load: {pattern: p, dst: 4}\n"
    "applications:\n  - name: a\n    streams:\n      - {name: s, launches: [k]}\n";

TEST(FuzzMutator, IsAFunctionOfItsSeed) {
  const Words words;
  std::set<std::string> all;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::string text = Mutator(Grammar::kYaml, words, seed).mutate(kYaml);
    EXPECT_EQ(Mutator(Grammar::kYaml, words, seed).mutate(kYaml), text);
    all.insert(text);
  }
  EXPECT_GT(all.size(), 80u);
}

TEST(FuzzMutator, AboutHalfOfWhatBecomesOfYamlIsYaml) {
  const Words words;
  unsigned yaml = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    try {
      YamlNode::load_text(Mutator(Grammar::kYaml, words, seed).mutate(kYaml), kName);
      ++yaml;
    } catch (const InputError&) {
    }
  }
  EXPECT_GT(yaml, 400u);
}

TEST(FuzzMutator, MovesABlockWithWhatIsBelowIt) {
  const Words words;
  unsigned moved = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const std::string text = Mutator(Grammar::kYaml, words, seed).cross("a:\n  x: 1\nb:\n  y: 2\n", "c:\n    z: 3\n");
    moved += text.find("c:\n    z: 3") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(moved, 20u);
}

TEST(FuzzMutator, PutsKnownWordsIntoTexts) {
  Words words;
  words.add("shared_memory");
  unsigned put = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    for (const Grammar grammar : {Grammar::kYaml, Grammar::kLines})
      put += Mutator(grammar, words, seed).mutate(kYaml).find("shared_memory") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(put, 100u);
}

}  // namespace
}  // namespace gputlm::fuzz

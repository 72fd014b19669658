/// Changes texts so that most results keep the form of the input: a change in the right place tests a reader better than a
/// thousand that it refuses at the first byte.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/kernel/random.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/words.h"

namespace gputlm::fuzz {

/// Consecutive numbers, which are a function of the seed.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : key_(mix(seed)) {}
  std::uint64_t bits() { return derive(key_, drawn_++); }
  /// 0 to n - 1; 0 if n is 0.
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(uniform_below(bits(), n)); }
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::uint64_t key_;
  std::uint64_t drawn_ = 0;
};

class Mutator {
 public:
  Mutator(Grammar grammar, const Words& words, std::uint64_t seed) : grammar_(grammar), words_(words), draws_(seed) {}

  /// One to four changes, most often one.
  std::string mutate(const std::string& text);
  /// The same for a text that gets parts of another one.
  std::string cross(const std::string& text, const std::string& other);

 private:
  using Lines = std::vector<std::string>;
  struct Part {
    std::size_t begin, end;  ///< range of lines; `end` is not included
  };
  void change(Lines& lines, const Lines& other);
  void change_parts(Lines& lines, const Lines& other);
  void change_flow(std::string& line);
  void change_word(Lines& lines);
  void change_columns(Lines& lines);
  void cut_off(Lines& lines);
  Part part(const Lines& lines);
  Lines taken(const Lines& lines, Part part, std::size_t indent) const;
  std::string number_near(const std::string& word);
  std::string any_word();

  Grammar grammar_;
  const Words& words_;
  Draws draws_;
};

}  // namespace gputlm::fuzz

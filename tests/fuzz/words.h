/// The words that a reader knows. They come from texts that it has accepted, from the allowed or similar words in its
/// messages, and from the table of parameters, so that no list has to be kept in step with the program.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

namespace gputlm::fuzz {

class Words {
 public:
  void add(const std::string& word);
  /// Learns the words of an accepted text.
  void learn_text(const std::string& text);
  /// Learns what a message quotes, and what it lists after `allowed: `.
  void learn_message(const std::string& message);

  bool empty() const { return words_.empty(); }
  bool knows(const std::string& word) const { return known_.count(word) > 0; }
  /// One of the words, chosen by 64 random bits; there must be at least one.
  const std::string& pick(std::uint64_t bits) const;

 private:
  std::vector<std::string> words_;
  std::unordered_set<std::string> known_;
};

/// The range of the first word that begins at `from` or later: letters, digits and characters that occur within names and
/// numbers. Empty, at the end of the text, if there is none.
struct Range {
  std::size_t begin, end;
};
Range next_word(const std::string& text, std::size_t from);

}  // namespace gputlm::fuzz

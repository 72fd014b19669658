#include "tests/fuzz/words.h"

#include <cctype>

#include "models/kernel/random.h"

namespace gputlm::fuzz {
namespace {

constexpr std::size_t kMaxWords = 4096;  // so that no input makes the dictionary its own
constexpr std::size_t kMaxLength = 64;

bool within_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '+' || c == '-' || c == '/' ||
         c == '@';
}

}  // namespace

void Words::add(const std::string& word) {
  if (word.empty() || word.size() > kMaxLength || words_.size() >= kMaxWords) return;
  if (known_.insert(word).second) words_.push_back(word);
}

void Words::learn_text(const std::string& text) {
  for (Range word = next_word(text, 0); word.begin < text.size(); word = next_word(text, word.end))
    add(text.substr(word.begin, word.end - word.begin));
}

void Words::learn_message(const std::string& message) {
  for (std::size_t open = message.find("mean '"); open != std::string::npos; open = message.find("mean '", open + 1)) {
    const std::size_t close = message.find('\'', open + 6);
    if (close != std::string::npos) add(message.substr(open + 6, close - open - 6));
  }
  const std::size_t allowed = message.find("allowed: ");
  if (allowed != std::string::npos) learn_text(message.substr(allowed + 9));
}

const std::string& Words::pick(std::uint64_t bits) const {
  return words_[static_cast<std::size_t>(uniform_below(bits, words_.size()))];
}

Range next_word(const std::string& text, std::size_t from) {
  std::size_t begin = from;
  while (begin < text.size() && !within_word(text[begin])) ++begin;
  std::size_t end = begin;
  while (end < text.size() && within_word(text[end])) ++end;
  return {begin, end};
}

}  // namespace gputlm::fuzz

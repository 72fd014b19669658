/// The readers of the program under attack. Each takes a text as the program takes it from a user, and does everything with
/// the contents that needs no simulation. docs/attacks.md describes their runs.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputlm::fuzz {

/// How the mutators (mutator.h) take texts for a reader apart.
enum class Grammar {
  kYaml,   ///< blocks by indentation, and flow collections
  kLines,  ///< lines of columns
  kBytes,  ///< bytes of which nothing is known
};

/// A property of a reader, or of what it has read, does not hold.
class Finding : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

struct Target {
  std::string name;
  Grammar grammar;
  /// Takes the text as input from a user. Throws InputError for a bad one and Finding for a defect; nothing else may
  /// happen.
  void (*read)(const std::string& text);
  /// Folders of the source tree with input for it, beside tests/data/fuzz/NAME.
  std::vector<std::string> seeds = {};
  /// Folder of tests whose raw strings contain input for it; empty: none.
  std::string tests = {};
  unsigned changes = 300;  ///< number of changes of its seeds that test_fuzz tries; fewer if each starts a program
};

/// The name of the text in messages, for readers that take texts instead of files.
inline constexpr const char* kName = "input";

std::string content_of(const std::string& path);

/// All targets, by name.
const std::vector<Target>& targets();
/// Throws std::invalid_argument if there is none of that name.
const Target& find_target(const std::string& name);

/// Folders that hold the target's seeds.
std::vector<std::string> seed_folders(const Target& target);
/// Texts of the raw strings in the target's tests.
std::vector<std::string> seed_texts(const Target& target);

/// Registers a target; has static duration in the target's file.
struct Registration {
  explicit Registration(const Target& target);
};

/// The outcome of an attack.
struct Outcome {
  bool accepted = false;
  std::string message;  ///< message of an InputError
  std::string finding;  ///< defect of the reader; empty: none
};

/// Lets a reader take a text, and judges the outcome: it must come within a second, and an InputError must have at most 2 KB
/// and say where. The caller notices a crash, an endless loop or too much memory.
Outcome attack(const Target& target, const std::string& text);

/// Throws a Finding with the message `what` unless `holds`.
inline void require(bool holds, const std::string& what) {
  if (!holds) throw Finding(what);
}

/// A text as a file in memory, for readers that take the name of a file.
class FileInMemory {
 public:
  explicit FileInMemory(const std::string& text);
  ~FileInMemory();
  FileInMemory(const FileInMemory&) = delete;
  FileInMemory& operator=(const FileInMemory&) = delete;
  const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace gputlm::fuzz

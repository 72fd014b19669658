/// The readers of the program under attack. Each takes a text as the program takes it from a user, and does everything with
/// the contents that needs no simulation. docs/attacks.md describes their runs.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputlm::fuzz {

/// How texts for a reader are taken apart by the mutators (mutator.h).
enum class Grammar {
  kYaml,   ///< blocks by indentation, and flow collections
  kLines,  ///< lines of columns
  kBytes,  ///< nothing is known of them
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
  /// Folder of tests in whose raw strings it stands; empty: none.
  std::string tests = {};
  unsigned changes = 300;  ///< of its seeds that test_fuzz tries; fewer where each starts a program
};

/// What messages call the text, where the reader takes texts and not files.
inline constexpr const char* kName = "input";

std::string content_of(const std::string& path);

/// All of them, by name.
const std::vector<Target>& targets();
/// Throws std::invalid_argument if there is none of that name.
const Target& find_target(const std::string& name);

/// Folders that hold the target's seeds.
std::vector<std::string> seed_folders(const Target& target);
/// Texts of the raw strings in the target's tests.
std::vector<std::string> seed_texts(const Target& target);

/// Makes a target known; of static duration in its file.
struct Registration {
  explicit Registration(const Target& target);
};

/// How an attack went.
struct Outcome {
  bool accepted = false;
  std::string message;  ///< of an InputError
  std::string finding;  ///< what is wrong with the reader; empty: nothing
};

/// Lets a reader take a text, and judges what happens: within a second, and by an InputError of at most 2 KB that says
/// where. The caller notices a crash, an endless loop or too much memory.
Outcome attack(const Target& target, const std::string& text);

/// `what` fails where it does not hold.
inline void require(bool holds, const std::string& what) {
  if (!holds) throw Finding(what);
}

/// A text as a file, in memory, for readers that take the name of one.
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

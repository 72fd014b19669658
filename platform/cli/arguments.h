/// A command's arguments, declared once: parsing, --help, man pages, completion and the reference in docs/ are generated from
/// the declaration. CLI11, which parses the command line, is header-only and takes ten seconds to compile: only arguments.cpp
/// and cli.cpp include it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tlm/base/field.h"

namespace CLI {
class App;
}

namespace gputlm {

/// The kind of an argument's value, for --help and shell completion.
struct Values {
  std::string shown = "TEXT";                ///< name of the value in --help
  bool files = false;                        ///< files may be given
  bool folders = false;                      ///< folders only
  bool setting = false;                      ///< key=value of a parameter
  std::vector<std::string> catalogues = {};  ///< catalogues whose names may be given (platform/cli/catalogue.h)
  std::vector<std::string> words = {};       ///< words that may be given
  bool written = false;                      ///< the file is written; - stands for standard output

  static Values file() { return {"FILE", true}; }
  /// The value of an output file.
  static Values output() {
    Values values = file();
    values.written = true;
    return values;
  }
  static Values folder() { return {"FOLDER", false, true}; }
  static Values settings() { return {"KEY=VALUE", false, false, true}; }
  static Values names(const std::string& shown, const std::vector<std::string>& catalogues) {
    return {shown, false, false, false, catalogues};
  }
  static Values names_or_files(const std::string& shown, const std::vector<std::string>& catalogues) {
    return {shown, true, false, false, catalogues};
  }
  static Values one_of(const std::string& shown, const std::vector<std::string>& words) {
    return {shown, false, false, false, {}, words};
  }
};

/// An argument as declared. Its name is "--gpu", "-o,--out", or "INPUT" for a positional argument.
struct ArgumentInfo : Field {
  Values values = {};
  bool flag = false;      ///< takes no value
  bool repeated = false;  ///< may be given several times
  bool required = false;

  bool is_option() const { return name[0] == '-'; }
  /// "--out" for "-o,--out".
  std::string long_name() const { return name.substr(name.rfind(',') + 1); }
  /// "-o" for "-o,--out"; else the long name.
  std::string short_name() const { return name.substr(0, name.find(',')); }
};

/// A command line for users to start with, and its purpose.
struct Example {
  std::string line;
  std::string meaning;
};

/// A command's declaration.
struct Declaration {
  std::string name;
  std::string description;
  std::vector<ArgumentInfo> arguments;  ///< in the order of --help
  std::vector<Example> examples;

  /// Null if there is no option of this name.
  const ArgumentInfo* option(const std::string& name) const;
};

/// Each call declares one argument, in the order of --help. The referenced variable holds the default and receives the user's
/// value. A value that is not allowed ends the program with exit code 2 and a message that lists the allowed ones.
class Arguments {
 public:
  Arguments(CLI::App& app, Declaration& declaration) : app_(app), declaration_(declaration) {}

  /// A required positional argument.
  void positional(const std::string& name, std::string& value, const std::string& meaning, const Values& values = {});
  /// An optional positional argument.
  void optional(const std::string& name, std::string& value, const std::string& meaning, const Values& values = {});
  /// One or more positional arguments.
  void positional(const std::string& name, std::vector<std::string>& several, const std::string& meaning,
                  const Values& values = {});
  void flag(const std::string& name, bool& value, const std::string& meaning);
  /// --help shows the default unless it is empty.
  void text(const std::string& name, std::string& value, const std::string& meaning, const Values& values = {});
  void text(const std::string& name, const std::function<void(const std::string&)>& take, const std::string& meaning,
            const Values& values = {});
  /// An option that may be repeated, with one value each time.
  void texts(const std::string& name, std::vector<std::string>& several, const std::string& meaning,
             const Values& values = {});

  /// A whole number.
  template <class Number>
  void number(const std::string& name, Number& value, const std::string& meaning,
              std::uint64_t most = std::numeric_limits<Number>::max(), std::uint64_t least = 0) {
    whole_number(
        name, [&value](std::uint64_t given) { value = static_cast<Number>(given); }, meaning, least, most);
  }
  template <class Number>
  void number(const std::string& name, std::optional<Number>& value, const std::string& meaning,
              std::uint64_t most = std::numeric_limits<Number>::max(), std::uint64_t least = 0) {
    whole_number(
        name, [&value](std::uint64_t given) { value = static_cast<Number>(given); }, meaning, least, most);
  }
  /// --seed, with its default.
  void seed(std::uint64_t& value, const std::string& meaning);

  /// An option that is refused if one of the others is given, and vice versa. All must have been declared.
  void not_together(const std::string& name, const std::vector<std::string>& others);
  /// An option that is refused unless the other is given. Both must have been declared.
  void needs(const std::string& name, const std::string& other);
  /// Whether an option of that name has been declared.
  bool has(const std::string& name) const { return declaration_.option(name) != nullptr; }

  /// An example for --help: `line` is what follows "gputlm ".
  void example(const std::string& line, const std::string& meaning);

 private:
  void whole_number(const std::string& name, const std::function<void(std::uint64_t)>& take, const std::string& meaning,
                    std::uint64_t least, std::uint64_t most, const std::string& shown_default = "");
  ArgumentInfo& declare(const std::string& name, const std::string& meaning, const Values& values);

  CLI::App& app_;
  Declaration& declaration_;
};

}  // namespace gputlm

#include "platform/cli/input_arguments.h"

#include <utility>

namespace gputlm {

void InputArguments::declare(Arguments& arguments) {
  arguments.positional("input", files_,
                       "Workload file (YAML; - reads it from standard input), traces, or another format "
                       "(gputlm list formats)",
                       Values::file());
  arguments.text("--gpu", gpu_, "Preset (gputlm list gpus) or GPU file", Values::names_or_files("GPU", {"gpus"}));
  arguments.texts("--set", settings_, "key=value, may be repeated (gputlm list parameters)", Values::settings());
  arguments.seed(seed_, "Seed of all randomness");
  for (const InputFormat& format : input_formats()) {
    for (const FormatOption& option : format.options) {
      if (option.file) {
        arguments.texts(option.name, files_of_formats_[option.name], option.help, Values::file());
        continue;
      }
      arguments.text(
          option.name, [this, name = option.name](const std::string& value) { of_formats_[name] = value; },
          option.help);
    }
  }
}

LoadedInput InputArguments::load(std::vector<std::string> settings, std::uint64_t seed) const {
  settings.insert(settings.end(), settings_.begin(), settings_.end());
  LoadedInput loaded;
  loaded.config = load_gpu(gpu_, &loaded.origins);
  GpuConfig asked_for = loaded.config;  // the workload may ask for more
  for (const std::string& setting : settings) set_assignment(asked_for, setting);
  std::multimap<std::string, std::string> own(of_formats_.begin(), of_formats_.end());
  for (const auto& [name, files] : files_of_formats_) {
    for (const std::string& file : files) own.emplace(name, file);
  }
  loaded.input = load_run_input(files_, {seed, std::move(own), &asked_for});
  for (const std::string& setting : loaded.input.workload.settings)
    set_assignment(loaded.config, setting, &loaded.origins);
  for (const std::string& setting : settings) set_assignment(loaded.config, setting, &loaded.origins);
  validate(loaded.config, {gpu_, 0}, loaded.origins);
  return loaded;
}

}  // namespace gputlm

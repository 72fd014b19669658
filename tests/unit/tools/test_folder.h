/// A test's own folder.
#pragma once

#include <filesystem>
#include <string>

#include "tlm/base/tools/tool.h"

namespace gputlm::tools {

class TestFolder {
 public:
  std::string write(const std::string& name, const std::string& text) const {
    write_file(path(name), text);
    return path(name);
  }
  std::string path(const std::string& name = ".") const { return folder_.path() + "/" + name; }

 private:
  WorkFolder folder_;
};

}  // namespace gputlm::tools

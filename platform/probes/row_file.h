/// A CSV file of rows (platform/files/rows.h) that a probe writes.
#pragma once

#include <fmt/format.h>

#include <string>

#include "platform/files/rows.h"
#include "platform/probes/probe.h"

namespace gputlm {

template <class Row>
class RowFile {
 public:
  /// Writes the header. Throws as ProbeSite::file() does.
  void open(ProbeSite& site, const std::string& name) {
    csv_ = &site.file(name);
    csv_->write(csv_header<Row>());
  }
  void write(const Row& row) {
    line_.clear();
    write_csv_row(line_, row);
    csv_->write({line_.data(), line_.size()});
  }

 private:
  AtomicFile* csv_ = nullptr;
  fmt::memory_buffer line_;
};

}  // namespace gputlm

/// How far a model is off another one that it stands for: many values of one beside those of the other.
#pragma once

#include <string>
#include <vector>

#include "platform/files/table.h"

namespace gputlm {

/// In per cent of the value that is right, each of something with a name. A right value of 0 gives an error of 0 if the
/// other one is 0, else of 100.
class RelativeErrors {
 public:
  void add(std::string what, double right, double model);
  bool empty() const { return errors_.empty(); }

  // Not defined where there are none. Of the sizes of the errors, whatever their signs:
  double mean() const;
  /// The smallest that no less than this share of all, above 0, do not exceed.
  double quantile(double share) const;
  /// The mean of errors with their signs; above 0 the model's values are too large. A right value of 0 adds nothing.
  double bias() const;

  /// A line a set of errors, with what is worst; add_to() fills it.
  static Table summary();
  /// A line an error.
  static Table details();
  void add_to(Table& summary, Table& details, const std::string& name) const;

 private:
  struct Error {
    double percent;  ///< whatever its sign
    std::string what;
    double right, model;
  };
  std::vector<Error> errors_;
  double signed_ = 0;  ///< sum of errors with their signs
};

}  // namespace gputlm

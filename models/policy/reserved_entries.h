/// Entries of a queue or table shared by several users, with some reserved for each: a user takes its reserved entries
/// first, then shared ones. So a user within its reservation never waits for another. If equal shares of all entries are
/// reserved, it is a partition.
///
/// Hardware needs a counter for each user and one for the shared entries; rtl/reserved_admission.sv is the same rule.
#pragma once

#include <cassert>
#include <vector>

namespace gputlm {

class ReservedEntries {
 public:
  /// Reserves `reserved` for each of `users`: together at most `entries`.
  ReservedEntries(unsigned entries, unsigned users, unsigned reserved)
      : reserved_(reserved), most_(entries - (users - 1) * reserved), shared_left_(entries - users * reserved),
        used_(users) {
    assert(users * reserved <= entries);
  }

  /// Whether there is room for `count` more of this user.
  bool fits(unsigned user, unsigned count) const {
    return of_shared(used_[user] + count) <= of_shared(used_[user]) + shared_left_;
  }
  void take(unsigned user, unsigned count) {
    assert(fits(user, count));
    shared_left_ -= of_shared(used_[user] + count) - of_shared(used_[user]);
    used_[user] += count;
  }
  void give_back(unsigned user) {
    assert(used_[user] > 0);
    shared_left_ += used_[user] > reserved_ ? 1 : 0;
    --used_[user];
  }
  unsigned users() const { return static_cast<unsigned>(used_.size()); }
  /// Maximum entries of one user.
  unsigned most() const { return most_; }

 private:
  /// Number of shared entries among `used`.
  unsigned of_shared(unsigned used) const { return used > reserved_ ? used - reserved_ : 0; }

  unsigned reserved_, most_;
  unsigned shared_left_;
  std::vector<unsigned> used_;
};

}  // namespace gputlm

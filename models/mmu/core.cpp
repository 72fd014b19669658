#include "models/mmu/core.h"

#include <algorithm>

#include "tlm/counter_table.h"

namespace gputlm {

/// The ends of the links to an SM.
class MmuCore::Sm {
 public:
  Sm(MmuCore& owner, unsigned pages)
      : requests(owner, pages), answers(1, pages), shootdowns(1, 1), acknowledgements(owner) {}

  class Requests final : public Receiver<Translation> {
   public:
    Requests(MmuCore& owner, unsigned pages) : Receiver(pages), owner_(owner) {}
    void push(Cycle at, Translation& item) override { owner_.arrivals_.push({at, &item}); }

   private:
    MmuCore& owner_;
  };
  /// Receives the answers of all SMs; the MMU waits only for the last one.
  class Acknowledgements final : public Receiver<Shootdown> {
   public:
    explicit Acknowledgements(MmuCore& owner) : Receiver(1), owner_(owner) {}
    void push(Cycle at, Shootdown& item) override {
      owner_.acknowledged_.push_back(&item);
      owner_.last_acknowledged_ = std::max(owner_.last_acknowledged_, at);
    }

   private:
    MmuCore& owner_;
  };

  Requests requests;
  Outbox<Translation> answers;
  Outbox<Shootdown> shootdowns;
  Acknowledgements acknowledgements;
};

namespace {

unsigned sms_of(const MmuCore::Surroundings& around) {
  unsigned sms = 0;
  for (const MmuCore::Part& part : around.parts) sms += part.sms;
  return sms;
}

std::vector<NetworkInterface> networks_of(const MmuCore::Surroundings& around) {
  std::vector<NetworkInterface> networks;
  for (const MmuCore::Part& part : around.parts) networks.push_back(part.network);
  return networks;
}

}  // namespace

MmuCore::MmuCore(const MmuConfig& config, const Surroundings& around, std::unique_ptr<FaultHandler> faults,
                 AccessSource& accesses, ItemSource<Shootdown>& shootdowns)
    : config_(config), shootdown_source_(shootdowns), faults_(std::move(faults)),
      lookups_(std::size_t{sms_of(around)} * around.pages), tlb_(config.tlb_entries, config.tlb_ways),
      misses_(sms_of(around) * around.pages, sms_of(around) * around.pages), first_(sms_of(around) * around.pages),
      to_walk_(sms_of(around) * around.pages), replayed_(sms_of(around) * around.pages),
      walker_(config, networks_of(around), accesses) {
  for (std::size_t part = 0; part < around.parts.size(); ++part) {
    for (unsigned i = 0; i < around.parts[part].sms; ++i) {
      const std::size_t place = sms_.size(), id = around.ids.empty() ? place : around.ids[place];
      if (places_.size() <= id) places_.resize(id + 1);
      places_[id] = static_cast<std::uint16_t>(place);
      part_of_.push_back(static_cast<std::uint8_t>(part));
      sms_.push_back(std::make_unique<Sm>(*this, around.pages));
    }
  }
}

MmuCore::~MmuCore() = default;

Receiver<Translation>& MmuCore::requests(unsigned sm) { return sms_[sm]->requests; }
Outbox<Translation>& MmuCore::answers(unsigned sm) { return sms_[sm]->answers; }
Outbox<Shootdown>& MmuCore::shootdowns(unsigned sm) { return sms_[sm]->shootdowns; }
Receiver<Shootdown>& MmuCore::shootdown_ends(unsigned sm) { return sms_[sm]->acknowledgements; }

Cycle MmuCore::advance(Cycle until) {
  while (true) {
    const Cycle now = next();
    if (now >= until) return now;
    step(now);
  }
}

Cycle MmuCore::next() const {
  Cycle next = walker_.next();
  if (!arrivals_.empty()) next = std::min(next, std::max(arrivals_.top().at, lookup_free_));
  if (!lookups_.empty()) next = std::min(next, lookups_.front().at);
  for (const Translation* const item : answers_) {
    next = std::min(next, sm_of(*item).answers.ready_at());
  }
  if (!faults_) return next;
  if (shooting_ && acknowledged_.size() == sms_.size()) next = std::min(next, last_acknowledged_);
  return std::min(next, faults_->next());
}

void MmuCore::step(Cycle now) {
  send_answers(now);
  look_up(now);
  walker_.take_replies(now, [&](Misses::Index miss) { walked(now, miss); });
  if (faults_) handle_faults(now);
  while (!to_walk_.empty() && walker_.free()) {
    const Misses::Index miss = to_walk_.pop();
    ++statistics_.walks;
    walker_.start(misses_.line(miss), miss, first_[miss]);
  }
  walker_.send(now);
}

void MmuCore::look_up(Cycle now) {
  while (!lookups_.empty() && lookups_.front().at <= now) {
    Translation& item = *lookups_.pop().item;
    if (tlb_.lookup(page_of(item))) {
      ++statistics_.tlb_hits;
      answer(now, item);
    } else {
      ++statistics_.tlb_misses;
      miss(item);
    }
  }
  if (arrivals_.empty() || std::max(arrivals_.top().at, lookup_free_) > now) return;
  Translation& item = *arrivals_.top().item;
  arrivals_.pop();
  sm_of(item).requests.freed(now);
  lookup_free_ = now + 1;
  lookups_.push({now + config_.tlb_latency, &item});
}

void MmuCore::miss(Translation& item) {
  Misses::Index miss = misses_.find(page_of(item));
  if (miss == Misses::kNone) {
    miss = misses_.open(page_of(item));
    misses_.ask(miss, kPage);
    first_[miss] = item.identity;
    to_walk_.push(miss);
  } else {
    ++statistics_.merged;
  }
  misses_.wait(miss, &item, kPage);
}

void MmuCore::walked(Cycle now, Misses::Index miss) {
  const std::uint64_t page = misses_.line(miss);
  if (replayed_[miss]) {
    replayed_[miss] = false;
    --replays_;
  }
  if (faults_ && faults_->far(page)) {
    faults_->fault(page, first_[miss]);
    faulted_.push_back(miss);
    return;
  }
  tlb_.insert(page);
  misses_.arrived(miss, kPage, [&](Translation* item) { answer(now, *item); });
}

void MmuCore::answer(Cycle now, Translation& item) {
  Outbox<Translation>& link = sm_of(item).answers;
  if (link.ready_at() <= now) {
    link.send(now, item);
  } else {
    answers_.push_back(&item);
  }
}

void MmuCore::send_answers(Cycle now) {
  const auto sent = [&](Translation* item) {
    Outbox<Translation>& link = sm_of(*item).answers;
    if (link.ready_at() > now) return false;
    link.send(now, *item);
    return true;
  };
  answers_.erase(std::remove_if(answers_.begin(), answers_.end(), sent), answers_.end());
}

void MmuCore::handle_faults(Cycle now) {
  if (shooting_ && acknowledged_.size() == sms_.size() && last_acknowledged_ <= now) end_shootdown(now);
  faults_->step(now);
  // An answer that is on its way when its page is evicted must arrive before the SM's shootdown.
  if (const PageRun* const pages = faults_->leaving(); pages && !shooting_ && answers_.empty()) {
    send_shootdown(*pages, now);
  }
  if (faults_->take_replay()) {
    for (const Misses::Index miss : faulted_) {
      replayed_[miss] = true;
      to_walk_.push(miss);
    }
    replays_ = static_cast<unsigned>(faulted_.size());
    statistics_.replayed += faulted_.size();
    faulted_.clear();
  }
  // The next batch may evict the pages of this one, but not before the waiting requests have been answered; otherwise none
  // would make progress.
  if (replays_ == 0) faults_->interrupt(now);
}

void MmuCore::send_shootdown(const PageRun& pages, Cycle now) {
  shooting_ = true;
  for (std::uint64_t page = pages.first; page < pages.first + pages.pages; ++page) tlb_.erase(page);
  for (const std::unique_ptr<Sm>& sm : sms_) {
    Shootdown& shootdown = shootdown_source_.allocate();
    shootdown.first_page = pages.first;
    shootdown.pages = pages.pages;
    sm->shootdowns.send(now, shootdown);
  }
}

void MmuCore::end_shootdown(Cycle now) {
  shooting_ = false;
  for (const std::unique_ptr<Sm>& sm : sms_) sm->acknowledgements.freed(now);
  for (Shootdown* const shootdown : acknowledged_) shootdown_source_.release(*shootdown);
  acknowledged_.clear();
  faults_->left(now);
}

MmuStatistics MmuCore::statistics(Cycle now) const {
  MmuStatistics result = statistics_;
  result.walk_reads = walker_.reads();
  if (faults_) result.faults = faults_->statistics(now);
  return result;
}

std::vector<std::string> MmuCore::waiting() const {
  if (misses_.in_use() == 0) return {};
  std::string line = "MMU: " + std::to_string(misses_.in_use()) + " pages waited for, " +
                     std::to_string(walker_.under_way()) + " walks under way, " + std::to_string(faulted_.size()) +
                     " pages at the host";
  if (faults_) {
    if (const std::string more = faults_->waiting(); !more.empty()) line += "; " + more;
  }
  return {line};
}

GPUTLM_REGISTER { add_counter_table<MmuStatistics>("MMU", {"mmu"}); }

}  // namespace gputlm

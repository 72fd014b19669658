/// Builds a program from the contents of a capture of any format: checks each kernel and copy, finds the call that
/// each belongs to and what each wait waits for, numbers the streams and assigns labels. Impossible entries are left out,
/// counted and named; the rest is kept.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "platform/programs/host_api.h"
#include "platform/programs/program.h"

namespace gputlm {

inline constexpr std::uint32_t kMaxRegisters = 255;  ///< maximum number of registers per thread

/// A place in the capture: "CUPTI_ACTIVITY_KIND_KERNEL, row 3".
struct CapturePlace {
  const char* list = "";
  const char* item = "";
  std::size_t number = 0;

  std::string text() const;
};

/// A call as captures have it. A call and its commands on the GPU have the same correlation within a process.
struct CapturedCall {
  std::uint64_t process = 0, thread = 0, correlation = 0;
  Nanoseconds start = 0, end = 0;
  std::string_view name = {};  ///< name of the function, with its version; read immediately
};

/// A recording of an event, which waits refer to.
struct CapturedEvent {
  std::uint64_t id = 0;    ///< id of the event, which may be recorded repeatedly
  std::uint64_t sync = 0;  ///< id of this recording; 0: not known
};

/// Where an event was recorded, or which stream waits.
struct CapturedStream {
  std::uint64_t process = 0, context = 0;
  std::optional<std::uint64_t> id = std::nullopt;  ///< none: the host waits, for the whole context or an event
};

class ProgramBuilder {
 public:
  explicit ProgramBuilder(std::string path) { program_.path = std::move(path); }

  const std::string& path() const { return program_.path; }
  /// `percent`: share of its threads that the program could use (CUDA Multi-Process Service); none: not known.
  void set_gpu(MeasuredGpu gpu, std::optional<double> percent = std::nullopt);
  void warn(const std::string& what) { program_.warnings.push_back(program_.path + ": " + what); }
  /// Counts a defect of the capture; the first place is named.
  void note(const std::string& what, const CapturePlace& place);

  /// Index of a stream, known or new; the caller may change the stream until finish().
  std::size_t stream(std::uint64_t process, std::uint64_t context, std::uint64_t id);
  MeasuredStream& stream(std::size_t number) { return program_.streams[number]; }
  /// The stream if something was added to it, null otherwise.
  MeasuredStream* find_stream(std::uint64_t process, std::uint64_t context, std::uint64_t id);
  std::size_t share(std::uint64_t process, std::uint64_t id);

  /// Accepts commands in any order. The name of a kernel may be mangled or empty. False: the command is impossible and left
  /// out.
  bool add(MeasuredCommand command, std::optional<std::uint64_t> correlation, const CapturePlace& place);
  void add(const CapturedCall& call, const CapturePlace& place);
  /// The call waited for room in the launch queue, from its latest time until `end`.
  void full_queue(std::uint64_t process, std::uint64_t correlation, Nanoseconds end);
  /// What the call of this correlation recorded, or waits for. Ignored for contexts without commands, which are not part of
  /// the program.
  void add_record(std::uint64_t correlation, const CapturedStream& stream, const CapturedEvent& event,
                  const CapturePlace& place);
  void add_wait(MeasuredCall::Kind kind, std::uint64_t correlation, const CapturedStream& stream,
                const std::optional<CapturedEvent>& event, const CapturePlace& place);
  void add(MeasuredRange range, const CapturePlace& place);

  void name_thread(std::uint64_t process, std::uint64_t id, std::string name) {
    thread_names_[{process, id}] = std::move(name);
  }

  bool has_commands() const { return !program_.commands.empty(); }

  /// `process_names`: as far as known. Throws InputError if there is nothing to run or the program is too long.
  Program finish(const std::map<std::uint64_t, std::string>& process_names);

 private:
  struct Call : MeasuredCall {
    std::uint64_t process = 0, thread = 0;
    HostApi api = HostApi::kOther;
    bool means = false;  ///< its effect on streams is known
    CapturePlace place;
  };
  using Correlation = std::pair<std::uint64_t, std::uint64_t>;  ///< process and number
  struct Record {
    Correlation correlation;
    CapturedStream stream;
    CapturedEvent event;
    CapturePlace place;
    Call* call = nullptr;
    std::optional<std::size_t> number = std::nullopt;  ///< index among events; none: nothing waits for it
  };
  struct Wait {
    Correlation correlation;
    MeasuredCall::Kind kind;
    CapturedStream stream;
    std::optional<CapturedEvent> event;
    CapturePlace place;
  };

  bool leave_out(const std::string& why, const CapturePlace& place);
  bool can_be(const MeasuredCommand& command, const CapturePlace& place);
  bool can_be(const MeasuredKernel& kernel, const CapturePlace& place);
  void share_by_percentage();
  void order_commands();
  void order_streams();
  void label();
  void link_commands();
  void link_records();
  void link_waits();
  std::size_t event_of(Record& record);
  void explain(Call& call);
  void make_threads();
  bool is_near(Nanoseconds start, Nanoseconds end, const char* what, const CapturePlace& place);
  void order_ranges();
  void tell_labels_apart();
  void check_length() const;
  Call* call_of(const Correlation& correlation);
  Record* record_of(std::uint64_t process, const CapturedEvent& event, Nanoseconds before);
  /// Any stream of the context; none if it has no commands.
  std::optional<std::size_t> any_stream(const CapturedStream& of) const;
  /// The only stream of the process; with `context`, any stream of its only context.
  std::optional<std::size_t> only_stream(std::uint64_t process, bool context) const;
  bool has_process(std::uint64_t process) const;

  Program program_;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::size_t> places_;  ///< indices of streams
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> shares_;
  std::map<std::string, std::size_t> notes_;                ///< indices in Program::notes
  std::vector<std::optional<std::uint64_t>> correlations_;  ///< correlations of the commands
  std::vector<Call> calls_;
  std::map<Correlation, std::size_t> call_of_;
  std::vector<Record> records_;
  std::map<Correlation, std::vector<std::size_t>> records_of_;  ///< indices by process and event, in the order of calls
  std::map<Correlation, std::size_t> record_of_sync_;           ///< indices by process and CapturedEvent::sync
  std::vector<Wait> waits_;
  std::vector<CapturePlace> range_places_;  ///< places of Program::ranges
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> thread_names_;
  std::optional<double> percent_;  ///< share of the GPU's threads
};

/// The device to read: `wanted`, or else the one with the most commands; 0 if there are none. `commands`: number per device.
/// Warns if there are several. Throws InputError that names the devices if `wanted` is not among them.
std::uint64_t choose_device(const std::map<std::uint64_t, std::size_t>& commands, std::optional<std::uint64_t> wanted,
                            ProgramBuilder& builder);

}  // namespace gputlm

// Captures as input of a run: their recognition, and their options.
#include <gmock/gmock.h>

#include "platform/input/run_input.h"
#include "platform/programs/observation.h"
#include "tests/support/kineto_trace.h"
#include "tests/support/nsight_export.h"
#include "tests/support/test_folder.h"
#include "tests/unit/error_of.h"

namespace gputlm {
namespace {

using captured::kernel;
using testing::Contains;
using testing::HasSubstr;

class CaptureInput : public testing::Test {
 protected:
  CaptureInput() {
    k.launched_before(k.stream(7), kernel("k", {1}, {32}), {1'000, 11'000});
    k.write(folder.path("a.json"));
    k.write(folder.path("a.json.gz"));
    folder.write("no ending", folder.read("a.json.gz"));
    folder.write("array.json", k.array_text());
    NsightExport e(NsightVersion::k2026_2);
    const auto t = e.thread(100);
    e.launch(t, {500}, e.stream(13, -5), kernel("k", {1}, {32}), {1'000, 11'000});
    e.write(folder.path("a.sqlite"));
    e.write(folder.path("sqlite without ending"));
  }
  std::string error(const std::string& name, const std::map<std::string, std::string>& options = {}) {
    return error_of([&] {
      RunInputOptions all;
      all.own.insert(options.begin(), options.end());
      load_run_input({folder.path(name)}, all);
    });
  }

  TestFolder folder;
  KinetoTrace k;
};

TEST_F(CaptureInput, IsToldFromOtherFilesByWhatItIs) {
  for (const char* name : {"a.json", "a.json.gz", "no ending", "array.json", "a.sqlite", "sqlite without ending"}) {
    const RunInput input = load_run_input({folder.path(name)}, {});
    EXPECT_EQ(input.format, "capture") << name;
    EXPECT_EQ(input.workload.launches.size(), 1u);
    EXPECT_THAT(input.workload.settings, Contains("sm.model=blocks"));
    const Observation observed = observe({folder.path(name)}, {}, {});
    EXPECT_EQ(observed.kernels.at(0).duration_ns(), 10'000);
  }
  folder.write("w.json", R"({"kernels": {"k": {"grid": 1, "block": 32, "program": ["int"]}},
          "applications": [{"name": "a", "streams": [{"name": "s", "launches": ["k"]}]}]})");
  EXPECT_EQ(load_run_input({folder.path("w.json")}, {}).format, "workload file");
}

TEST_F(CaptureInput, FilesThatAreNoneAreRefused) {
  EXPECT_THAT(error("none.sqlite"), HasSubstr("none.sqlite: cannot be"));
  EXPECT_THAT(error("r.nsys-rep"), HasSubstr("nsys export --type sqlite"));
}

TEST_F(CaptureInput, OptionsThatCannotBeAreRefused) {
  EXPECT_THAT(error("a.sqlite", {{"--release", "never"}}), HasSubstr("--release: found 'never'"));
  EXPECT_THAT(error("a.sqlite", {{"--release", "lanch"}}), HasSubstr("did you mean 'launch'?"));
  EXPECT_THAT(error("a.sqlite", {{"--device", "one"}}),
              HasSubstr("--device: found 'one', allowed: a number from 0 on"));
  EXPECT_THAT(error("a.sqlite", {{"--device", "7"}}), HasSubstr("--device: found 7, allowed: 0"));
  EXPECT_THAT(error("a.sqlite", {{"--sms", "0"}}), HasSubstr("--sms: found '0', allowed: a number from 1 on"));
  EXPECT_THAT(error("a.sqlite", {{"--job-range", "frame"}}),
              HasSubstr("has no ranges (NVTX, user_annotation), found 'frame'"));
  EXPECT_EQ(error("a.sqlite", {{"--release", "start"}, {"--device", "0"}, {"--sms", "4"}}), "");
}

}  // namespace
}  // namespace gputlm

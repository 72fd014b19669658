// Files of other tools, with the rows and headers of their documentation.
#include "platform/input/foreign_formats.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "platform/input/run_input.h"
#include "tests/support/sqlite_file.h"
#include "tests/unit/kernel/sass_test_files.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class ForeignFormats : public testing::Test {
 protected:
  std::string refusal(const std::string& name, const std::string& content) {
    folder_.write(name, content);
    return error_of([&] { refuse_foreign(folder_.path(name)); });
  }
  /// A database whose tables are made by `sql`.
  std::string of_database(const std::string& sql) {
    const std::string path = folder_.path("x.db");
    std::filesystem::remove(path);
    SqliteFile(path).run(sql);
    return error_of([&] { refuse_foreign(path); });
  }

  TestFolder folder_;
};

TEST_F(ForeignFormats, AreNamedWithWhatToDo) {
  struct Case {
    const char* content;
    const char* name;
    const char* to_do;
  };
  const Case cases[] = {
      // Nsight Systems: report; nsys export --type json; hdf; nsys stats, its CSV with and without text before it, and JSON.
      {"NVIDIA Tegra Profiler Report 2025@5@2@266-255236693005v0.\n\x0bLocal (CLI)", "a report of Nsight Systems",
       "nsys export --type sqlite"},
      {"{\"Type\":47,\"TraceProcessEvent\":{\"startNs\":\"140547168\"}}\n{\"Type\":79,\"CudaEvent\":{}}\n",
       "a JSON export of Nsight Systems", "nsys export --type sqlite"},
      {"\x89HDF\r\n\x1a\n", "a table in HDF5, Arrow or Parquet", "nsys export --type sqlite"},
      {"Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
       "100.0,28918591,5,5783718.2,5780070.0,5777126,5797542,8313.1,\"burn(float *, int, int)\"\n",
       "a table of nsys stats", "nsys export --type sqlite"},
      {"Processing [t.sqlite] with [cuda_gpu_trace.py]...\n\n ** CUDA GPU Trace (cuda_gpu_trace):\n\n"
       "\"Start (ns)\",\"Duration (ns)\",\"CorrId\",\"GrdX\",\"GrdY\",\"GrdZ\",\"Name\"\n9961685,1024,7,1,1,1,\"k\"\n",
       "a table of nsys stats", "nsys export --type sqlite"},
      {"Time(%),Total Time (ns),Instances,Average,Minimum,Maximum,Name\r\n", "a table of nsys stats", "sqlite"},
      {"[\n {\"Time (%)\": 100.0, \"Total Time (ns)\": 28918591, \"Name\": \"k\"}\n]\n", "a table of nsys stats",
       "sqlite"},
      // Nsight Compute: three kinds of tables.
      {"==PROF== Connected to process 1234 (/usr/bin/python3.10)\n\"ID\",\"Process ID\",\"Process Name\",\"Host Name\","
       "\"Kernel Name\",\"Context\",\"Stream\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
       "\"0\",\"1234\",\"bin\",\"h\",\"copy(float*)\",\"1\",\"7\",\"Command line profiler "
       "metrics\",\"dram__bytes.sum\","
       "\"Mbyte\",\"2,000\"\n",
       "a table of Nsight Compute", "gputlm run CAPTURE --profile FILE"},
      {"\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"gpu__time_duration.sum\"\n",
       "a table of Nsight Compute", "profile: of a captured application"},
      {"\"Process ID\",\"Kernel Name\",\"Invocations\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Minimum\"\n",
       "a table of Nsight Compute", "docs/demands.md"},
      // nvprof: --csv, --print-gpu-trace --csv, and its text.
      {"==2119== NVPROF is profiling process 2119, command: ./a\n", "a table of nvprof", "nsys profile"},
      {"\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n,%,us,,us,us,us,\n",
       "a table of nvprof", "nsys profile"},
      {"======== Profiling result:\n\"Start\",\"Duration\",\"Grid X\",\"Grid Y\",\"Grid Z\",\"Block X\",\"Block "
       "Y\",\"Block Z\","
       "\"Registers Per Thread\",\"Static SMem\",\"Dynamic SMem\",\"Device\",\"Context\",\"Stream\",\"Name\"\n",
       "a table of nvprof", "nsys profile"},
      // rocprofv3: kernel trace, counters, stats, JSON; rocprof --tool-version 2 and rocprof before it.
      {"\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_Name\","
       "\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n\"KERNEL_DISPATCH\",2,1,1,21228,1,11,\"void "
       "k<float>(float*, "
       "int)\",1937,2414192765353337,2414192765369494\n",
       "a table of rocprof", "AMD"},
      {"\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\",\"MinNs\",\"MaxNs\",\"StdDev\"\n",
       "a table of rocprof", "AMD"},
      {"\"Index\",\"KernelName\",\"gpu-id\",\"queue-id\",\"queue-index\",\"pid\",\"tid\",\"grd\",\"wgr\"\n",
       "a table of rocprof", "columns kernel and ns"},
      {"Dispatch_ID,GPU_ID,Queue_ID,PID,TID,GRD,WGR,LDS,Kernel_Name,Start_Timestamp,End_Timestamp,Correlation_ID\n",
       "a table of rocprof", "AMD"},
      {"{\n  \"rocprofiler-sdk-tool\": [\n    {\"metadata\": {\"pid\": 12}}\n  ]\n}\n", "a file of rocprofv3", "AMD"},
      // hip_plugin_framework: a configuration and a result; a fork that has kept `benchmarks`.
      {"{\n  \"name\": \"Single-job test\",\n  \"max_iterations\": 1,\n  \"max_time\": 0,\n  \"gpu_device_id\": 0,\n"
       "  \"plugins\": [\n    {\"filename\": \"./bin/mandelbrot.so\", \"thread_count\": 256, \"block_count\": 256}\n  "
       "]\n}\n",
       "a file of a fork of cuda_scheduling_examiner for HIP", "`plugins` as `benchmarks`"},
      {"{\n\"scenario_name\": \"s\",\n\"plugin_name\": \"Counter Spin\",\n\"max_resident_threads\": "
       "163840,\n\"times\": [{}]}\n",
       "a file of a fork of cuda_scheduling_examiner for HIP", "docs/examiner.md"},
      {"{\"name\": \"n\", \"max_iterations\": 1, \"hip_device\": 0, \"benchmarks\": []}\n",
       "a file of a fork of cuda_scheduling_examiner for HIP", "docs/examiner.md"},
      // Chrome's format: a browser's, and that of rocprof --hip-trace.
      {"{\"traceEvents\":[{\"args\":{},\"cat\":\"toplevel\",\"name\":\"Run\",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":5}"
       "],"
       "\"metadata\":{\"clock-domain\":\"LINUX_CLOCK_MONOTONIC\"}}\n",
       "a trace in Chrome's format without a kernel of a GPU", "ProfilerActivity.CUDA"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(refusal("x", c.content), AllOf(StartsWith(folder_.path("x") + ": is " + c.name),
                                               HasSubstr("which is not read"), HasSubstr(c.to_do)))
        << c.content;
  }
}

TEST_F(ForeignFormats, AreToldByTheirFirstBytes) {
  EXPECT_THAT(refusal("x", std::string("NVR\0\x01", 5)), HasSubstr("a report of Nsight Compute"));
  // Perfetto: field 1 of a message, three times, of 5, 2 and 200 bytes.
  const std::string packets = std::string("\x0a\x05\x08\x01\x10\x02\x18", 7) + std::string("\x0a\x02\x08\x01", 4) +
                              std::string("\x0a\xc8\x01", 3) + std::string(200, '\x08');
  EXPECT_THAT(refusal("x", packets), HasSubstr("Perfetto's format"));
  EXPECT_EQ(refusal("x", "\n\n\nkernels: {}\n"), "") << "text, whose line ends are field numbers";
  EXPECT_EQ(refusal("x", packets.substr(0, 9)), "") << "ends within a packet";
}

TEST_F(ForeignFormats, ThatAreDatabasesAreToldByTheirTables) {
  EXPECT_THAT(of_database("CREATE TABLE StringTable (_id_ INTEGER PRIMARY KEY, value TEXT);"
                          "CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL (start INT, end INT, name INT)"),
              HasSubstr("a file of nvprof"));
  EXPECT_THAT(of_database("CREATE TABLE rocpd_kernel_dispatch_0000 (id INTEGER PRIMARY KEY)"),
              HasSubstr("a file of rocprofv3"));
  EXPECT_EQ(of_database("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
                        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT)"),
            "");
}

TEST_F(ForeignFormats, AreRecognisedUnderEveryNameAndCompressed) {
  const std::string table = "\"Index\",\"KernelName\",\"gpu-id\",\"queue-id\"\n";
  EXPECT_THAT(refusal("w.yaml", table), HasSubstr("a table of rocprof"));
  EXPECT_THAT(refusal("t.sqlite", table), HasSubstr("a table of rocprof"));
  folder_.write("t.csv", table);
  ASSERT_EQ(std::system(("gzip -k " + folder_.path("t.csv")).c_str()), 0);
  EXPECT_THAT(error_of([&] { refuse_foreign(folder_.path("t.csv.gz")); }), HasSubstr("a table of rocprof"));
}

/// An event in Chrome's format whose category begins at byte `at` of the file.
std::string chrome_trace(std::size_t at, const std::string& category) {
  std::string text = "{\"traceEvents\": [";
  text += "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"" + std::string(at - text.size() - 60, 'n') + "\"}, {";
  text.append(at - text.size(), ' ');
  return text + "\"cat\": " + category + ", \"ph\": \"X\"}]}\n";
}

TEST_F(ForeignFormats, ATraceWithAKernelIsNoneWhereverTheKernelIs) {
  constexpr std::size_t kPart = 1 << 20;
  for (std::size_t at = kPart - 20; at <= kPart + 2; ++at) {
    EXPECT_EQ(refusal("t.json", chrome_trace(at, "\"Kernel\"")), "") << at;
    EXPECT_NE(refusal("t.json", chrome_trace(at, "\"kernels\"")), "") << at;
  }
  EXPECT_EQ(refusal("t.json", "{\"schemaVersion\": 1, \"traceEvents\": []}"), "")
      << "PyTorch's, whose reader knows more";
}

TEST_F(ForeignFormats, NothingThatIsReadIsOne) {
  for (const char* const folder : {"workloads", "platform/input/presets", "tests/data/fuzz"}) {
    for (const auto& file :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(GPUTLM_SOURCE_DIR) / folder)) {
      const std::filesystem::path& path = file.path();
      if (!file.is_regular_file() || path.parent_path().filename() == "ncu" || path.extension() == ".csv")
        continue;  // what goes with a capture
      EXPECT_EQ(error_of([&] { refuse_foreign(file.path().string()); }), "");
    }
  }
  EXPECT_EQ(error_of([&] { refuse_foreign(folder_.path("")); }), "") << "a folder";
  EXPECT_EQ(error_of([&] { refuse_foreign(folder_.path("nothing")); }), "");
  EXPECT_EQ(error_of([&] { refuse_foreign("/dev/zero"); }), "");
  EXPECT_EQ(refusal("w.yaml", "# not a table of Kernel Name,Metric Name\nkernels: {}\n"), "");
  EXPECT_EQ(refusal("m.csv", "kernel,ns\nKernel Name,5\n"), "");
}

TEST_F(ForeignFormats, GoBeforeAllReaders) {
  folder_.write("t.sqlite", "NVIDIA Tegra Profiler Report 2025@5@2@266.\n");
  EXPECT_THAT(error_of([&] { load_run_input({folder_.path("t.sqlite")}, {}); }),
              HasSubstr("a report of Nsight Systems"));
}

}  // namespace
}  // namespace gputlm

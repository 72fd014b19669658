// Tables of Nsight Compute: reading each of their forms, and refused inputs.
#include <gmock/gmock.h>

#include "platform/programs/kernel_profile.h"
#include "tests/support/ncu_table.h"
#include "tests/support/test_folder.h"
#include "tests/unit/error_of.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::DoubleNear;
using testing::HasSubstr;
using testing::Optional;

class NcuCsv : public testing::Test {
 protected:
  KernelProfile read(const std::string& text) {
    folder.write("decode.csv", text);
    return read_profile(folder.path("decode.csv"));
  }
  KernelDemand demand(const std::vector<NcuTable::Metric>& metrics) {
    return read(NcuTable().launch("k(int)", "(256, 1, 1)", "(432, 1, 1)", metrics).long_text()).launches.at(0).demand;
  }
  std::string error(const std::string& text) {
    return error_of([&] { read(text); });
  }
  std::string error_of_value(const std::string& unit, const std::string& value) {
    return error(
        NcuTable().launch("k", "(1, 1, 1)", "(1, 1, 1)", {{"gpu__time_duration.sum", unit, value}}).long_text());
  }

  TestFolder folder;
  NcuTable table = NcuTable()
                       .launch("void gemm<int, (bool)1>(float *, int)", "(256, 1, 1)", "(432, 2, 1)",
                               {{"gpu__time_duration.sum", "usecond", "12.40"},
                                {"smsp__inst_executed.sum", "inst", "1,234,567"},
                                {"lts__t_sector_hit_rate.pct", "%", "71.20"},
                                {"dram__bytes_read.sum", "Mbyte", "1,105.67"}})
                       .launch("copy(\"a\")", "(32, 4, 1)", "(1, 1, 1)",
                               {{"gpu__time_duration.sum", "usecond", "3.5"},
                                {"smsp__inst_executed.sum", "inst", "98"},
                                {"dram__bytes_read.sum", "Mbyte", "N/A"}});
};

TEST_F(NcuCsv, ItsThreeFormsSayTheSame) {
  for (const std::string& text : {table.long_text(), table.wide_text(), table.summary_text(1, true)}) {
    const KernelProfile profile = read(text);
    ASSERT_EQ(profile.launches.size(), 2u) << text;
    const ProfiledLaunch &gemm = profile.launches[0], &copy = profile.launches[1];
    EXPECT_EQ(gemm.name, "void gemm<int, (bool)1>(float *, int)");
    EXPECT_EQ(copy.name, "copy(\"a\")");
    EXPECT_EQ(gemm.grid, (Dim3{432, 2, 1}));
    EXPECT_EQ(gemm.block, (Dim3{256, 1, 1}));
    EXPECT_THAT(copy.threads, Optional(128u));
    EXPECT_THAT(gemm.demand.duration_us, Optional(12.4));
    EXPECT_THAT(gemm.demand.instructions, Optional(1'234'567.0));
    EXPECT_THAT(gemm.demand.l2_hit_rate, Optional(DoubleNear(0.712, 1e-12)));
    EXPECT_THAT(gemm.demand.dram_read_bytes, Optional(DoubleNear(1'105'670'000, 1e-3)));
    EXPECT_EQ(copy.demand.dram_read_bytes, std::nullopt) << "what was not measured is not 0";
    EXPECT_EQ(copy.demand.l2_hit_rate, std::nullopt);
    EXPECT_THAT(gemm.demand.source, HasSubstr("decode.csv, line "));
  }
}

TEST_F(NcuCsv, ASummaryStandsForItsInvocations) {
  const KernelProfile profile = read(table.summary_text(14, false));
  EXPECT_EQ(profile.launches.at(0).launches, 14u);
  EXPECT_EQ(profile.launches.at(0).grid, std::nullopt);
  EXPECT_THAT(profile.launches.at(0).demand.duration_us, Optional(12.4)) << "the average, not the minimum";
}

TEST_F(NcuCsv, UnitsOfAllVersionsAreKnown) {
  const auto time = [&](const std::string& unit, const std::string& value) {
    return demand({{"gpu__time_duration.sum", unit, value}}).duration_us;
  };
  EXPECT_THAT(time("nsecond", "10,196,000"), Optional(10'196.0));
  EXPECT_THAT(time("ns", "500"), Optional(0.5));
  EXPECT_THAT(time("ms", "2.5"), Optional(2'500.0));
  EXPECT_THAT(time("second", "4.0e-05"), Optional(DoubleNear(40, 1e-9)));
  const auto clock = [&](const std::string& unit, const std::string& value) {
    return demand({{"SM Frequency", unit, value, "GPU Speed Of Light Throughput"}}).sm_mhz;
  };
  EXPECT_THAT(clock("cycle/nsecond", "1.54"), Optional(1'540.0));
  EXPECT_THAT(clock("cycle/usecond", "581.85"), Optional(581.85));
  EXPECT_THAT(clock("hz", "1239496049.13"), Optional(DoubleNear(1239.496, 1e-3)));
  EXPECT_THAT(clock("Ghz", "1.41"), Optional(1'410.0));
  const auto read = [&](const std::string& unit) {
    return demand({{"dram__bytes_op_read.sum", unit, "2"}}).dram_read_bytes;
  };
  EXPECT_THAT(read("byte"), Optional(2.0));
  EXPECT_THAT(read(""), Optional(2.0));
  EXPECT_THAT(read("Gbyte"), Optional(2e9));
  EXPECT_THAT(demand({{"lts__t_sectors_op_read.sum", "Msector", "1.5"}}).l2_read_sectors, Optional(1.5e6));
}

TEST_F(NcuCsv, ThePageHasNamesOfItsOwn) {
  const KernelDemand d = demand({{"Duration", "us", "12.4", "GPU Speed Of Light Throughput"},
                                 {"Elapsed Cycles", "cycle", "17,484", "GPU Speed Of Light Throughput"},
                                 {"L1/TEX Hit Rate", "%", "25", "Memory Workload Analysis"},
                                 {"L2 Hit Rate", "%", "100.4", "Memory Workload Analysis"},
                                 {"Executed Instructions", "inst", "42", "Instruction Statistics"},
                                 {"Achieved Occupancy", "%", "61.3", "Occupancy"},
                                 {"Grid Size", "", "864", "Launch Statistics"},
                                 {"Function Cache Configuration", "", "CachePreferNone", "Launch Statistics"}});
  EXPECT_THAT(d.duration_us, Optional(12.4));
  EXPECT_THAT(d.sm_mhz, Optional(DoubleNear(1'410, 1e-9))) << "cycles over duration, where no clock is said";
  EXPECT_THAT(d.l1_hit_rate, Optional(0.25));
  EXPECT_THAT(d.l2_hit_rate, Optional(1.0)) << "passes of several counters do not see the same launch";
  EXPECT_THAT(d.instructions, Optional(42.0));
  EXPECT_THAT(d.warps_active, Optional(DoubleNear(0.613, 1e-12)));
}

TEST_F(NcuCsv, SumsOfMetricsNeedTheirMainParts) {
  const KernelDemand d = demand({{"sm__inst_executed_pipe_fma.sum", "inst", "100"},
                                 {"sm__inst_executed_pipe_fp16.sum", "inst", "20"},
                                 {"sm__inst_executed_pipe_adu.sum", "inst", "7"},
                                 {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "", "3"},
                                 {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", "400"},
                                 {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sector", "100"},
                                 {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "sector", "1"},
                                 {"lts__t_sectors_op_read.sum", "sector", "900"},
                                 {"lts__t_sectors_srcunit_tex_op_read.sum", "sector", "450"},
                                 {"lts__t_sectors_op_write.sum", "sector", "80"},
                                 {"lts__t_sectors_op_red.sum", "sector", "8"},
                                 {"dram__sectors_write.sum", "sector", "10"}});
  EXPECT_THAT(d.of_pipe.fp32, Optional(120.0));
  EXPECT_EQ(d.of_pipe.control, std::nullopt) << "branches are not known";
  EXPECT_EQ(d.shared_wavefronts, std::nullopt) << "stores are not known";
  EXPECT_THAT(d.l1_sectors, Optional(501.0));
  EXPECT_THAT(d.l2_read_sectors, Optional(450.0)) << "without what goes between two halves of an L2";
  EXPECT_THAT(d.l2_write_sectors, Optional(88.0));
  EXPECT_THAT(d.dram_write_bytes, Optional(320.0));
}

TEST_F(NcuCsv, WhatCannotBeIsRefusedWithItsLine) {
  EXPECT_THAT(error("loading\nno kernels here\n"), AllOf(HasSubstr("has no table"), HasSubstr("--page raw --csv")));
  EXPECT_THAT(error(NcuTable().long_text()), HasSubstr("has no launch"));
  // A table under a German locale (periods between thousands, a comma before what is below 1).
  EXPECT_THAT(error_of_value("ns", "27.595.520"), AllOf(HasSubstr("decode.csv:6: "), HasSubstr("LC_ALL=C")));
  EXPECT_THAT(error_of_value("ns", "65,77"), HasSubstr("found '65,77'"));
  EXPECT_THAT(error_of_value("ns", "-1"), HasSubstr("found '-1'"));
  EXPECT_THAT(error_of_value("furlong", "1"), HasSubstr("found the unit 'furlong', allowed: ns, us"));
  EXPECT_THAT(error_of_value("", "1"), HasSubstr("found the unit ''")) << "of which version's times?";
  EXPECT_THAT(error("\"Kernel Name\",\"Metric Name\",\"Metric Value\"\n"),
              HasSubstr("but not 'ID' and 'Metric Value'"));
}

TEST_F(NcuCsv, ATableThatWasCutOffHasWhatIsLeft) {
  const std::string text = table.wide_text();
  for (std::size_t end = 0; end < text.size(); end += 7) {
    const std::string what = error(text.substr(0, end));
    EXPECT_TRUE(what.empty() || what.find("decode.csv") != std::string::npos) << what;
  }
}

}  // namespace
}  // namespace gputlm

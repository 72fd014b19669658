// The writer of Nsight Systems' exports against the tool's exports. The columns and numbers here are from exports of the three
// versions, not from the writer.
#include "tests/support/nsight_export.h"

#include <gmock/gmock.h>

#include "tests/support/sqlite_file.h"
#include "tests/support/test_folder.h"

namespace gputlm {
namespace {

using captured::kernel;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

constexpr std::int64_t kNoneOfNsight = 4'294'967'295;

class NsightExports : public testing::Test {
 protected:
  using Rows = std::vector<std::vector<std::string>>;

  /// The rows that a query answers, as texts; "null" for nothing.
  Rows rows(const NsightExport& file, const std::string& query) {
    file.write(path);
    Rows all;
    for (const auto& row : SqliteFile(path).rows(query)) {
      std::vector<std::string>& texts = all.emplace_back();
      for (const SqliteValue& value : row) {
        if (const auto* number = std::get_if<std::int64_t>(&value))
          texts.push_back(std::to_string(*number));
        else
          texts.push_back(std::holds_alternative<std::string>(value) ? std::get<std::string>(value) : "null");
      }
    }
    return all;
  }
  std::vector<std::string> column(const NsightExport& file, const std::string& query) {
    std::vector<std::string> all;
    for (const auto& row : rows(file, query)) all.push_back(row.at(0));
    return all;
  }
  std::vector<std::string> columns_of(NsightVersion version, const std::string& table) {
    return column(NsightExport(version).with_empty_tables(), "SELECT name FROM pragma_table_info('" + table + "')");
  }
  std::vector<std::string> tables_of(const NsightExport& file) {
    return column(file, "SELECT name FROM sqlite_master WHERE type = 'table'");
  }

  TestFolder folder;
  std::string path = folder.path("t.sqlite");
};

std::vector<std::string> joined(std::vector<std::string> columns, const std::vector<std::string>& further) {
  columns.insert(columns.end(), further.begin(), further.end());
  return columns;
}

TEST_F(NsightExports, KernelsHaveTheColumnsOfTheVersionInTheToolsOrder) {
  const std::vector<std::string> in_2024_5 = {"start",
                                              "end",
                                              "deviceId",
                                              "contextId",
                                              "greenContextId",
                                              "streamId",
                                              "correlationId",
                                              "globalPid",
                                              "demangledName",
                                              "shortName",
                                              "mangledName",
                                              "launchType",
                                              "cacheConfig",
                                              "registersPerThread",
                                              "gridX",
                                              "gridY",
                                              "gridZ",
                                              "blockX",
                                              "blockY",
                                              "blockZ",
                                              "staticSharedMemory",
                                              "dynamicSharedMemory",
                                              "localMemoryPerThread",
                                              "localMemoryTotal",
                                              "gridId",
                                              "sharedMemoryExecuted",
                                              "graphNodeId",
                                              "sharedMemoryLimitConfig"};
  const std::vector<std::string> in_2025_5 =
      joined(in_2024_5, {"qmdBulkReleaseDone", "qmdPreexitDone", "qmdLastCtaDone", "graphId", "clusterX", "clusterY",
                         "clusterZ", "clusterSchedulingPolicy", "maxPotentialClusterSize", "maxActiveClusters"});
  const std::vector<std::string> in_2026_2 =
      joined(in_2025_5, {"sharedMemoryRequestedPercentage", "tensorSizeMinusOneElements"});
  EXPECT_EQ(columns_of(NsightVersion::k2024_5, "CUPTI_ACTIVITY_KIND_KERNEL"), in_2024_5);
  EXPECT_EQ(columns_of(NsightVersion::k2025_5, "CUPTI_ACTIVITY_KIND_KERNEL"), in_2025_5);
  EXPECT_EQ(columns_of(NsightVersion::k2026_2, "CUPTI_ACTIVITY_KIND_KERNEL"), in_2026_2);
}

TEST_F(NsightExports, WaitsAndEventsHaveTheColumnsOfTheVersion) {
  const std::string waits = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", events = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";
  const std::vector<std::string> work = {"start",          "end",      "deviceId",      "contextId",
                                         "greenContextId", "streamId", "correlationId", "globalPid"};
  EXPECT_EQ(columns_of(NsightVersion::k2024_5, waits), joined(work, {"syncType", "eventId"}));
  for (const NsightVersion version : {NsightVersion::k2025_5, NsightVersion::k2026_2})
    EXPECT_EQ(columns_of(version, waits), joined(work, {"deprecatedSyncType", "syncType", "eventId", "eventSyncId"}));
  EXPECT_THAT(
      columns_of(NsightVersion::k2024_5, events),
      ElementsAre("deviceId", "contextId", "greenContextId", "streamId", "correlationId", "globalPid", "eventId"));
  EXPECT_THAT(columns_of(NsightVersion::k2025_5, events),
              ElementsAre("timestamp", "deviceId", "contextId", "greenContextId", "streamId", "correlationId",
                          "globalPid", "eventId", "eventSyncId"));
  EXPECT_THAT(columns_of(NsightVersion::k2024_5, "CUPTI_ACTIVITY_KIND_OVERHEAD"), IsEmpty());
  EXPECT_THAT(columns_of(NsightVersion::k2025_5, "CUPTI_ACTIVITY_KIND_OVERHEAD"),
              ElementsAre("start", "end", "eventClass", "globalTid", "correlationId", "nameId", "overheadType"));
}

TEST_F(NsightExports, TablesWithoutRowsAreLeftOutUnlessAskedFor) {
  EXPECT_THAT(tables_of(NsightExport(NsightVersion::k2025_5)), Not(Contains("CUPTI_ACTIVITY_KIND_KERNEL")));
  EXPECT_THAT(tables_of(NsightExport(NsightVersion::k2025_5).with_empty_tables()),
              Contains("CUPTI_ACTIVITY_KIND_MEMSET"));
  EXPECT_THAT(tables_of(NsightExport(NsightVersion::k2024_5)), Not(Contains("ENUM_CUPTI_OVERHEAD_TYPE")));
}

TEST_F(NsightExports, NumbersAreNamedAsTheToolNamesThem) {
  NsightExport old(NsightVersion::k2024_5), recent(NsightVersion::k2026_2);
  EXPECT_THAT(rows(recent, "SELECT id, label FROM ENUM_CUDA_MEM_KIND WHERE id < 3"),
              ElementsAre(ElementsAre("0", "Pageable"), ElementsAre("1", "Pinned"), ElementsAre("2", "Device")));
  EXPECT_THAT(
      rows(recent, "SELECT id, label FROM ENUM_CUPTI_OVERHEAD_TYPE WHERE id > 6"),
      ElementsAre(ElementsAre("7", "Lazy function loading (CUDA)"), ElementsAre("8", "Command buffer full (CUDA)")));
  const std::string classes = "SELECT id, name FROM ENUM_NSYS_EVENT_CLASS WHERE id IN (62, 77, 103)";
  EXPECT_THAT(rows(old, classes), ElementsAre(ElementsAre("62", "TRACE_PROCESS_EVENT_SLI"),
                                              ElementsAre("77", "TRACE_PROCESS_EVENT_CUDA_GRAPH_NODE_CREATION")));
  EXPECT_THAT(rows(recent, classes), ElementsAre(ElementsAre("62", "TRACE_PROCESS_EVENT_SLI_DEPRECATED"),
                                                 ElementsAre("77", "TRACE_PROCESS_EVENT_CUDA_GRAPH_NODE_CREATION"),
                                                 ElementsAre("103", "TRACE_PROCESS_EVENT_CUDA_OVERHEAD")));
  const std::string types = "SELECT count(*), max(id) FROM ENUM_NSYS_EVENT_TYPE";
  EXPECT_THAT(rows(old, types), ElementsAre(ElementsAre("147", "146")));
  EXPECT_THAT(rows(recent, types), ElementsAre(ElementsAre("155", "154")));
}

TEST_F(NsightExports, PrioritiesAreWrittenUnsigned) {
  NsightExport e(NsightVersion::k2025_5);
  e.thread(100);
  e.stream(13, -5);
  EXPECT_THAT(rows(e, "SELECT streamId, priority, flag FROM TARGET_INFO_CUDA_STREAM"),
              ElementsAre(ElementsAre("7", "0", "3"), ElementsAre("13", "4294967291", "2")));
}

TEST_F(NsightExports, ProcessesAndThreadsArePackedIntoOneNumber) {
  NsightExport e(NsightVersion::k2024_5);
  const auto t = e.thread(111, 143);
  e.launch(t, {0}, e.stream(13), kernel("k", {1}, {32}), {10, 20});
  EXPECT_THAT(column(e, "SELECT globalPid FROM CUPTI_ACTIVITY_KIND_KERNEL"), ElementsAre("281476838981632"));
  EXPECT_THAT(column(e, "SELECT globalTid FROM CUPTI_ACTIVITY_KIND_RUNTIME"), ElementsAre("281476838981775"));
}

/// The call, syncType, streamId and eventId of each kind of wait.
class NsightWaits : public NsightExports, public testing::WithParamInterface<NsightVersion> {
 protected:
  Rows waits() {
    NsightExport e(GetParam());
    const auto t = e.thread(100);
    const auto s = e.stream(13), other = e.stream(14);
    const auto record = e.record_event(t, {0}, s, 5);
    e.wait_event(t, {10'000}, other, record);
    e.synchronize_event(t, {20'000}, record);
    e.synchronize_stream(t, {30'000}, s);
    e.synchronize_device(t, {40'000});
    return rows(e,
                "SELECT value, syncType, streamId, eventId FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION AS s JOIN "
                "CUPTI_ACTIVITY_KIND_RUNTIME AS r USING (correlationId) JOIN StringIds AS i ON i.id = r.nameId "
                "WHERE s.start > r.start AND s.end < r.end ORDER BY s.start");
  }
};

TEST_P(NsightWaits, KindsAreNumberedAsTheVersionDoes) {
  const bool as_cupti = GetParam() == NsightVersion::k2026_2;
  const std::string none = std::to_string(kNoneOfNsight);
  EXPECT_THAT(waits(), ElementsAre(ElementsAre("cudaStreamWaitEvent_v3020", as_cupti ? "2" : "3", "14", "5"),
                                   ElementsAre("cudaEventSynchronize_v3020", as_cupti ? "1" : "4", none, "5"),
                                   ElementsAre("cudaStreamSynchronize_v3020", as_cupti ? "3" : "2", "13", none),
                                   ElementsAre("cudaDeviceSynchronize_v3020", as_cupti ? "4" : "1", none, none)));
}

INSTANTIATE_TEST_SUITE_P(Versions, NsightWaits,
                         testing::Values(NsightVersion::k2024_5, NsightVersion::k2025_5, NsightVersion::k2026_2));

TEST_F(NsightExports, WhatStandsForNoRecordFollowsTheVersion) {
  for (const auto& [version, none] : {std::pair(NsightVersion::k2025_5, "4294967295"), {NsightVersion::k2026_2, "0"}}) {
    NsightExport e(version);
    const auto t = e.thread(100);
    const auto s = e.stream(13);
    e.wait_event(t, {10}, s, e.record_event(t, {0}, s, 5));
    e.synchronize_stream(t, {20}, s);
    EXPECT_THAT(column(e, "SELECT eventSyncId FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"), ElementsAre("1", none));
    EXPECT_THAT(rows(e, "SELECT timestamp, eventId, eventSyncId FROM CUPTI_ACTIVITY_KIND_CUDA_EVENT"),
                ElementsAre(ElementsAre("0", "5", "1")));
  }
}

TEST_F(NsightExports, CopiesNameMemoryByNsightsNumbers) {
  NsightExport e(NsightVersion::k2025_5);
  const auto t = e.thread(100);
  const auto s = e.stream(13);
  e.copy(t, {0}, s, captured::host_to_device(4096, captured::Memory::kPageable), {10, 20});
  e.copy(t, {30}, s, captured::device_to_host(4096), {40, 50});
  e.copy(t, {60}, s, captured::to_peer(4096, 1), {70, 80});
  e.memset(t, {90}, s, 64, {100, 110});
  EXPECT_THAT(rows(e, "SELECT copyKind, srcKind, dstKind, dstDeviceId, copyCount FROM CUPTI_ACTIVITY_KIND_MEMCPY"),
              ElementsAre(ElementsAre("1", "0", "2", "null", "1"), ElementsAre("2", "2", "1", "null", "1"),
                          ElementsAre("10", "2", "2", "1", "1")));
  EXPECT_THAT(rows(e, "SELECT bytes, value, memKind FROM CUPTI_ACTIVITY_KIND_MEMSET"),
              ElementsAre(ElementsAre("64", "0", "2")));
}

TEST_F(NsightExports, CorrelationsAreUniqueInAProcessOnly) {
  NsightExport e(NsightVersion::k2026_2);
  const auto a = e.thread(100), b = e.thread(200);
  e.launch(a, {0}, e.stream(13), kernel("a", {1}, {32}), {10, 20});
  e.launch(b, {0}, e.stream(e.context(200, 2, 1, 15), 23), kernel("b", {1}, {32}), {10, 20});
  EXPECT_THAT(column(e, "SELECT correlationId FROM CUPTI_ACTIVITY_KIND_KERNEL"), ElementsAre("1", "1"));
}

TEST_F(NsightExports, NodesOfAGraphHaveTheLaunchsCorrelation) {
  NsightExport e(NsightVersion::k2025_5);
  const auto t = e.thread(100);
  const auto s = e.stream(13), other = e.stream(14);
  const auto graph = e.graph(t, 0, 100, 2, true);
  e.launch_graph(t, {200}, s, graph,
                 {{0, s, kernel("first", {1}, {32}), {300, 400}}, {1, other, kernel("second", {1}, {32}), {310, 390}}});
  EXPECT_THAT(rows(e, "SELECT correlationId, graphNodeId, graphId FROM CUPTI_ACTIVITY_KIND_KERNEL"),
              ElementsAre(ElementsAre("1", "8589934592", "2"), ElementsAre("1", "8589934593", "2")));
  EXPECT_THAT(rows(e, "SELECT graphNodeId, originalGraphNodeId FROM CUDA_GRAPH_NODE_EVENTS ORDER BY 1"),
              ElementsAre(ElementsAre("4294967296", "null"), ElementsAre("4294967297", "null"),
                          ElementsAre("8589934592", "4294967296"), ElementsAre("8589934593", "4294967297")));
}

TEST_F(NsightExports, AGraphAsAWholeHasNoKernels) {
  NsightExport e(NsightVersion::k2025_5);
  const auto t = e.thread(100);
  const auto s = e.stream(13);
  e.launch_whole_graph(t, {200}, s, e.graph(t, 0, 100, 3, false), {300, 400});
  EXPECT_THAT(rows(e, "SELECT start, end, streamId, graphId, graphExecId FROM CUPTI_ACTIVITY_KIND_GRAPH_TRACE"),
              ElementsAre(ElementsAre("300", "400", "13", "1", "2")));
  EXPECT_THAT(tables_of(e), Not(Contains("CUPTI_ACTIVITY_KIND_KERNEL")));
  EXPECT_THAT(tables_of(e), Not(Contains("CUDA_GRAPH_NODE_EVENTS")));
}

TEST_F(NsightExports, ClustersAndGreenContextsFollowTheVersion) {
  for (const auto& [version, none] : {std::pair(NsightVersion::k2024_5, "null"), {NsightVersion::k2026_2, "0"}}) {
    NsightExport e(version);
    const auto t = e.thread(100);
    const auto green = e.green_context(e.context(100, 2, 0, 15), 3);
    e.launch(t, {0}, e.stream(13), kernel("plain", {4}, {32}), {10, 20});
    e.launch(t, {30}, e.stream(green, 23), kernel("wide", {4}, {32}).in_clusters({2}), {40, 50});
    const auto greens = rows(e, "SELECT contextId, greenContextId FROM CUPTI_ACTIVITY_KIND_KERNEL");
    EXPECT_THAT(greens[0], ElementsAre("1", none));
    if (version == NsightVersion::k2024_5) continue;
    EXPECT_THAT(greens[1], ElementsAre("2", "3"));
    EXPECT_THAT(rows(e, "SELECT clusterX, clusterY, clusterZ FROM CUPTI_ACTIVITY_KIND_KERNEL"),
                ElementsAre(ElementsAre("0", "0", "0"), ElementsAre("2", "1", "1")));
    EXPECT_THAT(rows(e, "SELECT contextId, parentContextId, isGreenContext FROM TARGET_INFO_CUDA_CONTEXT_INFO"),
                ElementsAre(ElementsAre("1", "0", "0"), ElementsAre("2", "0", "0"), ElementsAre("3", "2", "1")));
  }
}

TEST_F(NsightExports, RangesHaveATextOrARegisteredOne) {
  NsightExport e(NsightVersion::k2026_2);
  const auto t = e.thread(100), other = e.thread(100, 101);
  e.push_pop(t, {"step"}, {-5, 20}).pushed_and_never_popped(t, {"open"}, 30);
  e.domain(t, 1, "NCCL").push_pop(t, {"AllReduce", true, 1}, {40, 50});
  e.start_end(t, {"frame"}, {60, 70}, other).mark(t, {"here"}, 80);
  const std::int64_t tid = (std::int64_t{1} << 48) + (100 << 24);
  EXPECT_THAT(rows(e,
                   "SELECT eventType, start, end, text, value, domainId, rangeId, endGlobalTid FROM NVTX_EVENTS "
                   "LEFT JOIN StringIds ON id = textId"),
              ElementsAre(ElementsAre("59", "-5", "20", "step", "null", "0", "null", "null"),
                          ElementsAre("59", "30", "null", "open", "null", "0", "null", "null"),
                          ElementsAre("75", "0", "null", "NCCL", "null", "1", "null", "null"),
                          ElementsAre("59", "40", "50", "null", "AllReduce", "1", "null", "null"),
                          ElementsAre("60", "60", "70", "frame", "null", "0", "1", std::to_string(tid + 101)),
                          ElementsAre("34", "80", "null", "here", "null", "0", "null", "null")));
}

TEST_F(NsightExports, OverheadIsAVersionsOwn) {
  NsightExport recent(NsightVersion::k2025_5), old(NsightVersion::k2024_5);
  for (NsightExport* e : {&recent, &old}) {
    const auto t = e->thread(100);
    const auto call = e->launch(t, {0, 9'000}, e->stream(13), kernel("k", {1}, {32}), {9'000, 9'100});
    e->overhead(t, call, {500, 8'500}, captured::Overhead::kCommandBufferFull);
  }
  EXPECT_THAT(rows(recent,
                   "SELECT value, overheadType, eventClass, correlationId FROM CUPTI_ACTIVITY_KIND_OVERHEAD "
                   "JOIN StringIds ON id = nameId"),
              ElementsAre(ElementsAre("Command Buffer Full", "8", "103", "1")));
  EXPECT_THROW(old.write(path), std::logic_error);
}

TEST_F(NsightExports, TheSameCallsGiveTheSameFile) {
  const auto written = [&] {
    NsightExport e(NsightVersion::k2026_2);
    e.gpu();
    const auto t = e.thread(100);
    e.launch(t, {0}, e.stream(13), kernel("void ns::gemm<float>(float*)", {1}, {32}), {10, 20});
    e.write(path);
    return folder.read("t.sqlite");
  };
  const std::string first = written();
  EXPECT_EQ(first, written());
}

TEST_F(NsightExports, ATestMayDamageTheFile) {
  NsightExport e(NsightVersion::k2025_5);
  const auto t = e.thread(100);
  e.launch(t, {0}, e.stream(13), kernel("k", {1}, {32}), {10, 20});
  e.then("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = 5");
  EXPECT_THAT(column(e, "SELECT end FROM CUPTI_ACTIVITY_KIND_KERNEL"), ElementsAre("5"));
}

}  // namespace
}  // namespace gputlm

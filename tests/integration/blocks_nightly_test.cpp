// How far SMs that run blocks are off those that run warps, in the quick form.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "experiment_report.h"
#include "program.h"

namespace gputlm {
namespace {

/// How many lines of a CSV file begin with each field.
std::map<std::string, unsigned> lines_by_first_field(const std::string& file) {
  std::map<std::string, unsigned> lines;
  std::ifstream in(file);
  std::string line;
  for (std::getline(in, line); std::getline(in, line);) {
    const bool quoted = line.at(0) == '"';
    ++lines[quoted ? line.substr(1, line.find('"', 1) - 1) : line.substr(0, line.find(','))];
  }
  return lines;
}

/// What the table of a report says each of its lines is of. Names end before column 30, and what they are of at 37.
std::map<std::string, unsigned> counts_of_table(const std::string& text) {
  std::map<std::string, unsigned> counts;
  std::istringstream in(text);
  std::string line;
  for (std::getline(in, line); std::getline(in, line) && line.find("no numbers") == std::string::npos;)
    counts[line.substr(0, line.find("  "))] = static_cast<unsigned>(std::stoul(line.substr(30, 7)));
  return counts;
}

class BlocksError : public testing::TestWithParam<const char*> {};

TEST_P(BlocksError, KeepsToItsAimsOrMissesAsKnown) {
  ExperimentOptions options = quick();
  const TestFolder folder;
  options.out = folder.path("");
  const ExperimentReport report = find_experiments(GetParam()).front()->run(options);
  EXPECT_EQ(report.figures.size(), 9u);
  expect_as_known(GetParam(), report, options);
  const bool requests = GetParam() == std::string("blocks/error-requests");
  EXPECT_EQ(lines_by_first_field(folder.path(requests ? "blocks_requests-error.csv" : "blocks-error.csv")),
            counts_of_table(report.text));
}

INSTANTIATE_TEST_SUITE_P(OfBothMemories, BlocksError, testing::Values("blocks/error", "blocks/error-requests"));

}  // namespace
}  // namespace gputlm

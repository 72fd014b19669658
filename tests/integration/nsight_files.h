/// Captures as Nsight Systems exports them to SQLite, with the tables and columns that a version has.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputlm {

struct NsightKernel {
  std::int64_t start, end;
  unsigned grid = 1, block = 32, registers = 16, shared_memory = 0;
  unsigned stream = 7;
  std::string name = "k";      ///< demangled
  std::int64_t launched = -1;  ///< -1: the call is not there
  unsigned process = 100, context = 1, device = 0;
};

struct NsightCopy {
  std::int64_t start, end;
  std::int64_t bytes = 1024, kind = 1;  ///< CUPTI's: 1 host to device, 2 device to host, 8 device to device
  unsigned stream = 7;
  std::int64_t from = 2, to = 3;  ///< memory: 1 pageable, 2 pinned, 3 of the device
};

/// A database, statement by statement.
class Database {
 public:
  explicit Database(const std::string& path) {
    if (sqlite3_open(path.c_str(), &database_) != SQLITE_OK) throw std::runtime_error("no database " + path);
  }
  ~Database() { sqlite3_close(database_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  void run(const std::string& sql) {
    char* error = nullptr;
    if (sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, &error) != SQLITE_OK)
      throw std::runtime_error(sql + ": " + (error ? error : ""));
  }

 private:
  sqlite3* database_ = nullptr;
};

inline std::string values(const std::vector<std::int64_t>& all) {
  std::string text;
  for (const std::int64_t value : all) text += (text.empty() ? "" : ",") + std::to_string(value);
  return text;
}

/// A capture on a GPU with the SMs of `rtx2060`; the tables of version 2023.
inline void write_nsight(const std::string& path, const std::vector<NsightKernel>& kernels,
                         const std::vector<NsightCopy>& copies = {}) {
  Database database(path);
  database.run(
      "BEGIN;"
      "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
      "CREATE TABLE TARGET_INFO_GPU (id INTEGER NOT NULL, name TEXT, smCount INTEGER, cuDevice INTEGER, maxShmemPerSm "
      "INTEGER, maxRegistersPerSm INTEGER, maxWarpsPerSm INTEGER, maxBlocksPerSm INTEGER);"
      "INSERT INTO TARGET_INFO_GPU VALUES (0, 'RTX 2060', 30, 0, 65536, 65536, 32, 16);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER, "
      "correlationId INTEGER, nameId INTEGER NOT NULL);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT "
      "NULL, "
      "contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, demangledName "
      "INTEGER NOT NULL, shortName INTEGER NOT NULL, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, "
      "gridY "
      "INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT "
      "NULL, staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL, graphNodeId INTEGER);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT "
      "NULL, "
      "contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, bytes INTEGER "
      "NOT "
      "NULL, copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind INTEGER);"
      "CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO (nullStreamId INTEGER NOT NULL, processId INTEGER NOT NULL, "
      "contextId "
      "INTEGER NOT NULL);"
      "CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INTEGER NOT NULL, processId INTEGER NOT NULL, contextId INTEGER "
      "NOT "
      "NULL, priority INTEGER NOT NULL, flag INTEGER NOT NULL);");
  std::int64_t id = 0;
  for (const NsightKernel& k : kernels) {
    const std::int64_t process = std::int64_t{k.process} << 24;
    ++id;
    database.run("INSERT INTO StringIds VALUES (" + std::to_string(id) + ", '" + k.name + "')");
    database.run("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" +
                 values({k.start, k.end, k.device, k.context, k.stream, id, process, id, id, k.registers, k.grid, 1, 1,
                         k.block, 1, 1, k.shared_memory, 0}) +
                 ", NULL)");
    if (k.launched >= 0)
      database.run("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (" +
                   values({k.launched, k.launched + 1, process | 1, id, 0}) + ")");
  }
  for (const NsightCopy& c : copies)
    database.run(
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (" +
        values({c.start, c.end, 0, 1, c.stream, ++id, std::int64_t{100} << 24, c.bytes, c.kind, c.from, c.to}) + ")");
  database.run("COMMIT");
}

}  // namespace gputlm

/// A cluster of one node for a test: munged, slurmctld and slurmd of its own, in a folder of its own, by any user.
#pragma once

#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <chrono>
#include <random>
#include <thread>

#include "tests/integration/environment.h"
#include "tests/integration/processes.h"

namespace gputlm {

/// Returns what a command prints; the command must succeed.
inline std::string output_of(const std::string& command) {
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("no shell");
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  ::pclose(pipe);
  return text;
}

class SlurmCluster {
 public:
  /// Whether its programs are installed: Debian's slurmctld, slurmd, slurm-client and munge.
  static bool possible() {
    return std::system(
               "PATH=$PATH:/usr/sbin:/sbin; for p in munged slurmctld slurmd sbatch squeue; do "
               "command -v $p >/dev/null || exit 1; done") == 0;
  }

  SlurmCluster() : configuration_("SLURM_CONF", folder_.path("slurm.conf")) {
    namespace fs = std::filesystem;
    fs::permissions(folder_.path(""), fs::perms(0755));  // munged requires that its socket's folder is open to all
    for (const char* name : {"munge", "state", "spool"}) fs::create_directory(folder_.path(name));
    std::string key(256, '\0');
    std::random_device random;
    for (char& byte : key) byte = static_cast<char>(random());
    fs::permissions(folder_.write("munge/key", key), fs::perms(0600));
    folder_.write("slurm.conf", configuration());
    start({"munged", "--foreground", "--socket=" + folder_.path("munge/socket"),
           "--key-file=" + folder_.path("munge/key"), "--log-file=" + folder_.path("munge/log"),
           "--pid-file=" + folder_.path("munge/pid"), "--seed-file=" + folder_.path("munge/seed")});
    wait_for([&] { return fs::exists(folder_.path("munge/socket")); });
    start({"slurmctld", "-D"});
    wait_for([] { return output_of("sinfo -h 2>/dev/null").find("main") == 0; });
    start({"slurmd", "-D", "-N", "localhost"});
    wait_for([] { return output_of("sinfo -h -o %t 2>/dev/null").find("idle") == 0; });
  }
  ~SlurmCluster() {
    std::reverse(daemons_.begin(), daemons_.end());
    for (const pid_t daemon : daemons_) {
      ::kill(daemon, SIGTERM);
      ::waitpid(daemon, nullptr, 0);
    }
  }
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;

  std::string log() const { return read_file(folder_.path("slurmctld.log")) + read_file(folder_.path("slurmd.log")); }

 private:
  static int free_port() {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    socklen_t size = sizeof address;
    ::bind(socket, reinterpret_cast<sockaddr*>(&address), size);
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
    ::close(socket);
    return ntohs(address.sin_port);
  }

  /// Four processors, whatever the machine has, and a scheduler without delays.
  std::string configuration() const {
    const std::string f = folder_.path(""), user = std::to_string(::getuid());
    return "ClusterName=test\nSlurmctldHost=localhost(127.0.0.1)\nSlurmctldPort=" + std::to_string(free_port()) +
           "\nSlurmdPort=" + std::to_string(free_port()) + "\nSlurmUser=" + user + "\nSlurmdUser=" + user +
           "\nAuthType=auth/munge\nAuthInfo=socket=" + f + "munge/socket\nStateSaveLocation=" + f +
           "state\nSlurmdSpoolDir=" + f + "spool\nSlurmctldPidFile=" + f + "slurmctld.pid\nSlurmdPidFile=" + f +
           "slurmd.pid\nSlurmctldLogFile=" + f + "slurmctld.log\nSlurmdLogFile=" + f +
           "slurmd.log\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSelectType=select/cons_tres\n"
           "SelectTypeParameters=CR_Core\nMpiDefault=none\nAccountingStorageType=accounting_storage/none\n"
           "JobAcctGatherType=jobacct_gather/none\nReturnToService=2\nKillWait=1\nMaxArraySize=10001\n"
           "SlurmdParameters=config_overrides\n"
           "SchedulerParameters=sched_interval=1,batch_sched_delay=1,sched_min_interval=1\n"
           "NodeName=localhost NodeAddr=127.0.0.1 CPUs=4\n"
           "PartitionName=main Nodes=localhost Default=YES MaxTime=INFINITE State=UP\n";
  }

  void start(const std::vector<std::string>& words) {
    const pid_t parent = ::getpid(), pid = ::fork();
    if (pid == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(126);
      const int output = ::open(folder_.path(words[0] + ".out").c_str(), O_WRONLY | O_CREAT, 0644);
      ::dup2(output, STDOUT_FILENO);
      ::dup2(output, STDERR_FILENO);
      ::setenv("PATH", (std::string(std::getenv("PATH")) + ":/usr/sbin:/sbin").c_str(), 1);
      std::vector<char*> argv;
      for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
      argv.push_back(nullptr);
      ::execvp(argv[0], argv.data());
      ::_exit(127);
    }
    daemons_.push_back(pid);
  }

  void wait_for(const std::function<bool()>& there) const {
    for (int i = 0; i < 600; ++i) {
      if (there()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    std::string said;
    for (const char* name : {"munged.out", "slurmctld.out", "slurmd.out"}) {
      if (std::filesystem::exists(folder_.path(name))) said += read_file(folder_.path(name));
    }
    throw std::runtime_error("the cluster does not begin to work: " + said);
  }

  TestFolder folder_;
  Environment configuration_;
  std::vector<pid_t> daemons_;
};

}  // namespace gputlm

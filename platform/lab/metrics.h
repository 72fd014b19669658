/// How kernels and applications that run together are compared with running alone: each metric once, by the definition
/// of the paper that it comes from. None of them is defined for no values.
#pragma once

#include <vector>

namespace gputlm {

/// part / whole; 0 where the whole is 0.
double ratio(double part, double whole);

double mean(const std::vector<double>& values);
/// Of positive values (srtf, section 6.1.4: "geometric means").
double geometric_mean(const std::vector<double>& values);

/// What is left of the speed: IPC shared over IPC alone (fr-rr-fcfs, equation 1, "slowdown"); 1 is as alone.
double relative_speed(double ipc_shared, double ipc_alone);
/// Sum of relative speeds (fr-rr-fcfs, equation 2).
double weighted_speedup(const std::vector<double>& relative_speeds);
/// Sum of IPCs (fr-rr-fcfs, equation 3).
double instruction_throughput(const std::vector<double>& ipcs);
/// The largest quotient of two relative speeds (fr-rr-fcfs, equation 4); 1 is fair.
double fairness_index(const std::vector<double>& relative_speeds);

/// Time shared over time alone (srtf, section 6.1); 1 is as alone, more is slower.
double slowdown(double time_shared, double time_alone);
/// System throughput: the sum of time alone over time shared (srtf, section 6.1; Eyerman and Eeckhout, IEEE Micro 2008).
double stp(const std::vector<double>& slowdowns);
/// Average normalized turnaround time: the mean slowdown (srtf, section 6.1; likewise).
double antt(const std::vector<double>& slowdowns);
/// The smallest slowdown over the largest (srtf, section 6.1); 1 is fair.
double strictf(const std::vector<double>& slowdowns);

/// (sum x)^2 / (n sum x^2) (Jain, Chiu and Hawe, DEC-TR-301, 1984): 1 is fair, 1/n if one has it all. Not defined for
/// zeros alone.
double jain_index(const std::vector<double>& shares);

}  // namespace gputlm

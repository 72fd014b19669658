`include "assertions.svh"

// Selects the kernel whose block the work distributor sends next: of those in flight with blocks left, the most urgent,
// and on a tie the first to arrive. The reference is models/work_distributor/leftover.cpp.
//
// Guarantee: a combinational, work-conserving grant from registers and pending_i. The order is by level, and within
// a level by arrival: no kernel overtakes an earlier one unless it is more urgent. So a kernel of the most urgent level waits
// only for the earlier ones of that level; a less urgent kernel may wait forever. An entering kernel is in the order from the
// next cycle on.
//
// Cost: Kernels: an age_matrix and find_oldest, so flip-flops and gates grow with its square. LevelW: `largest` before
// find_oldest, and LevelW flip-flops per kernel for the level.
module leftover_kernel_order #(
  parameter  int unsigned Kernels = 32,  // kernels in flight; 2 to 128
  parameter  int unsigned LevelW  = 3,   // bits of a level; 1 to 8
  localparam int unsigned KernelW = $clog2(Kernels)
) (
  input  logic               clk_i,
  input  logic               rst_ni,         // synchronous, active low
  // A kernel arrives or has ended.
  input  logic               event_valid_i,
  input  logic               event_enter_i,  // 1: it arrives, its number is not in use; 0: it has ended
  input  logic [KernelW-1:0] event_kernel_i, // its number
  input  logic [LevelW-1:0]  event_level_i,  // of an arriving kernel; 0 is the most urgent
  input  logic [Kernels-1:0] pending_i,      // may have a block sent; ignored for numbers not in use
  output logic               grant_valid_o,
  output logic [Kernels-1:0] grant_o,        // one-hot; 0 if there is none
  output logic [KernelW-1:0] grant_kernel_o  // its number; 0 if there is none
);
  if (Kernels < 2 || Kernels > 128) $error("Kernels must be 2 to 128");

  logic [Kernels-1:0]        valid_q, enter, waiting;
  logic [Kernels*LevelW-1:0] level_q;
  for (genvar k = 0; k < Kernels; k++) begin : gen_kernel
    logic is_it;
    assign is_it    = event_valid_i && event_kernel_i == KernelW'(k);
    assign enter[k] = is_it && event_enter_i;
    always_ff @(posedge clk_i) begin
      if (is_it) valid_q[k] <= event_enter_i;
      if (enter[k]) level_q[k*LevelW+:LevelW] <= event_level_i;
      if (!rst_ni) valid_q[k] <= 1'b0;
    end
  end
  assign waiting = valid_q & pending_i;

  // A waiting kernel has a larger key than one that does not wait, and a more urgent level gives a larger key.
  localparam int unsigned KeyW = LevelW + 1;
  logic [Kernels*KeyW-1:0]    key;
  logic [Kernels*Kernels-1:0] older;
  logic [Kernels-1:0]         urgent;
  for (genvar k = 0; k < Kernels; k++) begin : gen_key
    assign key[k*KeyW+:KeyW] = {waiting[k], ~level_q[k*LevelW+:LevelW]};
  end
  largest #(.Inputs(Kernels), .Width(KeyW)) u_urgent (.number_i(key), .largest_o(urgent));
  age_matrix #(.Slots(Kernels)) u_ages (.clk_i, .enter_i(enter), .older_o(older));
  find_oldest #(.Slots(Kernels)) u_oldest (.request_i(urgent & waiting), .older_i(older), .oldest_o(grant_o));
  slot_number #(.Slots(Kernels)) u_number (.select_i(grant_o), .slot_o(grant_kernel_o));
  assign grant_valid_o = |waiting;

  `GPUTLM_ASSERT(grant_one_hot, $onehot0(grant_o) && (|grant_o) == grant_valid_o)
  `GPUTLM_ASSERT(granted_waits, (grant_o & ~waiting) == '0)
  `GPUTLM_ASSERT(work_conserving, grant_valid_o == |(valid_q & pending_i))
  `GPUTLM_ASSUME(kernel_exists, !event_valid_i || {1'b0, event_kernel_i} < (KernelW+1)'(Kernels))
  `GPUTLM_ASSUME(number_is_free, enter == '0 || (enter & valid_q) == '0)
  `GPUTLM_COVER(several_levels, (waiting & ~urgent) != '0)
endmodule

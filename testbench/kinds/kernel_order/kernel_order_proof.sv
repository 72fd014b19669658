// The proof of a kernel order (module `DUT): its contract. The script `prove` and `gputlm check --proof` (proof.cpp) start
// here and set the parameters.
//
// The reference stores for each pair of kernels which one came first, and sees only the ports. The environment is free:
// kernels may come and end in any cycle, with any level, with or without blocks left, and reset may come at any time. The
// proof assumes that a kernel comes with a number that is not in use.
//
// prove leftover:
// caught: search 8 Kernels=4
// by day: order_of_numbers
module kernel_order_proof #(
  parameter  int unsigned Kernels = 6,
  parameter  int unsigned LevelW  = 2,
  parameter  bit          Ordered = 1'b1,  // also checks whom it grants: the order of the policy `leftover`
  parameter  bit          Lemmas  = 1'b1,  // also asserts what links the registers to the reference
  parameter  bit          Fair    = 1'b0,  // asserts that a less urgent kernel is eventually served, to be refuted
  localparam int unsigned KernelW = $clog2(Kernels)
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               event_valid_i,
  input logic               event_enter_i,
  input logic [KernelW-1:0] event_kernel_i,
  input logic [LevelW-1:0]  event_level_i,
  input logic [Kernels-1:0] pending_i
);
  logic               grant_valid;
  logic [Kernels-1:0] grant;
  logic [KernelW-1:0] number;
  `DUT #(.Kernels(Kernels), .LevelW(LevelW)) dut (
    .*, .grant_valid_o(grant_valid), .grant_o(grant), .grant_kernel_o(number)
  );

  // The reference: which numbers are in use, their levels, and whether i came before j, at [i*Kernels+j].
  logic [Kernels-1:0]         valid_q, is_it, waiting;
  logic [Kernels*LevelW-1:0]  level_q;
  logic [Kernels*Kernels-1:0] first_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < Kernels; k++) begin
      if (is_it[k]) begin
        valid_q[k] <= event_enter_i;
        if (event_enter_i) begin
          level_q[k*LevelW+:LevelW] <= event_level_i;
          for (int unsigned i = 0; i < Kernels; i++) begin
            first_q[i*Kernels+k] <= 1'b1;
            first_q[k*Kernels+i] <= 1'b0;
          end
        end
      end
      if (!rst_ni) valid_q[k] <= 1'b0;
    end
  end

  // Assumptions about the environment.
  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb begin
    for (int unsigned k = 0; k < Kernels; k++) is_it[k] = event_valid_i && event_kernel_i == KernelW'(k);
    waiting = valid_q & pending_i;
    assume (running_q || !rst_ni);  // reset comes first
    assume ({1'b0, event_kernel_i} < (KernelW+1)'(Kernels));
    assume (!event_enter_i || (is_it & valid_q) == '0);
  end

  // The level of the granted kernel; the kernels that are more urgent, or as urgent and came before it.
  logic [LevelW-1:0]  level;
  logic [Kernels-1:0] more_urgent, before;
  always_comb begin
    level = '0;
    for (int unsigned k = 0; k < Kernels; k++) level = level | (level_q[k*LevelW+:LevelW] & {LevelW{grant[k]}});
    for (int unsigned k = 0; k < Kernels; k++) begin
      more_urgent[k] = waiting[k] && level_q[k*LevelW+:LevelW] < level;
      before[k]      = waiting[k] && level_q[k*LevelW+:LevelW] == level && !grant[k]
          && (first_q[k*Kernels+:Kernels] & grant) != '0;
    end
  end

  // Counts the grants of others while kernel 0 waits, up to at least the number of kernels.
  logic [KernelW:0] passes_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !waiting[0] || grant[0]) passes_q <= '0;
    else if (grant_valid && !passes_q[KernelW]) passes_q <= passes_q + 1'b1;
  end

  always_comb begin
    if (rst_ni) begin
      grant_one_hot:  assert ((grant & (grant - 1'b1)) == '0 && (|grant) == grant_valid);
      grant_number:   assert (grant_valid ? grant[number] : number == '0);
      granted_waits:  assert ((grant & ~waiting) == '0);
      grants_if_any:  assert (grant_valid == |waiting);
    end
  end
  if (Ordered) begin : gen_order
    always_comb begin
      if (rst_ni) begin
        most_urgent:    assert (!grant_valid || more_urgent == '0);
        first_of_level: assert (!grant_valid || before == '0);
      end
    end
  end
  if (Fair) begin : gen_fair
    always_comb if (rst_ni) served_at_last: assert (passes_q < (KernelW+1)'(Kernels));
  end

  // Registers of the order, joined by name when the design is flattened.
  (* hierconn *) logic [Kernels-1:0]         \dut.valid_q ;
  (* hierconn *) logic [Kernels*LevelW-1:0]  \dut.level_q ;
  (* hierconn *) logic [Kernels*Kernels-1:0] \dut.u_ages.older_o ;
  if (Lemmas) begin : gen_lemmas
    logic [Kernels-1:0]         level_differs;
    logic [Kernels*Kernels-1:0] differs, no_order;
    always_comb begin
      no_order = '0;
      for (int unsigned i = 0; i < Kernels; i++) begin
        level_differs[i] = valid_q[i] && \dut.level_q [i*LevelW+:LevelW] != level_q[i*LevelW+:LevelW];
        for (int unsigned j = 0; j < Kernels; j++) begin
          differs[i*Kernels+j] = j < i && valid_q[i] && valid_q[j]
              && (\dut.u_ages.older_o [i*Kernels+j] != first_q[j*Kernels+i] || first_q[i*Kernels+j] == first_q[j*Kernels+i]);
          for (int unsigned k = 0; k < Kernels; k++) begin
            if (i != j && j != k && i != k && valid_q[i] && valid_q[j] && valid_q[k] && first_q[i*Kernels+j]
                && first_q[j*Kernels+k] && !first_q[i*Kernels+k])
              no_order[i*Kernels+j] = 1'b1;
          end
        end
      end
      if (rst_ni) begin
        lemma_valid: assert (\dut.valid_q == valid_q);
        lemma_level: assert (level_differs == '0);
        lemma_ages:  assert (differs == '0);
        lemma_order: assert (no_order == '0);
      end
    end
  end
endmodule

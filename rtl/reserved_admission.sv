`include "assertions.svh"

// Selects the application whose access enters the queue of a memory controller next. The head of each application's own
// queue waits here. Of the entries of the controller's queue, some are reserved for each application and the others are
// shared: an access takes its application's reserved entries first. Applications whose head fits take turns.
// The reference is models/dram/admission.h.
//
// Guarantee: a combinational, work-conserving grant from registers and the heads (if any head fits, one is
// admitted); no application whose head fits is skipped when its turn comes. A head that needs no more than its
// application's free reserved entries fits, whatever the others do. An access enters whole: the edge that admits it takes
// the room for all its bursts. A leaving burst makes room from the next cycle on. After reset, application 0 is first.
//
// Cost: Apps * 2 counters and, with HasShared, one for the shared entries; a comparison of the head's length per application.
module reserved_admission #(
  parameter  int unsigned Entries   = 32,    // entries of the controller's queue; 8 to 128
  parameter  int unsigned Apps      = 2,     // applications; 2 to 8
  parameter  int unsigned LengthW   = 3,     // bits of the number of bursts of an access
  parameter  bit          HasShared = 1'b1,  // with shared entries
  localparam int unsigned AppW      = $clog2(Apps),
  localparam int unsigned CountW    = $clog2(Entries + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,        // synchronous, active low
  input  logic [CountW-1:0]       reserved_i,    // reserved entries of each application; constant after reset
  input  logic [CountW-1:0]       shared_i,      // shared entries, constant; Apps * reserved_i + shared_i <= Entries
  // The heads of the applications' queues.
  input  logic [Apps-1:0]         head_valid_i,
  input  logic [Apps*LengthW-1:0] head_length_i, // bursts of the access; not 0
  output logic                    admit_valid_o,
  output logic [Apps-1:0]         admit_o,       // the admitted application, one-hot; 0 if none
  output logic [AppW-1:0]         admit_app_o,   // its number; 0 if none
  input  logic                    admit_ready_i, // its access enters at this edge
  // A burst has been served.
  input  logic                    leave_valid_i,
  input  logic [AppW-1:0]         leave_app_i    // its application, which has bursts in the queue
);
  if (Entries < 8 || Entries > 128) $error("Entries must be 8 to 128");
  if (Apps < 2 || Apps > 8) $error("Apps must be 2 to 8");

  // Each application's free reserved entries, the shared entries that it uses, and the free shared entries.
  logic [Apps*CountW-1:0] own_q, taken_q;
  logic [CountW-1:0]      shared_q;

  logic [Apps-1:0] fits;
  logic            enter;
  assign enter = admit_valid_o && admit_ready_i;

  // For the entering application: its additional bursts after this edge, and how many of them use shared entries.
  logic [Apps*CountW-1:0] needs_shared;
  logic [Apps-1:0]        leave, leave_shared;
  for (genvar a = 0; a < Apps; a++) begin : gen_app
    logic [CountW-1:0] own, taken, own_next;
    logic              enters;
    assign own      = own_q[a*CountW+:CountW];
    assign taken    = taken_q[a*CountW+:CountW];
    assign enters   = enter && admit_o[a];
    assign leave[a] = leave_valid_i && leave_app_i == AppW'(a);

    // A leaving burst makes room for one of those that enter at the same edge.
    logic [CountW-1:0] length, more, beyond;
    assign length = CountW'(head_length_i[a*LengthW+:LengthW]);
    assign more   = length - CountW'(leave[a]);
    assign beyond = more > own ? more - own : '0;
    if (HasShared) begin : gen_shared
      assign fits[a] = {1'b0, length} <= {1'b0, own} + {1'b0, shared_q};
    end else begin : gen_partition
      assign fits[a] = length <= own;
    end
    assign needs_shared[a*CountW+:CountW] = beyond & {CountW{enters}};
    assign leave_shared[a]                = leave[a] && !enters && taken != '0;

    always_comb begin
      own_next = own;
      if (enters) own_next = more > own ? '0 : own - more;
      else if (leave[a] && taken == '0) own_next = own + 1'b1;
    end
    always_ff @(posedge clk_i) begin
      own_q[a*CountW+:CountW] <= rst_ni ? own_next : reserved_i;
    end
    if (HasShared) begin : gen_taken
      always_ff @(posedge clk_i) begin
        if (enters) taken_q[a*CountW+:CountW] <= taken + beyond;
        else if (leave_shared[a]) taken_q[a*CountW+:CountW] <= taken - 1'b1;
        if (!rst_ni) taken_q[a*CountW+:CountW] <= '0;
      end
    end else begin : gen_none_taken
      assign taken_q[a*CountW+:CountW] = '0;
    end
  end

  if (HasShared) begin : gen_shared_left
    logic [CountW-1:0] takes;
    always_comb begin
      takes = '0;
      for (int unsigned a = 0; a < Apps; a++) takes = takes | needs_shared[a*CountW+:CountW];
    end
    always_ff @(posedge clk_i) begin
      shared_q <= rst_ni ? shared_q - takes + CountW'(|leave_shared) : shared_i;
    end
  end else begin : gen_none_shared
    assign shared_q = '0;
    logic unused;
    assign unused = ^{shared_i, needs_shared, leave_shared};
  end

  // The next application in turn, of those whose head fits.
  logic [AppW-1:0] last_q;
  next_application #(.Apps(Apps)) u_turn (.last_i(last_q), .present_i(head_valid_i & fits), .next_o(admit_o));
  always_comb begin
    admit_app_o = '0;
    for (int unsigned a = 0; a < Apps; a++) admit_app_o = admit_app_o | (AppW'(a) & {AppW{admit_o[a]}});
  end
  assign admit_valid_o = |(head_valid_i & fits);
  always_ff @(posedge clk_i) begin
    if (enter) last_q <= admit_app_o;
    if (!rst_ni) last_q <= AppW'(Apps - 1);
  end

`ifdef GPUTLM_ASSERTIONS
  // Used shared entries, and free reserved entries, of all applications.
  localparam int unsigned SumW = CountW + AppW + 1;
  logic [SumW-1:0] taken_sum, own_sum;
  logic [Apps-1:0] both;  // uses shared entries while reserved ones are free: never
  always_comb begin
    taken_sum = '0;
    own_sum   = '0;
    for (int unsigned a = 0; a < Apps; a++) begin
      taken_sum = taken_sum + SumW'(taken_q[a*CountW+:CountW]);
      own_sum   = own_sum + SumW'(own_q[a*CountW+:CountW]);
      both[a]   = own_q[a*CountW+:CountW] != '0 && taken_q[a*CountW+:CountW] != '0;
    end
  end
`endif
  `GPUTLM_ASSERT(admit_one_hot, $onehot0(admit_o) && (|admit_o) == admit_valid_o)
  `GPUTLM_ASSERT(admitted_waits_and_fits, (admit_o & ~(head_valid_i & fits)) == '0)
  `GPUTLM_ASSERT(work_conserving, admit_valid_o == |(head_valid_i & fits))
  `GPUTLM_ASSERT(own_before_shared, both == '0)
  `GPUTLM_ASSERT(shared_are_all_there, !HasShared || taken_sum + SumW'(shared_q) == SumW'(shared_i))
  `GPUTLM_ASSERT(no_more_than_reserved, own_sum <= SumW'(Apps) * SumW'(reserved_i))
  `GPUTLM_ASSUME(reserved_is_constant, $stable(reserved_i) && (!HasShared || $stable(shared_i)))
  `GPUTLM_ASSUME(app_exists, !leave_valid_i || {1'b0, leave_app_i} < (AppW+1)'(Apps))
  `GPUTLM_COVER(enters_as_one_leaves, enter && leave_valid_i && leave_app_i == admit_app_o)
  `GPUTLM_COVER(enters_as_another_leaves, enter && leave_valid_i && leave_app_i != admit_app_o)
  `GPUTLM_COVER(waits_in_vain, (head_valid_i & ~fits) != '0 && !admit_valid_o)
endmodule

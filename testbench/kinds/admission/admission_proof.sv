// The proof of an admission (module `DUT): its contract, and how long an
// application waits while it has free entries of its own. The script `prove`
// and `gputlm check --proof` (proof.cpp) start here and set the parameters.
//
// The reference counts the bursts that each application has in the queue, and sees only the ports. The environment is free:
// heads may come, change and go in any cycle, any burst may leave, admissions may be taken or not, reset may come at any
// time, with any numbers of reserved and shared entries that the queue has room for. The proof assumes that an access has
// at least one burst and that only bursts in the queue leave.
//
// prove reserved:
// caught: search 10 Apps=3
// by day: one_burst_too_many
module admission_proof #(
  parameter  int unsigned Entries   = 8,
  parameter  int unsigned Apps      = 2,
  parameter  int unsigned LengthW   = 2,
  parameter  bit          HasShared = 1'b1,
  parameter  bit          Ordered   = 1'b1,  // also checks the turns: the order of the policy `reserved`
  parameter  bit          Lemmas    = 1'b1,  // also asserts what links the registers to the reference
  parameter  int unsigned Earlier   = 0,     // asserts a bound of the wait smaller by this number, to be refuted
  localparam int unsigned AppW      = $clog2(Apps),
  localparam int unsigned CountW    = $clog2(Entries + 1),
  localparam int unsigned SumW      = CountW + AppW + LengthW + 1
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic [Apps-1:0]         head_valid_i,
  input logic [Apps*LengthW-1:0] head_length_i,
  input logic                    admit_ready_i,
  input logic                    leave_valid_i,
  input logic [AppW-1:0]         leave_app_i
);
  // Arbitrary constants.
  (* anyconst *) logic [CountW-1:0] reserved;
  (* anyconst *) logic [CountW-1:0] shared;
  (* anyconst *) logic [AppW-1:0]   app;       // the watched application

  logic            admit_valid;
  logic [Apps-1:0] admit;
  logic [AppW-1:0] admit_app;
  `DUT #(.Entries(Entries), .Apps(Apps), .LengthW(LengthW), .HasShared(HasShared)) dut (
    .*, .reserved_i(reserved), .shared_i(shared), .admit_valid_o(admit_valid), .admit_o(admit), .admit_app_o(admit_app)
  );
  logic enter;
  assign enter = admit_valid && admit_ready_i;

  // The reference: bursts in the queue by application, and the application admitted last.
  logic [Apps*SumW-1:0] used_q;
  logic [AppW-1:0]      last_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned a = 0; a < Apps; a++) begin
      used_q[a*SumW+:SumW] <= used_q[a*SumW+:SumW]
          + (enter && admit_app == AppW'(a) ? SumW'(head_length_i[a*LengthW+:LengthW]) : '0)
          - SumW'(leave_valid_i && leave_app_i == AppW'(a));
      if (!rst_ni) used_q[a*SumW+:SumW] <= '0;
    end
    if (enter) last_q <= admit_app;
    if (!rst_ni) last_q <= AppW'(Apps - 1);
  end

  // Bursts beyond the reserved entries, now and if the head entered; the heads that fit by the rule.
  logic [Apps*SumW-1:0] beyond, beyond_then, after;
  logic [SumW-1:0]      used_sum, beyond_sum;
  logic [Apps-1:0]      fits, fits_own, unused_leaves, no_length;
  always_comb begin
    used_sum   = '0;
    beyond_sum = '0;
    for (int unsigned a = 0; a < Apps; a++) begin
      after[a*SumW+:SumW]       = used_q[a*SumW+:SumW] + SumW'(head_length_i[a*LengthW+:LengthW]);
      beyond[a*SumW+:SumW]      = used_q[a*SumW+:SumW] > SumW'(reserved) ? used_q[a*SumW+:SumW] - SumW'(reserved) : '0;
      beyond_then[a*SumW+:SumW] = after[a*SumW+:SumW] > SumW'(reserved) ? after[a*SumW+:SumW] - SumW'(reserved) : '0;
      used_sum                  = used_sum + used_q[a*SumW+:SumW];
      beyond_sum                = beyond_sum + beyond[a*SumW+:SumW];
      unused_leaves[a]          = leave_valid_i && leave_app_i == AppW'(a) && used_q[a*SumW+:SumW] == '0;
      no_length[a]              = head_valid_i[a] && head_length_i[a*LengthW+:LengthW] == '0;
    end
    for (int unsigned a = 0; a < Apps; a++) begin
      fits_own[a] = after[a*SumW+:SumW] <= SumW'(reserved);
      fits[a]     = fits_own[a]
          || beyond_sum - beyond[a*SumW+:SumW] + beyond_then[a*SumW+:SumW] <= (HasShared ? SumW'(shared) : '0);
    end
  end

  // Assumptions about the environment.
  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb begin
    assume (running_q || !rst_ni);  // reset comes first
    assume (SumW'(Apps) * SumW'(reserved) + SumW'(shared) <= SumW'(Entries));
    assume ({1'b0, app} < (AppW+1)'(Apps));
    assume ({1'b0, leave_app_i} < (AppW+1)'(Apps));
    assume (unused_leaves == '0);
    assume (no_length == '0);
  end

  // Applications whose turn comes before that of the admitted one.
  logic [AppW:0]   to_admitted;
  logic [Apps-1:0] skipped;
  application_distance #(.Apps(Apps)) u_admitted (.from_i(last_q), .to_i(admit_app), .distance_o(to_admitted));
  for (genvar a = 0; a < Apps; a++) begin : gen_skipped
    logic [AppW:0] to_a;
    application_distance #(.Apps(Apps)) u_a (.from_i(last_q), .to_i(AppW'(a)), .distance_o(to_a));
    assign skipped[a] = head_valid_i[a] && fits[a] && to_a < to_admitted;
  end

  // Accesses of others that entered while the watched application waits with an access that fits its own entries.
  logic            waits;
  logic [AppW:0]   passes_q;
  assign waits = head_valid_i[app] && fits_own[app];
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !waits || (enter && admit_app == app)) passes_q <= '0;
    else if (enter) passes_q <= passes_q + 1'b1;
  end

  always_comb begin
    if (rst_ni) begin
      admit_one_hot:    assert ((admit & (admit - 1'b1)) == '0 && (|admit) == admit_valid);
      admit_number:     assert (admit_valid ? admit[admit_app] : admit_app == '0);
      admitted_waits:   assert ((admit & ~head_valid_i) == '0);
      admitted_fits:    assert ((admit & ~fits) == '0);
      admits_if_any:    assert (admit_valid == |(head_valid_i & fits));
      own_fits:         assert (!waits || admit_valid);
      within_shared:    assert (beyond_sum <= (HasShared ? SumW'(shared) : '0));
      within_queue:     assert (used_sum <= SumW'(Entries));
    end
  end

  if (Ordered) begin : gen_turns
    always_comb begin
      if (rst_ni) begin
        next_in_turn:    assert (!admit_valid || skipped == '0);
        waits_no_longer: assert (!(waits && enter && admit_app != app && passes_q >= (AppW+1)'(Apps - 1 - Earlier)));
      end
    end
  end

  // Registers of the admission, joined by name when the design is flattened.
  (* hierconn *) logic [Apps*CountW-1:0] \dut.own_q ;
  (* hierconn *) logic [Apps*CountW-1:0] \dut.taken_q ;
  (* hierconn *) logic [CountW-1:0]      \dut.shared_q ;
  (* hierconn *) logic [AppW-1:0]        \dut.last_q ;
  if (Lemmas) begin : gen_lemmas
    logic [AppW:0]   to_app;
    logic [Apps-1:0] own_differs, taken_differs, too_many;
    application_distance #(.Apps(Apps)) u_app (.from_i(last_q), .to_i(app), .distance_o(to_app));
    always_comb begin
      for (int unsigned a = 0; a < Apps; a++) begin
        own_differs[a]   = SumW'(\dut.own_q [a*CountW+:CountW]) + used_q[a*SumW+:SumW]
            != SumW'(reserved) + beyond[a*SumW+:SumW];
        too_many[a]      = used_q[a*SumW+:SumW] > SumW'(Entries);
        taken_differs[a] = SumW'(\dut.taken_q [a*CountW+:CountW]) != beyond[a*SumW+:SumW];
      end
      if (rst_ni) begin
        lemma_own:    assert (own_differs == '0 && too_many == '0);
        lemma_taken:  assert (!HasShared || taken_differs == '0);
        lemma_shared: assert (!HasShared || SumW'(\dut.shared_q ) + beyond_sum == SumW'(shared));
        lemma_last:   assert (\dut.last_q == last_q && {1'b0, last_q} < (AppW+1)'(Apps));
        lemma_round:  assert ({1'b0, passes_q} + {1'b0, to_app} < (AppW+2)'(Apps));
      end
    end
  end
endmodule

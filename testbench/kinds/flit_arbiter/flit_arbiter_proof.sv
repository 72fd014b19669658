// The proof of a flit arbiter (module `DUT): its contract, and how long an input and an application wait. The script
// `prove` and `gputlm check --proof` (proof.cpp) start here and set the parameters.
//
// The reference sees only the ports. The environment is free: heads may come, change and go in any cycle, with any
// application, length and age; grants may be taken or not, reset may come at any time, weights may have any value. The proof
// assumes that a packet has at least one flit and that a weight is at least one.
//
// prove round_robin:
// prove oldest: Oldest=1
// prove weighted: Weighted=1
// caught: search 8 Inputs=3 Apps=2
// by day: one_turn_for_all
module flit_arbiter_proof #(
  parameter  int unsigned Inputs      = 4,
  parameter  int unsigned Apps        = 2,
  parameter  int unsigned LengthW     = 2,
  parameter  int unsigned AgeW        = 2,
  parameter  int unsigned WeightW     = 2,
  parameter  bit          Ordered     = 1'b1,  // also checks whom it grants: inputs in turn, with at most one of the next two
  parameter  bit          Oldest      = 1'b0,  // the oldest first
  parameter  bit          Weighted    = 1'b0,  // applications in turn, by their weights
  parameter  bit          Lemmas      = 1'b1,  // also asserts what links the registers to the reference
  parameter  int unsigned Earlier     = 0,     // asserts a bound of an input's wait smaller by this number, to be refuted
  parameter  int unsigned EarlierApps = 0,     // the same for an application's wait
  localparam int unsigned AppW        = Apps > 1 ? $clog2(Apps) : 1,
  localparam int unsigned InputW      = $clog2(Inputs),
  localparam int unsigned SumW        = WeightW + AppW + 2,
  localparam int unsigned HadW        = (WeightW > LengthW ? WeightW : LengthW) + 1
) (
  input logic                      clk_i,
  input logic                      rst_ni,
  input logic [Inputs-1:0]         head_valid_i,
  input logic [Inputs*AppW-1:0]    head_app_i,
  input logic [Inputs*LengthW-1:0] head_flits_i,
  input logic [Inputs*AgeW-1:0]    head_age_i,
  input logic                      grant_ready_i
);
  // Arbitrary constants: the weights, and the watched input and application.
  (* anyconst *) logic [Apps*WeightW-1:0] weights;
  (* anyconst *) logic [InputW-1:0]       watched;
  (* anyconst *) logic [AppW-1:0]         app;

  logic              valid;
  logic [Inputs-1:0] grant;
  logic [InputW-1:0] number;
  `DUT #(.Inputs(Inputs), .Apps(Apps), .LengthW(LengthW), .AgeW(AgeW), .WeightW(WeightW)) dut (
    .*, .weight_i(weights), .grant_valid_o(valid), .grant_o(grant), .grant_input_o(number)
  );
  logic take;
  assign take = valid && grant_ready_i;

  // Fields of the leaving packet and of the watched input's head.
  logic [AppW-1:0]    g_app, w_app;
  logic [LengthW-1:0] g_flits;
  logic [AgeW-1:0]    g_age, w_age;
  logic               w_valid;
  logic [Apps-1:0]    present;
  always_comb begin
    {g_app, g_flits, g_age, w_app, w_age, w_valid, present} = '0;
    for (int unsigned i = 0; i < Inputs; i++) begin
      if (number == InputW'(i)) begin
        g_app   = head_app_i[i*AppW+:AppW];
        g_flits = head_flits_i[i*LengthW+:LengthW];
        g_age   = head_age_i[i*AgeW+:AgeW];
      end
      if (watched == InputW'(i)) begin
        w_app   = head_app_i[i*AppW+:AppW];
        w_age   = head_age_i[i*AgeW+:AgeW];
        w_valid = head_valid_i[i];
      end
      for (int unsigned a = 0; a < Apps; a++)
        present[a] = present[a] || (head_valid_i[i] && head_app_i[i*AppW+:AppW] == AppW'(a));
    end
  end

  // The reference: the input served last, for each application if each has a turn of its own; whose turn it is.
  logic [Apps*InputW-1:0] last_q;
  logic [AppW-1:0]        turn_q;
  logic [HadW-1:0]        had_q, had;
  logic                   over_q, goes_on;
  logic [WeightW-1:0]     weight, turn_weight;
  always_comb begin
    goes_on     = 1'b0;
    weight      = '0;
    turn_weight = '0;
    for (int unsigned a = 0; a < Apps; a++) begin
      if (turn_q == AppW'(a)) goes_on = !over_q && present[a];
      if (g_app == AppW'(a)) weight = weights[a*WeightW+:WeightW];
      if (turn_q == AppW'(a)) turn_weight = weights[a*WeightW+:WeightW];
    end
    had = (goes_on ? had_q : '0) + HadW'(g_flits);
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned a = 0; a < Apps; a++) begin
      if (take && (!Weighted || g_app == AppW'(a))) last_q[a*InputW+:InputW] <= number;
      if (!rst_ni) last_q[a*InputW+:InputW] <= InputW'(Inputs - 1);
    end
    if (take) begin
      turn_q <= g_app;
      had_q  <= had;
      over_q <= had >= HadW'(weight);
    end
    if (!rst_ni) begin
      turn_q <= AppW'(Apps - 1);
      over_q <= 1'b1;
    end
  end

  // Assumptions about the environment.
  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  logic [Inputs-1:0] no_app, no_flits;
  logic [Apps-1:0]   no_weight;
  always_comb begin
    for (int unsigned i = 0; i < Inputs; i++) begin
      no_app[i]   = {1'b0, head_app_i[i*AppW+:AppW]} >= (AppW+1)'(Apps);
      no_flits[i] = head_flits_i[i*LengthW+:LengthW] == '0;
    end
    for (int unsigned a = 0; a < Apps; a++) no_weight[a] = weights[a*WeightW+:WeightW] == '0;
    assume (running_q || !rst_ni);  // reset comes first
    assume ({1'b0, watched} < (InputW+1)'(Inputs));
    assume ({1'b0, app} < (AppW+1)'(Apps));
    assume (no_app == '0 && no_flits == '0 && no_weight == '0);
  end

  // Turns before that of the leaving packet: of inputs that could be served as well, and of applications.
  logic [InputW-1:0] last, watched_last;
  logic [InputW:0]   to_granted, to_watched;
  logic [Inputs-1:0] skipped, older;
  always_comb begin
    last         = '0;
    watched_last = '0;
    for (int unsigned a = 0; a < Apps; a++) begin
      if (g_app == AppW'(a)) last = last_q[a*InputW+:InputW];
      if (app == AppW'(a)) watched_last = last_q[a*InputW+:InputW];
    end
  end
  application_distance #(.Apps(Inputs)) u_granted (.from_i(last), .to_i(number), .distance_o(to_granted));
  application_distance #(.Apps(Inputs)) u_watched (.from_i(watched_last), .to_i(watched), .distance_o(to_watched));
  for (genvar i = 0; i < Inputs; i++) begin : gen_skipped
    logic [InputW:0] to_i;
    logic            equal;
    application_distance #(.Apps(Inputs)) u_i (.from_i(last), .to_i(InputW'(i)), .distance_o(to_i));
    assign equal = (!Oldest || head_age_i[i*AgeW+:AgeW] == g_age) && (!Weighted || head_app_i[i*AppW+:AppW] == g_app);
    assign skipped[i] = head_valid_i[i] && equal && to_i < to_granted;
    assign older[i]   = head_valid_i[i] && head_age_i[i*AgeW+:AgeW] > g_age;
  end
  logic [AppW:0]        to_app, to_g_app;
  logic [Apps-1:0]      skipped_apps;
  logic [Apps*SumW-1:0] between;  // weights of the applications whose turns come before that of the watched one
  application_distance #(.Apps(Apps)) u_app (.from_i(turn_q), .to_i(app), .distance_o(to_app));
  application_distance #(.Apps(Apps)) u_g_app (.from_i(turn_q), .to_i(g_app), .distance_o(to_g_app));
  for (genvar a = 0; a < Apps; a++) begin : gen_apps
    logic [AppW:0] to_a;
    application_distance #(.Apps(Apps)) u_a (.from_i(turn_q), .to_i(AppW'(a)), .distance_o(to_a));
    assign skipped_apps[a] = present[a] && to_a < to_g_app;
    assign between[a*SumW+:SumW] = to_a < to_app ? SumW'(weights[a*WeightW+:WeightW]) : '0;
  end

  // Packets of other inputs that left while the watched input waits (with Oldest, at the largest age; with Weighted, packets of
  // the watched application only). Packets of other applications that left while the watched application waits.
  logic            waits, app_waits, passes, app_passes;
  logic [InputW:0] passes_q;
  logic [SumW-1:0] app_passes_q, others, left;
  always_comb begin
    waits      = w_valid && (!Oldest || w_age == '1) && (!Weighted || w_app == app);
    app_waits  = 1'b0;
    others     = '0;
    left       = Weighted && turn_q != app && !over_q ? SumW'(turn_weight) - SumW'(had_q) : '0;
    for (int unsigned a = 0; a < Apps; a++) begin
      if (app == AppW'(a)) app_waits = present[a];
      else others = others + SumW'(weights[a*WeightW+:WeightW]);
      left = left + between[a*SumW+:SumW];
    end
    passes     = take && number != watched && (!Weighted || g_app == app);
    app_passes = take && g_app != app;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !waits || (take && number == watched)) passes_q <= '0;
    else if (passes) passes_q <= passes_q + 1'b1;
    if (!rst_ni || !app_waits || (take && g_app == app)) app_passes_q <= '0;
    else if (app_passes) app_passes_q <= app_passes_q + 1'b1;
  end

  always_comb begin
    if (rst_ni) begin
      grant_one_hot:    assert ((grant & (grant - 1'b1)) == '0 && (|grant) == valid);
      grant_number:     assert (valid ? grant[number] : number == '0);
      granted_waits:    assert ((grant & ~head_valid_i) == '0);
      grants_if_any:    assert (valid == |head_valid_i);
    end
  end
  if (Ordered) begin : gen_order
    always_comb begin
      if (rst_ni) begin
        next_in_turn: assert (!valid || skipped == '0);
        input_waits:  assert (!(waits && passes && passes_q >= (InputW+1)'(Inputs - 1 - Earlier)));
      end
    end
    if (Oldest) begin : gen_oldest
      always_comb if (rst_ni) oldest_first: assert (!valid || older == '0);
    end
    if (Weighted) begin : gen_weighted
      always_comb begin
        if (rst_ni) begin
          turn_goes_on:     assert (!valid || !goes_on || g_app == turn_q);
          next_application: assert (!valid || goes_on || skipped_apps == '0);
          app_waits_turns:  assert (!(app_waits && app_passes
              && {1'b0, app_passes_q} + (SumW+1)'(EarlierApps) >= {1'b0, others}));
        end
      end
    end
  end

  // Registers of the arbiter, joined by name when the design is flattened.
  (* hierconn *) logic [(Weighted ? Apps : 1)*InputW-1:0] \dut.last_q ;
  (* hierconn *) logic [AppW-1:0]                         \dut.turn_q ;
  (* hierconn *) logic [WeightW-1:0]                      \dut.had_q ;
  (* hierconn *) logic                                    \dut.over_q ;
  if (Lemmas) begin : gen_lemmas
    logic [Apps-1:0] last_differs;
    always_comb begin
      for (int unsigned a = 0; a < Apps; a++) begin
        last_differs[a] = \dut.last_q [(Weighted ? a : 0)*InputW+:InputW] != last_q[a*InputW+:InputW]
            || {1'b0, last_q[a*InputW+:InputW]} >= (InputW+1)'(Inputs);
      end
      if (rst_ni) begin
        lemma_last:  assert (last_differs == '0);
        lemma_round: assert ({1'b0, passes_q} + {1'b0, to_watched} < (InputW+2)'(Inputs));
      end
    end
    if (Weighted) begin : gen_turns
      always_comb begin
        if (rst_ni) begin
          lemma_turn:  assert (\dut.turn_q == turn_q && \dut.over_q == over_q && {1'b0, turn_q} < (AppW+1)'(Apps));
          lemma_had:   assert (over_q || (HadW'(\dut.had_q ) == had_q && had_q < HadW'(turn_weight)));
          lemma_turns: assert ({1'b0, app_passes_q} + {1'b0, left} <= {1'b0, others});
        end
      end
    end
  end
endmodule

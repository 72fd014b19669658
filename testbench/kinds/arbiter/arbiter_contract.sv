// The contract of the memory arbiters, as assertions on their ports: what holds for every arbiter and, with Ordered, the
// order of FR-FCFS or, with RoundRobin, of FR-RR-FCFS.
//
// It enumerates nothing: it follows two requests, A and B, by id, and watches one bank. Ids and bank are arbitrary
// constants, so what holds for them holds for each pair of requests and each bank. A and B have different ids; by
// symmetry it is enough to state how an older A restricts B.
//
// The environment is free: any request, row command, question and answer in any cycle, and a reset at any time. The only
// assumption is what the contract asks: no two waiting requests have the same id (arbiter_proof.sv).
module arbiter_contract #(
  parameter  int unsigned Entries    = 8,
  parameter  int unsigned Banks      = 2,
  parameter  int unsigned Apps       = 2,
  parameter  int unsigned RowW       = 2,
  parameter  bit          Ordered    = 1'b1,
  parameter  bit          RoundRobin = 1'b0,
  localparam int unsigned BankW      = Banks > 1 ? $clog2(Banks) : 1,
  localparam int unsigned AppW       = Apps > 1 ? $clog2(Apps) : 1,
  localparam int unsigned IdW        = $clog2(Entries)
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               enter_i,
  input logic               req_ready_i,
  input logic               ask_valid_i,
  input logic [BankW-1:0]   ask_bank_i,
  input logic               grant_valid_i,
  input logic [Entries-1:0] grant_i,
  input logic [IdW-1:0]     grant_id_i,
  input logic [RowW-1:0]    grant_row_i,
  input logic [AppW-1:0]    grant_app_i,
  input logic               grant_hit_i,
  input logic               grant_ready_i,
  // The watched bank.
  input logic [BankW-1:0]   bank_i,
  input logic               open_i,
  input logic [RowW-1:0]    row_i,
  input logic [AppW-1:0]    last_i,
  input logic               capped_i,
  // The followed requests.
  input logic [IdW-1:0]     a_id_i,
  input logic               a_waiting_i,
  input logic [BankW-1:0]   a_bank_i,
  input logic [RowW-1:0]    a_row_i,
  input logic [AppW-1:0]    a_app_i,
  input logic [IdW-1:0]     b_id_i,
  input logic [AppW-1:0]    b_app_i,
  input logic               a_older_i,      // both wait, and A entered first
  input logic [AppW-1:0]    turn_app_i,     // an application: see turn_not_skipped
  output logic             passed_over_o,
  output logic[IdW:0]      waiting_count_o
);
  logic served, ask_here, a_here, a_hit, grants_a, grants_b, by_turn;
  assign served   = grant_valid_i && grant_ready_i;
  assign ask_here = ask_valid_i && ask_bank_i == bank_i;
  assign a_here   = a_waiting_i && a_bank_i == bank_i;
  assign a_hit    = a_here && open_i && row_i == a_row_i;
  assign grants_a = grant_valid_i && grant_id_i == a_id_i;
  assign grants_b = grant_valid_i && grant_id_i == b_id_i;
  assign by_turn  = capped_i || !grant_hit_i;  // not granted as a preferred row hit

  // Every request that enters leaves once: by granted_waits it does not leave twice or without having entered; by
  // grant_if_any and the orders below it is not lost, since the others run out.
  logic [IdW:0] waiting_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) waiting_q <= '0;
    else waiting_q <= waiting_q + (IdW+1)'(enter_i) - (IdW+1)'(served);
  end

  assign waiting_count_o = waiting_q;

  always_comb begin
    if (rst_ni) begin
      ready_if_room:   assert (req_ready_i == (waiting_q < (IdW+1)'(Entries)));
      grant_one_hot:   assert ((grant_i & (grant_i - 1'b1)) == '0 && (|grant_i) == grant_valid_i);
      grant_asked:     assert (!grant_valid_i || ask_valid_i);
      grant_if_any:    assert (!(ask_valid_i && a_waiting_i && a_bank_i == ask_bank_i) || grant_valid_i);
      granted_waits:   assert (!grants_a || (a_waiting_i && a_bank_i == ask_bank_i));
      granted_fields:  assert (!grants_a || (grant_row_i == a_row_i && grant_app_i == a_app_i));
      hit_is_open_row: assert (!(grants_a && ask_here) || grant_hit_i == a_hit);
      rest_is_zero:    assert (grant_valid_i || {grant_id_i, grant_row_i, grant_app_i, grant_hit_i} == '0);
    end
  end

  if (Ordered) begin : gen_hits
    always_comb begin
      if (rst_ni) begin
        hits_first: assert (!(ask_here && !capped_i && a_hit) || grant_hit_i);
        oldest_hit: assert (!(ask_here && !capped_i && grant_hit_i && grants_b && a_older_i && a_hit));
      end
    end
  end

  if (RoundRobin) begin : gen_round_robin
    logic [AppW:0] to_a, to_granted;
    application_distance #(.Apps(Apps)) u_to_a (.from_i(last_i), .to_i(a_app_i), .distance_o(to_a));
    application_distance #(.Apps(Apps)) u_to_granted (.from_i(last_i), .to_i(grant_app_i), .distance_o(to_granted));

    // Between two turns of an application, every other one with a request throughout is served (A is its witness: a
    // request stays until it is served), unless a row hit of a third one advances the round (impossible if
    // applications do not share rows: waiting_bound.sv).
    logic turn_again, passed_over_q;
    assign turn_again    = ask_here && served && by_turn && grant_app_i == turn_app_i;
    assign passed_over_o = passed_over_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || !a_here || (served && grants_a)) passed_over_q <= 1'b0;
      else if (turn_again) passed_over_q <= a_app_i != turn_app_i;
      else if (ask_here && served && (grant_app_i == a_app_i || (!by_turn && grant_app_i != turn_app_i)))
        passed_over_q <= 1'b0;
    end

    always_comb begin
      if (rst_ni) begin
        next_in_turn:          assert (!(ask_here && grant_valid_i && by_turn && a_here) || to_granted <= to_a);
        oldest_of_application: assert (!(ask_here && by_turn && grants_b && a_older_i && a_here && a_app_i == b_app_i));
        turn_not_skipped:      assert (!(turn_again && passed_over_q && a_here));
      end
    end
  end else begin : gen_no_turns
    assign passed_over_o = 1'b0;
  end

  if (Ordered && !RoundRobin) begin : gen_oldest
    always_comb begin
      if (rst_ni) oldest: assert (!(ask_here && by_turn && grants_b && a_older_i && a_here));
    end
  end
endmodule

`include "assertions.svh"

// FR-RR-FCFS: selects the request that a bank serves next: the oldest row hit, else the oldest request of the application
// that is next in round-robin order after the one that the bank served last.
// Source: fr-rr-fcfs, sections 4.1 and 4.2.
//
// One arbiter serves one DRAM controller. It holds a queue of requests for all banks and decides for one bank per cycle,
// based only on that bank's requests and state.
//
// Guarantee: a combinational, work-conserving grant (a bank that is asked and has a request gets
// one). No application with a request is skipped when its turn comes. With HasCap and hit_cap_i
// != 0, a bank stops preferring row hits once it has served hit_cap_i requests since its last
// ACTIVATE. After reset, application 0 is first. A grant may change until grant_ready_i confirms
// it. An entry, a departure and a row command in the same cycle take effect at the same edge. A
// request's bit in grant_o may change while it waits: grant_id_o identifies the request.
//
// Cost: that of fr_fcfs_arbiter, plus Entries * Apps for the finders and Banks * AppW flip-flops for the turns. Gate counts,
// also relative to FR-FCFS: docs/cost.md. One finder per application works in parallel with the choice of the application;
// a single finder after the choice was 1 % smaller and 0.8 ns slower (prototypes, 32 entries, 4 applications). A shift
// queue keeps the order: see fr_fcfs_arbiter.
module fr_rr_fcfs_arbiter #(
  parameter  int unsigned Entries = 32,    // waiting requests of all banks; 8 to 128
  parameter  int unsigned Banks   = 16,    // 1 to 64, a power of two
  parameter  int unsigned Apps    = 4,     // applications; 1 to 8
  parameter  int unsigned RowW    = 14,    // bits of a row number
  parameter  bit          HasCap  = 1'b0,  // with the logic that caps row hits
  localparam int unsigned BankW   = Banks > 1 ? $clog2(Banks) : 1,
  localparam int unsigned AppW    = Apps > 1 ? $clog2(Apps) : 1,
  localparam int unsigned IdW     = $clog2(Entries),
  localparam int unsigned CapW    = 8
) (
  input  logic               clk_i,
  input  logic               rst_ni,         // synchronous, active low
  // A request enters; it takes part in decisions from the next cycle on.
  input  logic               req_valid_i,
  output logic               req_ready_o,    // fewer than Entries requests wait; from registers only
  input  logic [BankW-1:0]   req_bank_i,     // below Banks
  input  logic [RowW-1:0]    req_row_i,
  input  logic [AppW-1:0]    req_app_i,      // below Apps
  input  logic [IdW-1:0]     req_id_i,       // the controller's id for it, unique among waiting requests
  // A row command is issued.
  input  logic               row_valid_i,
  input  logic               row_open_i,     // 1: ACTIVATE, 0: PRECHARGE
  input  logic [BankW-1:0]   row_bank_i,
  input  logic [RowW-1:0]    row_row_i,      // the row to open; ACTIVATE only
  // Which request should this bank serve? Combinational.
  input  logic               ask_valid_i,
  input  logic [BankW-1:0]   ask_bank_i,
  input  logic [CapW-1:0]    hit_cap_i,      // 0: no cap; ignored without HasCap; constant after reset
  output logic               grant_valid_o,  // the bank has a request; else the other grant outputs are 0
  output logic [Entries-1:0] grant_o,        // its position in the queue, one-hot
  output logic [IdW-1:0]     grant_id_o,
  output logic [RowW-1:0]    grant_row_o,
  output logic [AppW-1:0]    grant_app_o,
  output logic               grant_hit_o,    // its row is the bank's open row
  input  logic               grant_ready_i   // its column command is issued: the request leaves at this edge
);
  if (Entries < 8 || Entries > 128) $error("Entries must be 8 to 128");
  if (Banks < 1 || Banks > 64 || (Banks & (Banks - 1)) != 0) $error("Banks must be a power of two up to 64");
  if (Apps < 1 || Apps > 8) $error("Apps must be 1 to 8");
  if (RowW < 1) $error("RowW must be at least 1");

  logic                    enter, enter_hit, served, capped;
  logic [Entries-1:0]      candidate, hit;
  logic [AppW*Entries-1:0] apps;  // bit planes
  assign enter  = req_valid_i && req_ready_o;
  assign served = grant_valid_o && grant_ready_i;

  bank_state #(.Banks(Banks), .RowW(RowW), .HasCap(HasCap)) u_banks (
    .clk_i, .rst_ni, .row_valid_i, .row_open_i, .row_bank_i, .row_row_i,
    .enter_bank_i(req_bank_i), .enter_row_i(req_row_i), .enter_hit_o(enter_hit),
    .ask_bank_i, .hit_cap_i, .capped_o(capped), .serve_i(served)
  );

  request_queue #(.Entries(Entries), .BankW(BankW), .AppW(AppW), .RowW(RowW), .IdW(IdW)) u_queue (
    .clk_i, .rst_ni, .enter_i(enter), .ready_o(req_ready_o), .enter_bank_i(req_bank_i), .enter_row_i(req_row_i),
    .enter_app_i(req_app_i), .enter_id_i(req_id_i), .enter_hit_i(enter_hit),
    .row_valid_i, .row_open_i, .row_bank_i, .row_row_i, .ask_valid_i, .ask_bank_i,
    .candidate_o(candidate), .hit_o(hit), .app_o(apps), .read_i(grant_o), .read_row_o(grant_row_o),
    .read_id_o(grant_id_o), .leave_i(served)
  );

  // The cap arrives late, since its counter must be read first.
  logic [Entries-1:0] first_hit;
  logic               some_hit, any_hit;
  find_first #(.Width(Entries)) u_hit (
    .request_i(candidate & hit), .first_o(first_hit), .any_o(some_hit)
  );
  assign any_hit = some_hit && !capped;

  // The oldest request of each application, found in parallel with the choice of the application.
  logic [Apps*Entries-1:0] first;
  logic [Apps-1:0]         present, turn;
  for (genvar a = 0; a < Apps; a++) begin : gen_app
    logic [Entries-1:0] own;
    always_comb begin
      own = candidate;
      for (int unsigned k = 0; k < AppW; k++) own = own & (apps[k*Entries+:Entries] ~^ {Entries{1'(a >> k)}});
    end
    find_first #(.Width(Entries)) u_oldest (
      .request_i(own), .first_o(first[a*Entries+:Entries]), .any_o(present[a])
    );
  end

  // The application that each bank served last.
  logic [Banks*AppW-1:0] last_q;
  logic [Banks-1:0]      ask_bank;
  logic [AppW-1:0]       last;
  always_comb begin
    for (int unsigned b = 0; b < Banks; b++) ask_bank[b] = ask_bank_i == BankW'(b);
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned b = 0; b < Banks; b++) begin
      if (served && ask_bank[b]) last_q[b*AppW+:AppW] <= grant_app_o;
      if (!rst_ni) last_q[b*AppW+:AppW] <= AppW'(Apps - 1);
    end
  end
  one_hot_mux #(.Inputs(Banks), .Width(AppW)) u_last (.select_i(ask_bank), .data_i(last_q), .data_o(last));
  next_application #(.Apps(Apps)) u_turn (.last_i(last), .present_i(present), .next_o(turn));

  logic [Entries-1:0] turn_first;
  one_hot_mux #(.Inputs(Apps), .Width(Entries)) u_first (.select_i(turn), .data_i(first), .data_o(turn_first));

  assign grant_valid_o = |present;
  assign grant_o       = (any_hit ? first_hit : turn_first);
  if (HasCap) begin : gen_cap
    assign grant_hit_o = |(grant_o & hit);
  end else begin : gen_no_cap
    assign grant_hit_o = any_hit;
  end

  // The granted application: that of the row hit, else the one in turn. It bypasses grant_o, because the next
  // turn depends on it.
  logic [AppW-1:0] hit_app, turn_app;
  plane_mux #(.Inputs(Entries), .Width(AppW)) u_hit_app (.select_i(first_hit), .data_i(apps), .data_o(hit_app));
  always_comb begin
    turn_app = '0;
    for (int unsigned a = 0; a < Apps; a++) turn_app = turn_app | (AppW'(a) & {AppW{turn[a]}});
  end
  assign grant_app_o = any_hit ? hit_app : turn_app;

`ifdef GPUTLM_ASSERTIONS
  logic [Entries-1:0] older, older_hit;  // candidates older than the granted one
  assign older     = candidate & (grant_o - 1'b1);
  assign older_hit = older & hit;
  // Applications with a request before the granted one in the round, and older requests of the granted application.
  logic [Apps-1:0]    skipped;
  logic [Entries-1:0] older_own;
  always_comb begin
    for (int unsigned a = 0; a < Apps; a++) begin
      skipped[a] = present[a] && (AppW'(a) > last ? !(grant_app_o > last) || AppW'(a) < grant_app_o
                                                  : !(grant_app_o > last) && AppW'(a) < grant_app_o);
    end
    older_own = older;
    for (int unsigned k = 0; k < AppW; k++)
      older_own = older_own & (apps[k*Entries+:Entries] ~^ {Entries{grant_app_o[k]}});
  end
`endif
  `GPUTLM_ASSERT(grant_one_hot, $onehot0(grant_o) && (|grant_o) == grant_valid_o)
  `GPUTLM_ASSERT(grant_waits, (grant_o & ~candidate) == '0)
  `GPUTLM_ASSERT(work_conserving, grant_valid_o == |candidate)
  `GPUTLM_ASSERT(nothing_without_grant, grant_valid_o || {grant_id_o, grant_row_o, grant_app_o, grant_hit_o} == '0)
  `GPUTLM_ASSERT(hits_first, capped || (candidate & hit) == '0 || (grant_hit_o && older_hit == '0))
  `GPUTLM_ASSERT(else_next_in_turn, any_hit || skipped == '0)
  `GPUTLM_ASSERT(oldest_of_application, any_hit || older_own == '0)
  `GPUTLM_ASSERT_NEXT(stable, ask_valid_i && !enter && !row_valid_i && !served,
      !ask_valid_i || !$stable(ask_bank_i)
      || ($stable(grant_valid_o) && $stable(grant_id_o) && $stable(grant_row_o) && $stable(grant_hit_o)))
  `GPUTLM_ASSUME(app_exists, !enter || {1'b0, req_app_i} < (AppW+1)'(Apps))
  `GPUTLM_ASSUME(bank_exists, {1'b0, req_bank_i} < (BankW+1)'(Banks) || !enter)
  `GPUTLM_ASSUME(cap_is_constant, !HasCap || $stable(hit_cap_i))
  `GPUTLM_COVER(hit_over_older, served && any_hit && older != '0)
  `GPUTLM_COVER(all_at_once, enter && row_valid_i && served)
  `GPUTLM_COVER(row_command_for_entering, enter && row_valid_i && row_bank_i == req_bank_i)
  `GPUTLM_COVER(turn_over_older, served && !any_hit && older != '0)
  `GPUTLM_COVER(round_wraps, served && !any_hit && grant_app_o <= last)
  for (genvar a = 0; a < Apps; a++) begin : gen_app_cover
    `GPUTLM_COVER(served_in_turn, served && turn[a] && !any_hit)
  end
  if (HasCap) begin : gen_cap_cover
    `GPUTLM_COVER(turn_over_hit, served && capped && some_hit && !grant_hit_o)
  end
endmodule

`include "assertions.svh"

// FR-FCFS: selects the request that a bank serves next: the oldest row hit, else the oldest request.
// Source: Rixner et al., "Memory access scheduling", ISCA 2000.
//
// One arbiter serves one DRAM controller. It holds a queue of requests for all banks and decides for one bank per cycle,
// based only on that bank's requests and state. It ignores the application ids and only passes them on, so that it has
// the ports of fr_rr_fcfs_arbiter.
//
// Guarantee: a combinational, work-conserving grant (a bank that is asked and has a request gets one), oldest first among
// row hits and otherwise; with HasCap and hit_cap_i != 0, a bank stops preferring row hits once it has served hit_cap_i
// requests since its last ACTIVATE. A grant may change until grant_ready_i confirms it. An entry, a departure and a row
// command in the same cycle take effect at the same edge. A request's bit in grant_o may change while it waits: grant_id_o
// identifies the request.
//
// Cost: area grows with Entries * (RowW + IdW + BankW + AppW), and with Banks * RowW for the open rows; delay grows with
// the logarithm of Entries. HasCap adds 8 flip-flops per bank and a comparison. Gate counts: docs/cost.md.
//
// A shift queue alone keeps the order. An age matrix for these policies is 1.2 to 2.1 times as large as a shift queue at
// 32 to 64 entries (prototypes, without open rows), for a delay that this queue also reaches.
module fr_fcfs_arbiter #(
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

  logic [Entries-1:0] first;
  logic               any;
  find_first #(.Width(Entries)) u_oldest (
    .request_i(candidate), .first_o(first), .any_o(any)
  );

  assign grant_valid_o = any;
  assign grant_o       = (any_hit ? first_hit : first);
  if (HasCap) begin : gen_cap
    assign grant_hit_o = |(grant_o & hit);
  end else begin : gen_no_cap
    assign grant_hit_o = any_hit;
  end
  plane_mux #(.Inputs(Entries), .Width(AppW)) u_app (.select_i(grant_o), .data_i(apps), .data_o(grant_app_o));

`ifdef GPUTLM_ASSERTIONS
  logic [Entries-1:0] older, older_hit;  // candidates older than the granted one
  assign older     = candidate & (grant_o - 1'b1);
  assign older_hit = older & hit;
`endif
  `GPUTLM_ASSERT(grant_one_hot, $onehot0(grant_o) && (|grant_o) == grant_valid_o)
  `GPUTLM_ASSERT(grant_waits, (grant_o & ~candidate) == '0)
  `GPUTLM_ASSERT(work_conserving, grant_valid_o == |candidate)
  `GPUTLM_ASSERT(nothing_without_grant, grant_valid_o || {grant_id_o, grant_row_o, grant_app_o, grant_hit_o} == '0)
  `GPUTLM_ASSERT(hits_first, capped || (candidate & hit) == '0 || (grant_hit_o && older_hit == '0))
  `GPUTLM_ASSERT(else_oldest, any_hit || older == '0)
  `GPUTLM_ASSERT_NEXT(stable, ask_valid_i && !enter && !row_valid_i && !served,
      !ask_valid_i || !$stable(ask_bank_i)
      || ($stable(grant_valid_o) && $stable(grant_id_o) && $stable(grant_row_o) && $stable(grant_hit_o)))
  `GPUTLM_ASSUME(app_exists, !enter || {1'b0, req_app_i} < (AppW+1)'(Apps))
  `GPUTLM_ASSUME(bank_exists, {1'b0, req_bank_i} < (BankW+1)'(Banks) || !enter)
  `GPUTLM_ASSUME(cap_is_constant, !HasCap || $stable(hit_cap_i))
  `GPUTLM_COVER(hit_over_older, served && any_hit && older != '0)
  `GPUTLM_COVER(all_at_once, enter && row_valid_i && served)
  `GPUTLM_COVER(row_command_for_entering, enter && row_valid_i && row_bank_i == req_bank_i)
  if (HasCap) begin : gen_cap_cover
    `GPUTLM_COVER(oldest_over_hit, served && capped && some_hit && !grant_hit_o)
  end
endmodule

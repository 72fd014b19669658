`include "assertions.svh"

// The waiting requests in order of arrival: a shift queue with holes.
//
// A request enters at the top position and falls by one position per cycle as long as a position below it is free. So the
// order of positions is the order of entry, and each bit needs one two-way multiplexer: hold, or take from above. A
// leaving request only makes a hole. The registers alone determine which positions fall, so the grant, which comes late
// in the cycle, drives no multiplexer of the queue.
//
// Guarantee: ascending positions hold requests in order of entry, possibly with free positions between them; a request
// may change its position from cycle to cycle. `ready_o` is 1 if fewer than Entries requests wait (registers only),
// wherever the holes are: all positions above the lowest hole fall, including the top one. An entering request is visible
// from the next cycle on. Each request has a registered bit that tells whether its row is open.
//
// Bits are stored as planes: bit k of all positions is one word, at [k*Entries +: Entries]. The gates are the same, but
// a simulator then moves, compares and reads all positions at once (more than three times as fast at 64 entries).
//
// Cost: Entries * (RowW + BankW + AppW + IdW + 2) flip-flops with a multiplexer each; one row comparator and two bank
// comparators per entry.
module request_queue #(
  parameter int unsigned Entries = 32,
  parameter int unsigned BankW   = 4,
  parameter int unsigned AppW    = 2,
  parameter int unsigned RowW    = 14,
  parameter int unsigned IdW     = 5
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    enter_i,       // only with ready_o
  output logic                    ready_o,
  input  logic [BankW-1:0]        enter_bank_i,
  input  logic [RowW-1:0]         enter_row_i,
  input  logic [AppW-1:0]         enter_app_i,
  input  logic [IdW-1:0]          enter_id_i,
  input  logic                    enter_hit_i,   // its row is open, including this cycle's row command
  input  logic                    row_valid_i,
  input  logic                    row_open_i,
  input  logic [BankW-1:0]        row_bank_i,
  input  logic [RowW-1:0]         row_row_i,
  input  logic                    ask_valid_i,
  input  logic [BankW-1:0]        ask_bank_i,
  output logic [Entries-1:0]      candidate_o,   // a request for the asked bank is here
  output logic [Entries-1:0]      hit_o,         // the request here is a row hit
  output logic [AppW*Entries-1:0] app_o,         // the application of each request; bit planes
  input  logic [Entries-1:0]      read_i,        // which request is read; one-hot or 0
  output logic [RowW-1:0]         read_row_o,    // 0 if none
  output logic [IdW-1:0]          read_id_o,
  input  logic                    leave_i        // the request that is read leaves
);
  logic [Entries-1:0]       valid_q, valid_left, hit_q, hit_now, fall;
  logic [BankW*Entries-1:0] bank_plane_q;
  logic [RowW*Entries-1:0]  row_plane_q;
  logic [AppW*Entries-1:0]  app_plane_q;
  logic [IdW*Entries-1:0]   id_plane_q;

  prefix_or #(.Width(Entries)) u_fall (.data_i(~valid_q), .prefix_o(fall));
  assign valid_left = valid_q & ~(read_i & {Entries{leave_i}});

  // Requests that match the asked bank, the bank of the row command, and its row.
  logic [Entries-1:0] ask_match, command_match, row_match;
  always_comb begin
    ask_match     = {Entries{ask_valid_i}};
    command_match = {Entries{row_valid_i}};
    for (int unsigned k = 0; k < BankW; k++) begin
      ask_match     = ask_match & (bank_plane_q[k*Entries+:Entries] ~^ {Entries{ask_bank_i[k]}});
      command_match = command_match & (bank_plane_q[k*Entries+:Entries] ~^ {Entries{row_bank_i[k]}});
    end
    row_match = {Entries{row_open_i}};
    for (int unsigned k = 0; k < RowW; k++)
      row_match = row_match & (row_plane_q[k*Entries+:Entries] ~^ {Entries{row_row_i[k]}});
  end
  assign hit_now = (hit_q & ~command_match) | (command_match & row_match);

  // A position that falls takes the bit from above; the top one takes it from the entering request.
  always_ff @(posedge clk_i) begin
    valid_q <= (valid_left & ~fall) | ({enter_i, valid_left[Entries-1:1]} & fall);
    hit_q   <= (hit_now & ~fall) | ({enter_hit_i, hit_now[Entries-1:1]} & fall);
    for (int unsigned k = 0; k < BankW; k++)
      bank_plane_q[k*Entries+:Entries] <= (bank_plane_q[k*Entries+:Entries] & ~fall)
          | ({enter_bank_i[k], bank_plane_q[k*Entries+1+:Entries-1]} & fall);
    for (int unsigned k = 0; k < RowW; k++)
      row_plane_q[k*Entries+:Entries] <= (row_plane_q[k*Entries+:Entries] & ~fall)
          | ({enter_row_i[k], row_plane_q[k*Entries+1+:Entries-1]} & fall);
    for (int unsigned k = 0; k < AppW; k++)
      app_plane_q[k*Entries+:Entries] <= (app_plane_q[k*Entries+:Entries] & ~fall)
          | ({enter_app_i[k], app_plane_q[k*Entries+1+:Entries-1]} & fall);
    for (int unsigned k = 0; k < IdW; k++)
      id_plane_q[k*Entries+:Entries] <= (id_plane_q[k*Entries+:Entries] & ~fall)
          | ({enter_id_i[k], id_plane_q[k*Entries+1+:Entries-1]} & fall);
    if (!rst_ni) valid_q <= '0;
  end

  assign ready_o     = fall[Entries-1];
  assign candidate_o = valid_q & ask_match;
  assign hit_o       = hit_q;
  assign app_o       = app_plane_q;
  plane_mux #(.Inputs(Entries), .Width(RowW)) u_row (.select_i(read_i), .data_i(row_plane_q), .data_o(read_row_o));
  plane_mux #(.Inputs(Entries), .Width(IdW)) u_id (.select_i(read_i), .data_i(id_plane_q), .data_o(read_id_o));

`ifdef GPUTLM_ASSERTIONS
  localparam int unsigned CountW = $clog2(Entries + 1);
  logic [CountW-1:0] waiting_q;  // requests that entered and have not left
  always_ff @(posedge clk_i) begin
    waiting_q <= waiting_q + CountW'(enter_i) - CountW'(leave_i);
    if (!rst_ni) waiting_q <= '0;
  end
  logic [Entries-1:0] same_id;
  always_comb begin
    same_id = '1;
    for (int unsigned k = 0; k < IdW; k++)
      same_id = same_id & (id_plane_q[k*Entries+:Entries] ~^ {Entries{enter_id_i[k]}});
  end
`endif
  `GPUTLM_ASSERT(none_lost_none_doubled, CountW'($countones(valid_q)) == waiting_q)
  `GPUTLM_ASSERT(ready_if_room, ready_o == (waiting_q < CountW'(Entries)))
  `GPUTLM_ASSERT(enters_with_room, !enter_i || ready_o)
  `GPUTLM_ASSERT(one_leaves_that_waits, !leave_i || ($onehot(read_i) && (read_i & ~valid_q) == '0))
  `GPUTLM_ASSUME(id_is_unique, !enter_i || (same_id & valid_left) == '0)
  `GPUTLM_COVER(full, !ready_o)
  `GPUTLM_COVER(empty, waiting_q == '0)

`ifdef FORMAL
  // The contents by position, for the lemmas of the proof.
  logic [Entries*BankW-1:0] bank_q;
  logic [Entries*RowW-1:0]  row_q;
  logic [Entries*AppW-1:0]  app_q;
  logic [Entries*IdW-1:0]   id_q;
  always_comb begin
    for (int unsigned i = 0; i < Entries; i++) begin
      for (int unsigned k = 0; k < BankW; k++) bank_q[i*BankW+k] = bank_plane_q[k*Entries+i];
      for (int unsigned k = 0; k < RowW; k++) row_q[i*RowW+k] = row_plane_q[k*Entries+i];
      for (int unsigned k = 0; k < AppW; k++) app_q[i*AppW+k] = app_plane_q[k*Entries+i];
      for (int unsigned k = 0; k < IdW; k++) id_q[i*IdW+k] = id_plane_q[k*Entries+i];
    end
  end
`endif
endmodule

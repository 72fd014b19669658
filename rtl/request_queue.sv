`include "assertions.svh"

// The requests that wait, in the order in which they came: a shift queue with holes.
//
// A request enters at the top position and falls by one position a cycle as long as a position below it is free. So the
// order of positions is the order of entry, and a bit has one two-way multiplexer: stay, or take from above. A request
// that leaves only leaves a hole; which positions fall is known from the registers alone, and a grant, which comes late
// in the cycle, drives no multiplexer of the queue.
//
// Guarantee: ascending positions hold requests in their order of entry, with free positions anywhere between; a request
// may change its position from cycle to cycle. `ready_o` says that fewer than Entries wait (registers only), wherever
// the holes are: all positions above the lowest one fall, the top one among them. A request that enters is visible from
// the next cycle on. Each has a registered bit that says whether its row is open.
//
// Cost: Entries * (RowW + BankW + AppW + IdW + 2) flip-flops with a multiplexer each; a comparator of rows and two of
// banks an entry.
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
  input  logic                    enter_hit_i,   // its row is open, the row command of this cycle considered
  input  logic                    row_valid_i,
  input  logic                    row_open_i,
  input  logic [BankW-1:0]        row_bank_i,
  input  logic [RowW-1:0]         row_row_i,
  input  logic                    ask_valid_i,
  input  logic [BankW-1:0]        ask_bank_i,
  output logic [Entries-1:0]      candidate_o,   // this bank is asked, and a request for it is here
  output logic [Entries-1:0]      hit_o,         // the request here finds its row open
  output logic [Entries*RowW-1:0] row_o,
  output logic [Entries*AppW-1:0] app_o,
  output logic [Entries*IdW-1:0]  id_o,
  input  logic [Entries-1:0]      leave_i        // the request here leaves; one-hot or 0
);
  logic [Entries-1:0]       valid_q, valid_left, hit_q, hit_now, ask_match, fall;
  logic [Entries*BankW-1:0] bank_q;
  logic [Entries*RowW-1:0]  row_q;
  logic [Entries*AppW-1:0]  app_q;
  logic [Entries*IdW-1:0]   id_q;

  always_comb begin
    for (int unsigned i = 0; i < Entries; i++) begin
      ask_match[i] = ask_valid_i && bank_q[i*BankW+:BankW] == ask_bank_i;
      // With the row command of this cycle.
      hit_now[i]   = row_valid_i && bank_q[i*BankW+:BankW] == row_bank_i
          ? row_open_i && row_q[i*RowW+:RowW] == row_row_i
          : hit_q[i];
    end
  end

  prefix_or #(.Width(Entries)) u_fall (.data_i(~valid_q), .prefix_o(fall));
  assign valid_left = valid_q & ~leave_i;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Entries; i++) begin
      if (!fall[i]) begin
        valid_q[i] <= valid_left[i];
        hit_q[i]   <= hit_now[i];
      end else if (i == Entries - 1) begin
        valid_q[i]             <= enter_i;
        hit_q[i]               <= enter_hit_i;
        bank_q[i*BankW+:BankW] <= enter_bank_i;
        row_q[i*RowW+:RowW]    <= enter_row_i;
        app_q[i*AppW+:AppW]    <= enter_app_i;
        id_q[i*IdW+:IdW]       <= enter_id_i;
      end else begin
        valid_q[i]             <= valid_left[i+1];
        hit_q[i]               <= hit_now[i+1];
        bank_q[i*BankW+:BankW] <= bank_q[(i+1)*BankW+:BankW];
        row_q[i*RowW+:RowW]    <= row_q[(i+1)*RowW+:RowW];
        app_q[i*AppW+:AppW]    <= app_q[(i+1)*AppW+:AppW];
        id_q[i*IdW+:IdW]       <= id_q[(i+1)*IdW+:IdW];
      end
    end
    if (!rst_ni) valid_q <= '0;
  end

  assign ready_o     = fall[Entries-1];
  assign candidate_o = valid_q & ask_match;
  assign hit_o       = hit_q;
  assign row_o       = row_q;
  assign app_o       = app_q;
  assign id_o        = id_q;

`ifdef ASSERTIONS
  localparam int unsigned CountW = $clog2(Entries + 1);
  logic [CountW-1:0] waiting_q;  // entered and not left
  always_ff @(posedge clk_i) begin
    waiting_q <= waiting_q + CountW'(enter_i) - CountW'(|leave_i);
    if (!rst_ni) waiting_q <= '0;
  end
  logic [Entries-1:0] same_id;
  always_comb begin
    for (int unsigned i = 0; i < Entries; i++) same_id[i] = id_q[i*IdW+:IdW] == enter_id_i;
  end
`endif
  `ASSERT(none_lost_none_doubled, CountW'($countones(valid_q)) == waiting_q)
  `ASSERT(ready_if_room, ready_o == (waiting_q < CountW'(Entries)))
  `ASSERT(enters_with_room, !enter_i || ready_o)
  `ASSERT(one_leaves_that_waits, (leave_i & (leave_i - 1'b1)) == '0 && (leave_i & ~valid_q) == '0)
  `ASSUME(id_is_unique, !enter_i || (same_id & valid_left) == '0)
  `COVER(full, !ready_o)
  `COVER(empty, waiting_q == '0)
endmodule

`include "assertions.svh"

// A queue of requests with data; requests leave in FR-RR-FCFS order. It wraps fr_rr_fcfs_arbiter for a controller that
// has no ids for its requests: the queue gives each request an id and stores its data under that id.
//
// Guarantee: that of the arbiter. An accepted request (req_i && gnt_o) leaves exactly once, with its own data. In each
// cycle the queue shows the request that bank `ask_bank_i` should serve; it leaves at an edge with valid_o && ready_i.
// Until then an entering row hit may replace it, just as the choice of an rr_arb_tree (common_cells) without LockIn may
// change. A consumer that needs a stable choice adds a stream register after the queue.
//
// The controller reports each row command that it issues. A controller that issues none lets the rows follow the leaving
// requests: row_valid_i = valid_o && ready_i && !hit_o, row_open_i = 1, row_bank_i = ask_bank_i, row_row_i = row_o.
// The cap then does not count the request that opens a row.
//
// Cost: that of the arbiter, Entries * (DataW + 1) flip-flops, and DataW multiplexers of Entries inputs after the grant.
module fr_rr_fcfs_queue #(
  parameter  int unsigned Entries = 32,    // waiting requests of all banks; 8 to 128
  parameter  int unsigned Banks   = 16,    // 1 to 64, a power of two
  parameter  int unsigned Apps    = 4,     // applications; 1 to 8
  parameter  int unsigned RowW    = 14,    // bits of a row number
  parameter  int unsigned DataW   = 32,    // bits that a request carries: column, tag, write data
  parameter  bit          HasCap  = 1'b0,  // with the logic that caps row hits
  localparam int unsigned BankW   = Banks > 1 ? $clog2(Banks) : 1,
  localparam int unsigned AppW    = Apps > 1 ? $clog2(Apps) : 1,
  localparam int unsigned CapW    = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,       // synchronous, active low
  // A request enters; it can be shown from the next cycle on.
  input  logic             req_i,
  output logic             gnt_o,        // req_i, and fewer than Entries requests wait
  input  logic [BankW-1:0] req_bank_i,   // below Banks
  input  logic [RowW-1:0]  req_row_i,
  input  logic [AppW-1:0]  req_app_i,    // below Apps
  input  logic [DataW-1:0] data_i,
  // A row command is issued.
  input  logic             row_valid_i,
  input  logic             row_open_i,   // 1: ACTIVATE, 0: PRECHARGE
  input  logic [BankW-1:0] row_bank_i,
  input  logic [RowW-1:0]  row_row_i,    // the row to open; ACTIVATE only
  // The request that this bank should serve. Combinational.
  input  logic [BankW-1:0] ask_bank_i,
  input  logic [CapW-1:0]  hit_cap_i,    // 0: no cap; ignored without HasCap; constant after reset
  output logic             valid_o,
  input  logic             ready_i,
  output logic [DataW-1:0] data_o,       // undefined without valid_o
  output logic [RowW-1:0]  row_o,        // 0 without valid_o, like app_o and hit_o
  output logic [AppW-1:0]  app_o,
  output logic             hit_o         // its row is the bank's open row
);
  localparam int unsigned IdW = $clog2(Entries);

  logic enter, leave, ready;
  assign gnt_o = req_i && ready;
  assign enter = gnt_o;
  assign leave = valid_o && ready_i;

  // An id is the address of the data. An entering request gets the lowest free id.
  logic [Entries-1:0] used_q, free;
  logic [IdW-1:0]     enter_id, leave_id;
  logic               any_free;
  find_first #(.Width(Entries)) u_free (.request_i(~used_q), .first_o(free), .any_o(any_free));
  slot_number #(.Slots(Entries)) u_enter_id (.select_i(free), .slot_o(enter_id));

  logic [Entries-1:0] leaving, position;
  fr_rr_fcfs_arbiter #(.Entries(Entries), .Banks(Banks), .Apps(Apps), .RowW(RowW), .HasCap(HasCap)) u_arbiter (
    .clk_i, .rst_ni, .req_valid_i(req_i), .req_ready_o(ready), .req_bank_i, .req_row_i, .req_app_i, .req_id_i(enter_id),
    .row_valid_i, .row_open_i, .row_bank_i, .row_row_i, .ask_valid_i(1'b1), .ask_bank_i, .hit_cap_i,
    .grant_valid_o(valid_o), .grant_o(position), .grant_id_o(leave_id), .grant_row_o(row_o), .grant_app_o(app_o),
    .grant_hit_o(hit_o), .grant_ready_i(ready_i)
  );
  // The position in the arbiter's queue means nothing to a user.
  logic unused;
  assign unused = ^{position, any_free};

  always_comb begin
    for (int unsigned i = 0; i < Entries; i++) leaving[i] = leave && leave_id == IdW'(i);
  end
  always_ff @(posedge clk_i) begin
    used_q <= (used_q | (free & {Entries{enter}})) & ~leaving;
    if (!rst_ni) used_q <= '0;
  end

  logic [DataW-1:0] data_q[Entries];
  always_ff @(posedge clk_i) if (enter) data_q[enter_id] <= data_i;
  assign data_o = data_q[leave_id];

  `GPUTLM_ASSERT(room_means_a_free_name, !ready || any_free)
  `GPUTLM_ASSERT(leaves_under_a_name_in_use, !leave || (leaving & ~used_q) == '0)
  `GPUTLM_COVER(enters_as_one_leaves, enter && leave)
endmodule

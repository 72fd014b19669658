// A memory controller as small as one can be. FR-RR-FCFS says which request a bank works for; this module says which
// command the request takes and when it is legal. The banks have turns of one cycle. The bank whose turn it is reads if
// the request's row is open, else opens that row, else closes the row that is open.
//
// A controller of your own has more: writes, refreshes, the other constraints of the device. The ports of the queue are
// used in the same way: the queue hears of each row command, and `ready_i` says that the column command is issued.
module small_controller #(
  parameter  int unsigned Entries = 16,
  parameter  int unsigned Banks   = 4,
  parameter  int unsigned Apps    = 3,
  parameter  int unsigned RowW    = 6,
  parameter  int unsigned DataW   = 16,
  parameter  int unsigned Trcd    = 5,  // cycles from ACTIVATE to READ, of a bank
  parameter  int unsigned Trp     = 4,  // cycles from PRECHARGE to ACTIVATE, of a bank
  localparam int unsigned BankW   = $clog2(Banks),
  localparam int unsigned AppW    = $clog2(Apps)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // A read enters.
  input  logic             req_i,
  output logic             gnt_o,
  input  logic [BankW-1:0] bank_i,
  input  logic [RowW-1:0]  row_i,
  input  logic [AppW-1:0]  app_i,
  input  logic [DataW-1:0] data_i,       // comes out with the READ
  // At most one of them a cycle.
  output logic             activate_o,
  output logic             precharge_o,
  output logic             read_o,
  output logic [BankW-1:0] bank_o,
  output logic [RowW-1:0]  row_o,        // of an ACTIVATE
  output logic [AppW-1:0]  app_o,        // of a READ, as data_o
  output logic [DataW-1:0] data_o
);
  localparam int unsigned Longest = Trcd > Trp ? Trcd : Trp;
  localparam int unsigned WaitW   = $clog2(Longest);

  logic valid, hit, legal;

  fr_rr_fcfs_queue #(.Entries(Entries), .Banks(Banks), .Apps(Apps), .RowW(RowW), .DataW(DataW)) u_queue (
    .clk_i, .rst_ni, .req_i, .gnt_o, .req_bank_i(bank_i), .req_row_i(row_i), .req_app_i(app_i), .data_i,
    .row_valid_i(activate_o || precharge_o), .row_open_i(activate_o), .row_bank_i(bank_o), .row_row_i(row_o),
    .ask_bank_i(bank_o), .hit_cap_i('0), .valid_o(valid), .ready_i(read_o), .data_o, .row_o, .app_o, .hit_o(hit)
  );

  // Whose turn it is; which banks have an open row; for how many cycles each of them has to wait.
  logic [BankW-1:0] turn_q;
  logic [Banks-1:0] open_q;
  logic [WaitW-1:0] wait_q[Banks];
  assign bank_o      = turn_q;
  assign legal       = valid && wait_q[turn_q] == '0;
  assign read_o      = legal && hit;
  assign activate_o  = legal && !open_q[turn_q];
  assign precharge_o = legal && open_q[turn_q] && !hit;

  always_ff @(posedge clk_i) begin
    turn_q <= turn_q + 1'b1;
    for (int unsigned b = 0; b < Banks; b++) begin
      if (wait_q[b] != '0) wait_q[b] <= wait_q[b] - 1'b1;
    end
    // The turn passes one of the cycles.
    if (activate_o) wait_q[turn_q] <= WaitW'(Trcd - 1);
    if (precharge_o) wait_q[turn_q] <= WaitW'(Trp - 1);
    if (activate_o || precharge_o) open_q[turn_q] <= activate_o;
    if (!rst_ni) begin
      turn_q <= '0;
      open_q <= '0;
      for (int unsigned b = 0; b < Banks; b++) wait_q[b] <= '0;
    end
  end
endmodule

// FR-RR-FCFS where nobody issues row commands, say in front of a controller that opens rows as requests reach it. A row
// counts as open once a request for it has left. The bank is the taker's choice.
module rows_follow #(
  parameter  int unsigned Entries = 16,
  parameter  int unsigned Banks   = 4,
  parameter  int unsigned Apps    = 3,
  parameter  int unsigned RowW    = 6,
  parameter  int unsigned DataW   = 16,
  localparam int unsigned BankW   = $clog2(Banks),
  localparam int unsigned AppW    = $clog2(Apps)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             req_i,
  output logic             gnt_o,
  input  logic [BankW-1:0] bank_i,
  input  logic [RowW-1:0]  row_i,
  input  logic [AppW-1:0]  app_i,
  input  logic [DataW-1:0] data_i,
  input  logic [BankW-1:0] ask_bank_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [RowW-1:0]  row_o,
  output logic [AppW-1:0]  app_o,
  output logic [DataW-1:0] data_o
);
  logic hit;
  fr_rr_fcfs_queue #(.Entries(Entries), .Banks(Banks), .Apps(Apps), .RowW(RowW), .DataW(DataW)) u_queue (
    .clk_i, .rst_ni, .req_i, .gnt_o, .req_bank_i(bank_i), .req_row_i(row_i), .req_app_i(app_i), .data_i,
    .row_valid_i(valid_o && ready_i && !hit), .row_open_i(1'b1), .row_bank_i(ask_bank_i), .row_row_i(row_o),
    .ask_bank_i, .hit_cap_i('0), .valid_o, .ready_i, .data_o, .row_o, .app_o, .hit_o(hit)
  );
endmodule

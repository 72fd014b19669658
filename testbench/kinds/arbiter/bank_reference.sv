// The state of a bank, restated from the contract of the arbiters: its open row, the application that it served
// last, and how many requests it has served since its row was opened.
module bank_reference #(
  parameter  int unsigned Apps = 2,
  parameter  int unsigned RowW = 2,
  localparam int unsigned AppW = Apps > 1 ? $clog2(Apps) : 1,
  localparam int unsigned CapW = 8
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            row_i,         // a row command for this bank
  input  logic            row_open_i,    // 1: ACTIVATE, 0: PRECHARGE
  input  logic [RowW-1:0] row_row_i,
  input  logic            serve_i,       // this bank serves a request
  input  logic [AppW-1:0] serve_app_i,
  output logic            open_o,
  output logic [RowW-1:0] row_o,         // valid with open_o
  output logic [AppW-1:0] last_o,
  output logic [CapW-1:0] served_o       // saturates
);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_o   <= 1'b0;
      last_o   <= AppW'(Apps - 1);
      served_o <= '0;
    end else begin
      if (row_i) open_o <= row_open_i;
      if (serve_i) last_o <= serve_app_i;
      if (row_i && row_open_i) served_o <= '0;
      else if (serve_i && served_o != '1) served_o <= served_o + 1'b1;
    end
    if (row_i && row_open_i) row_o <= row_row_i;
  end
endmodule

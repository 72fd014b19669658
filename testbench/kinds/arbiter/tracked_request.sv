// Follows the request with one id from entry to departure, as seen at the ports.
module tracked_request #(
  parameter int unsigned BankW = 1,
  parameter int unsigned RowW  = 2,
  parameter int unsigned AppW  = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             enter_i,    // it enters
  input  logic [BankW-1:0] bank_i,
  input  logic [RowW-1:0]  row_i,
  input  logic [AppW-1:0]  app_i,
  input  logic             leave_i,    // it leaves; a new one may enter at the same edge
  output logic             waiting_o,
  output logic [BankW-1:0] bank_o,
  output logic [RowW-1:0]  row_o,
  output logic [AppW-1:0]  app_o
);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) waiting_o <= 1'b0;
    else if (enter_i) waiting_o <= 1'b1;
    else if (leave_i) waiting_o <= 1'b0;
    if (enter_i) begin
      bank_o <= bank_i;
      row_o  <= row_i;
      app_o  <= app_i;
    end
  end
endmodule

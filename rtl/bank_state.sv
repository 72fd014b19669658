// The state of each bank: its open row and the number of requests it has served since that row was opened.
//
// Guarantee: reset closes all banks and clears all counts; an ACTIVATE clears the count of its bank. A row command acts
// at the edge; the answer for an entering request (`enter_hit_o`) includes the row command of the same cycle, the answer
// for the asked bank does not. The count saturates.
//
// Cost: Banks * (RowW + 1) flip-flops and a multiplexer of as many bits; with HasCap, 8 more per bank.
module bank_state #(
  parameter  int unsigned Banks  = 16,
  parameter  int unsigned RowW   = 14,
  parameter  bit          HasCap = 1'b0,
  localparam int unsigned BankW  = Banks > 1 ? $clog2(Banks) : 1,
  localparam int unsigned CapW   = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             row_valid_i,   // a row command
  input  logic             row_open_i,    // 1: ACTIVATE, 0: PRECHARGE
  input  logic [BankW-1:0] row_bank_i,
  input  logic [RowW-1:0]  row_row_i,     // the row to open; ACTIVATE only
  input  logic [BankW-1:0] enter_bank_i,
  input  logic [RowW-1:0]  enter_row_i,
  output logic             enter_hit_o,   // the entering request is a row hit
  input  logic [BankW-1:0] ask_bank_i,
  input  logic [CapW-1:0]  hit_cap_i,     // 0: no cap
  output logic             capped_o,    // the asked bank has reached the cap: it no longer prefers row hits
  input  logic             serve_i      // the asked bank serves a request
);
  logic [Banks-1:0] row_bank, enter_bank, ask_bank;
  always_comb begin
    for (int unsigned b = 0; b < Banks; b++) begin
      row_bank[b]   = row_bank_i == BankW'(b);
      enter_bank[b] = enter_bank_i == BankW'(b);
      ask_bank[b]   = ask_bank_i == BankW'(b);
    end
  end

  logic [Banks-1:0]      open_q;
  logic [Banks*RowW-1:0] row_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned b = 0; b < Banks; b++) begin
      if (row_valid_i && row_bank[b]) begin
        open_q[b]           <= row_open_i;
        row_q[b*RowW+:RowW] <= row_row_i;
      end
      if (!rst_ni) open_q[b] <= 1'b0;
    end
  end

  logic [RowW-1:0] enter_open_row;
  one_hot_mux #(.Inputs(Banks), .Width(RowW)) u_enter_row (
    .select_i(enter_bank), .data_i(row_q), .data_o(enter_open_row)
  );
  assign enter_hit_o = row_valid_i && row_bank_i == enter_bank_i
      ? row_open_i && row_row_i == enter_row_i
      : |(open_q & enter_bank) && enter_open_row == enter_row_i;

  if (HasCap) begin : gen_cap
    logic [Banks*CapW-1:0] served_q;
    logic [CapW-1:0]       served;
    one_hot_mux #(.Inputs(Banks), .Width(CapW)) u_served (.select_i(ask_bank), .data_i(served_q), .data_o(served));
    logic [CapW-1:0] served_next;
    assign served_next = served + CapW'(!(&served));

    always_ff @(posedge clk_i) begin
      for (int unsigned b = 0; b < Banks; b++) begin
        if (serve_i && ask_bank[b]) served_q[b*CapW+:CapW] <= served_next;
        if (!rst_ni || (row_valid_i && row_open_i && row_bank[b])) served_q[b*CapW+:CapW] <= '0;
      end
    end
    assign capped_o = |hit_cap_i && served >= hit_cap_i;
  end else begin : gen_no_cap
    assign capped_o = 1'b0;
    logic unused;
    assign unused = ^{ask_bank, hit_cap_i, serve_i};
  end
endmodule

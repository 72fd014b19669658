// A property of the user's own: of the requests of a bank the oldest is passed by at most `Limit` others that are served before
// it. Which is the oldest is seen at the ports alone.
module starvation_limit #(
  parameter  int unsigned Entries = 8,
  parameter  int unsigned Banks   = 2,
  parameter  int unsigned Limit   = 4,
  localparam int unsigned BankW   = Banks > 1 ? $clog2(Banks) : 1,
  localparam int unsigned IdW     = $clog2(Entries),
  localparam int unsigned CntW    = $clog2(Limit + 2)
) (
  input logic             clk_i, rst_ni,
  input logic             req_valid_i, req_ready_o,
  input logic [BankW-1:0] req_bank_i,
  input logic [IdW-1:0]   req_id_i,
  input logic [BankW-1:0] ask_bank_i,
  input logic             grant_valid_o,
  input logic [IdW-1:0]   grant_id_o,
  input logic             grant_ready_i
);
  logic enter, served, passes;
  assign enter  = req_valid_i && req_ready_o;
  assign served = grant_valid_o && grant_ready_i;

  logic [Entries-1:0]         waiting_q, of_bank, left;
  logic [Entries*BankW-1:0]   bank_q;
  logic [Entries*Entries-1:0] older_q;   // bit i*Entries + j: j waits, and entered before i
  logic [Banks*CntW-1:0]      passed_q;  // by bank: served since its oldest request has become that
  for (genvar i = 0; i < Entries; i = i + 1) begin : gen_entries
    assign of_bank[i] = waiting_q[i] && bank_q[i*BankW+:BankW] == ask_bank_i;
    assign left[i]    = waiting_q[i] && !(served && grant_id_o == IdW'(i));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) waiting_q[i] <= 1'b0;
      else waiting_q[i] <= left[i] || (enter && req_id_i == IdW'(i));
      if (enter && req_id_i == IdW'(i)) bank_q[i*BankW+:BankW] <= req_bank_i;
      if (enter && req_id_i == IdW'(i)) older_q[i*Entries+:Entries] <= left;
      else older_q[i*Entries+:Entries] <= older_q[i*Entries+:Entries] & left;
    end
  end
  assign passes = |(older_q[grant_id_o*Entries+:Entries] & of_bank);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) passed_q <= '0;
    else if (served) passed_q[ask_bank_i*CntW+:CntW] <= passes ? passed_q[ask_bank_i*CntW+:CntW] + CntW'(1) : '0;
  end

  // At the clock's edge, so that a simulator sees what the edge does: behind it the inputs are still those before it. The
  // contract assumes of names only what it needs for those that it follows.
  always_ff @(posedge clk_i) begin
    if (rst_ni) named_once: assume (!(enter && waiting_q[req_id_i]));
    if (rst_ni) passed_at_most: assert (!(served && passes) || passed_q[ask_bank_i*CntW+:CntW] < CntW'(Limit));
  end
endmodule

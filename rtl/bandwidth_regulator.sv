`include "assertions.svh"

// Decides which heads of the applications' queues may pass. Each application has a budget of bytes per period; its tokens
// count what it may still take. At the start of its period it gets its budget again. Leftover tokens then lapse, unless they
// did not suffice for a waiting request: those are kept. With Reclaim, all applications may use lapsed tokens until the next
// period begins. The references are models/regulator/hard.cpp and reclaim.cpp.
//
// Guarantee: a combinational answer from registers and the heads. Never exceeded: in any n consecutive periods, an
// application takes less than n budgets plus 2^LengthW bytes (with Reclaim, plus lapsed tokens). Never withheld: a head passes
// as soon as its application's own tokens suffice, whatever the others do; so it waits at most until the budgets that arrive
// while it waits add up to its bytes. A request that passes at the edge that begins a period counts in the previous period.
//
// Cost: Apps: one counter each, with a comparison and a subtraction. TokenW: the width of these. LengthW: the width of the
// comparison, if larger than TokenW. Reclaim: one more counter, an addition before each comparison, and a sum of lapsed tokens.
module bandwidth_regulator #(
  parameter  int unsigned Apps    = 4,     // applications with a budget; 1 to 8
  parameter  int unsigned TokenW  = 16,    // bits of a budget; 1 to 32
  parameter  int unsigned LengthW = 8,     // bits of the number of bytes of a request; 1 to 8
  parameter  bit          Reclaim = 1'b0,  // all may use lapsed tokens in the next period
  localparam int unsigned LeftW   = (TokenW > LengthW ? TokenW : LengthW) + 1,
  localparam int unsigned PoolW   = LeftW + $clog2(Apps)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,        // synchronous, active low
  input  logic [Apps*TokenW-1:0]  budget_i,      // bytes per period; constant after reset
  input  logic [Apps-1:0]         begin_i,       // a period begins at this edge; with Reclaim, for all at once
  // The heads of the applications' queues.
  input  logic [Apps-1:0]         head_valid_i,
  input  logic [Apps*LengthW-1:0] head_bytes_i,  // bytes of the request
  output logic [Apps-1:0]         fits_o,        // the head is valid and the tokens suffice
  input  logic [Apps-1:0]         pass_i         // the head passes at this edge; requires fits_o; one-hot or 0
);
  if (Apps < 1 || Apps > 8) $error("Apps must be 1 to 8");
  if (TokenW < 1 || TokenW > 32) $error("TokenW must be 1 to 32");

  logic [Apps*LeftW-1:0] left_q;  // tokens
  logic [PoolW-1:0]      pool_q;  // lapsed tokens that all may use

  logic [Apps*LeftW-1:0]   lapses;
  logic [Apps*LengthW-1:0] borrows;
  for (genvar a = 0; a < Apps; a++) begin : gen_app
    logic [LeftW-1:0]   left, after, kept;
    logic [LengthW-1:0] bytes, beyond;
    logic               suffices, waits;
    assign left  = left_q[a*LeftW+:LeftW];
    assign bytes = head_bytes_i[a*LengthW+:LengthW];

    // The bytes that its own tokens do not cover.
    assign beyond = left < LeftW'(bytes) ? bytes - LengthW'(left) : '0;
    if (Reclaim) begin : gen_pool
      assign suffices = PoolW'(beyond) <= pool_q;
    end else begin : gen_own
      assign suffices = beyond == '0;
    end
    assign fits_o[a] = head_valid_i[a] && suffices;
    assign waits     = head_valid_i[a] && !suffices;

    // `left` is less than `bytes` exactly if `beyond` is not 0.
    assign after = !pass_i[a] ? left : beyond != '0 ? '0 : left - LeftW'(bytes);
    assign kept  = waits ? after : '0;
    assign borrows[a*LengthW+:LengthW] = beyond & {LengthW{pass_i[a]}};
    assign lapses[a*LeftW+:LeftW]      = (after - kept) & {LeftW{begin_i[a]}};
    always_ff @(posedge clk_i) begin
      if (begin_i[a]) left_q[a*LeftW+:LeftW] <= kept + LeftW'(budget_i[a*TokenW+:TokenW]);
      else left_q[a*LeftW+:LeftW] <= after;
      if (!rst_ni) left_q[a*LeftW+:LeftW] <= LeftW'(budget_i[a*TokenW+:TokenW]);
    end
  end

  if (Reclaim) begin : gen_reclaim
    logic [PoolW-1:0]   lapsed;
    logic [LengthW-1:0] borrowed;
    always_comb begin
      lapsed   = '0;
      borrowed = '0;
      for (int unsigned a = 0; a < Apps; a++) begin
        lapsed   = lapsed + PoolW'(lapses[a*LeftW+:LeftW]);
        borrowed = borrowed | borrows[a*LengthW+:LengthW];
      end
    end
    always_ff @(posedge clk_i) begin
      if (begin_i != '0) pool_q <= lapsed;
      else pool_q <= pool_q - PoolW'(borrowed);
      if (!rst_ni) pool_q <= '0;
    end
  end else begin : gen_hard
    assign pool_q = '0;
    logic unused;
    assign unused = ^{lapses, borrows, pool_q};
  end

`ifdef GPUTLM_ASSERTIONS
  logic [Apps-1:0] own_suffices;
  always_comb begin
    for (int unsigned a = 0; a < Apps; a++)
      own_suffices[a] = left_q[a*LeftW+:LeftW] >= LeftW'(head_bytes_i[a*LengthW+:LengthW]);
  end
`endif
  `GPUTLM_ASSERT(fits_waits, (fits_o & ~head_valid_i) == '0)
  `GPUTLM_ASSERT(never_withheld, (head_valid_i & own_suffices & ~fits_o) == '0)
  `GPUTLM_ASSERT(never_exceeded, Reclaim || (fits_o & ~own_suffices) == '0)
  `GPUTLM_ASSUME(budget_is_constant, $stable(budget_i))
  `GPUTLM_ASSUME(pass_one_hot, (pass_i & (pass_i - 1'b1)) == '0)
  `GPUTLM_ASSUME(passes_if_it_fits, (pass_i & ~fits_o) == '0)
  `GPUTLM_COVER(passes_as_a_period_begins, (pass_i & begin_i) != '0)
  `GPUTLM_COVER(waits_as_a_period_begins, (head_valid_i & ~fits_o & begin_i) != '0)
endmodule

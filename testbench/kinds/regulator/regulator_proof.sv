// The proof of a regulator of memory budgets (module `DUT): its contract; that a budget is never exceeded, over any number
// of consecutive periods, and never withheld. The script `prove` and `gputlm check --proof` (proof.cpp) start here and set
// the parameters.
//
// The reference sees only the ports. The environment is free: heads come, change and go in any cycle, with any number of bytes;
// periods begin in any cycle, for any applications (with Reclaim, for all together); requests that fit pass or not; reset comes
// at any time; budgets have any value. The proof assumes that at most one request passes per cycle, and only if it fits.
//
// prove hard:
// prove reclaim: Reclaim=1
// caught: search 8 Apps=2
// by day: kept_lapses
module regulator_proof #(
  parameter  int unsigned Apps    = 2,
  parameter  int unsigned TokenW  = 3,
  parameter  int unsigned LengthW = 3,
  parameter  bit          Ordered = 1'b1,  // also checks which requests fit: by the tokens of `hard`, with Reclaim of `reclaim`
  parameter  bit          Reclaim = 1'b0,
  parameter  bit          Lemmas  = 1'b1,  // also asserts what links the registers to the reference
  parameter  int unsigned Earlier = 0,     // asserts an allowance smaller by this many bytes, to be refuted
  localparam int unsigned AppW    = Apps > 1 ? $clog2(Apps) : 1,
  localparam int unsigned LeftW   = (TokenW > LengthW ? TokenW : LengthW) + 1,
  localparam int unsigned PoolW   = LeftW + $clog2(Apps),
  localparam int unsigned SumW    = PoolW + 2
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic [Apps-1:0]         begin_i,
  input logic [Apps-1:0]         head_valid_i,
  input logic [Apps*LengthW-1:0] head_bytes_i,
  input logic [Apps-1:0]         pass_i,
  input logic                    mark_i         // never_exceeded counts from here on
);
  // Arbitrary constants: the budgets and the watched application.
  (* anyconst *) logic [Apps*TokenW-1:0] budgets;
  (* anyconst *) logic [AppW-1:0]        app;

  logic [Apps-1:0] fits;
  `DUT #(.Apps(Apps), .TokenW(TokenW), .LengthW(LengthW)) dut (
    .*, .budget_i(budgets), .fits_o(fits)
  );

  // The reference: the tokens of each application, and the lapsed tokens that all may use.
  logic [Apps*SumW-1:0] own_q, after;
  logic [SumW-1:0]      pool_q, lapsed, borrowed;
  logic [Apps-1:0]      own_fits, should_fit;
  always_comb begin
    lapsed   = '0;
    borrowed = '0;
    for (int unsigned a = 0; a < Apps; a++) begin
      own_fits[a]   = head_valid_i[a] && SumW'(head_bytes_i[a*LengthW+:LengthW]) <= own_q[a*SumW+:SumW];
      should_fit[a] = own_fits[a] || (Reclaim && head_valid_i[a]
          && SumW'(head_bytes_i[a*LengthW+:LengthW]) <= own_q[a*SumW+:SumW] + pool_q);
      after[a*SumW+:SumW] = own_q[a*SumW+:SumW];
      if (pass_i[a] && own_fits[a]) after[a*SumW+:SumW] = own_q[a*SumW+:SumW] - SumW'(head_bytes_i[a*LengthW+:LengthW]);
      if (pass_i[a] && !own_fits[a]) begin
        after[a*SumW+:SumW] = '0;
        borrowed            = SumW'(head_bytes_i[a*LengthW+:LengthW]) - own_q[a*SumW+:SumW];
      end
      if (begin_i[a] && !(head_valid_i[a] && !should_fit[a])) lapsed = lapsed + after[a*SumW+:SumW];
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned a = 0; a < Apps; a++) begin
      own_q[a*SumW+:SumW] <= after[a*SumW+:SumW];
      if (begin_i[a]) begin
        own_q[a*SumW+:SumW] <= SumW'(budgets[a*TokenW+:TokenW])
            + (head_valid_i[a] && !should_fit[a] ? after[a*SumW+:SumW] : '0);
      end
      if (!rst_ni) own_q[a*SumW+:SumW] <= SumW'(budgets[a*TokenW+:TokenW]);
    end
    pool_q <= begin_i != '0 ? lapsed : pool_q - borrowed;
    if (!rst_ni) pool_q <= '0;
  end

  // Assumptions about the environment.
  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb begin
    assume (running_q || !rst_ni);  // reset comes first
    assume ({1'b0, app} < (AppW+1)'(Apps));
    assume ((pass_i & (pass_i - 1'b1)) == '0);
    assume ((pass_i & ~fits) == '0);
    assume (!Reclaim || begin_i == '0 || begin_i == '1);
  end

  // The watched application.
  logic               w_valid, w_fits, w_own_fits, w_pass, w_begin;
  logic [LengthW-1:0] w_bytes;
  logic [TokenW-1:0]  w_budget;
  logic [SumW-1:0]    w_own, w_of_its_own;
  always_comb begin
    {w_valid, w_fits, w_own_fits, w_pass, w_begin, w_bytes, w_budget, w_own} = '0;
    for (int unsigned a = 0; a < Apps; a++) begin
      if (app == AppW'(a)) begin
        w_valid    = head_valid_i[a];
        w_fits     = fits[a];
        w_own_fits = own_fits[a];
        w_pass     = pass_i[a];
        w_begin    = begin_i[a];
        w_bytes    = head_bytes_i[a*LengthW+:LengthW];
        w_budget   = budgets[a*TokenW+:TokenW];
        w_own      = own_q[a*SumW+:SumW];
      end
    end
    w_of_its_own = !w_pass ? '0 : w_own_fits ? SumW'(w_bytes) : w_own;
  end

  // Never exceeded: from the start of any period on, the marked one, it has taken of its own tokens no more than the budgets
  // of the periods that have begun, and less than one request. `allowed` is what remains of this; it saturates.
  localparam logic [SumW-1:0] Most = {SumW{1'b1}} >> 1;
  logic [SumW-1:0] allowed_q, allowed, more;
  always_comb begin
    more    = allowed_q + (w_begin ? SumW'(w_budget) : '0) - w_of_its_own;
    allowed = more > Most ? Most : more;
    if (mark_i && w_begin) allowed = SumW'(w_budget) + SumW'({LengthW{1'b1}}) - 1'b1 - SumW'(Earlier);
  end
  always_ff @(posedge clk_i) begin
    allowed_q <= allowed;
    if (!rst_ni) allowed_q <= SumW'(w_budget);
  end

  // Never withheld: a request fits once the budgets of the periods that began while it waited add up to its bytes.
  logic [LengthW:0]   gathered_q;  // the sum of these budgets; saturates
  logic [SumW-1:0]    gathered;
  logic [LengthW-1:0] bytes_q;
  logic               waited_q, stays, w_waits;
  assign w_waits  = w_valid && !w_fits;
  assign stays    = waited_q && w_valid && w_bytes == bytes_q;  // the same request as in the previous cycle
  assign gathered = (stays ? SumW'(gathered_q) : '0) + (w_begin ? SumW'(w_budget) : '0);
  always_ff @(posedge clk_i) begin
    bytes_q    <= w_bytes;
    waited_q   <= rst_ni && w_waits;
    gathered_q <= gathered > SumW'({(LengthW+1){1'b1}}) ? '1 : gathered[LengthW:0];
  end

  always_comb begin
    if (rst_ni) begin
      fits_waits:     assert ((fits & ~head_valid_i) == '0);
      never_withheld: assert (!(stays && gathered_q >= {1'b0, w_bytes} && !w_fits));
    end
  end
  if (Ordered) begin : gen_tokens
    always_comb begin
      if (rst_ni) begin
        fits_by_rule:     assert (fits == should_fit);
        own_fits_at_once: assert ((own_fits & ~fits) == '0);
        never_exceeded:   assert (w_of_its_own <= allowed_q);
      end
    end
  end

  // Registers of the regulator, joined by name when the design is flattened.
  (* hierconn *) logic [Apps*LeftW-1:0] \dut.u_regulator.left_q ;
  (* hierconn *) logic [PoolW-1:0]      \dut.u_regulator.pool_q ;
  if (Lemmas) begin : gen_lemmas
    logic [Apps-1:0] differs, too_many;
    logic [SumW+3:0] sum, budget_sum;
    always_comb begin
      sum        = (SumW+4)'(pool_q);
      budget_sum = '0;
      for (int unsigned a = 0; a < Apps; a++) begin
        differs[a]  = SumW'(\dut.u_regulator.left_q [a*LeftW+:LeftW]) != own_q[a*SumW+:SumW];
        too_many[a] = own_q[a*SumW+:SumW] > SumW'(budgets[a*TokenW+:TokenW]) + SumW'({LengthW{1'b1}}) - 1'b1;
      end
      if (rst_ni) begin
        lemma_own:     assert (differs == '0 && too_many == '0);
        lemma_pool:    assert (!Reclaim || SumW'(\dut.u_regulator.pool_q ) == pool_q);
        lemma_allowed: assert (w_own <= allowed_q && allowed_q <= Most);
        lemma_gathered: assert (!stays || SumW'(gathered_q) <= w_own || gathered_q == '1);
      end
    end
  end
endmodule

// The proof of an arbiter (module `DUT): its contract, and what also
// holds if the controller follows the grants. The script `prove` and
// `gputlm check --proof` (proof.cpp) start here and set the parameters.
//
// prove fr_fcfs: RoundRobin=0
// prove fr_rr_fcfs: RoundRobin=1
// caught: search 10 Apps=3, induction Apps=3
// by day: priorities_swapped cap_never_ends
module arbiter_proof #(
  parameter  int unsigned Entries     = 8,
  parameter  int unsigned Banks       = 2,
  parameter  int unsigned Apps        = 2,
  parameter  int unsigned RowW        = 2,
  parameter  bit          HasCap      = 1'b1,
  parameter  bit          Ordered     = 1'b1,  // see arbiter_contract.sv
  parameter  bit          RoundRobin  = 1'b0,
  parameter  bit          Lemmas      = 1'b1,  // also asserts what links the arbiter's state to the reference
  parameter  bit          Follow      = 1'b0,  // the controller follows the grants of the watched bank
  parameter  bit          PrivateRows = 1'b0,  // with Follow: applications do not share rows
  parameter  int unsigned Cap         = 0,     // with Follow: row-hit cap; 0: none, and no bound
  parameter  int unsigned Earlier     = 0,     // see waiting_bound.sv
  parameter  bit          Forever     = 1'b0,  // with Follow: see waiting_forever.sv
  localparam int unsigned BankW       = Banks > 1 ? $clog2(Banks) : 1,
  localparam int unsigned AppW        = Apps > 1 ? $clog2(Apps) : 1,
  localparam int unsigned IdW         = $clog2(Entries),
  localparam int unsigned CapW        = 8
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             req_valid_i,
  input logic [BankW-1:0] req_bank_i,
  input logic [RowW-1:0]  req_row_i,
  input logic [AppW-1:0]  req_app_i,
  input logic [IdW-1:0]   req_id_i,
  input logic             row_valid_i,
  input logic             row_open_i,
  input logic [BankW-1:0] row_bank_i,
  input logic [RowW-1:0]  row_row_i,
  input logic             ask_valid_i,
  input logic [BankW-1:0] ask_bank_i,
  input logic             grant_ready_i,
  input logic             mark_i          // see waiting_forever.sv
);
  // Arbitrary constants.
  (* anyconst *) logic [CapW-1:0]  hit_cap;
  (* anyconst *) logic [BankW-1:0] bank;
  (* anyconst *) logic [IdW-1:0]   a_id;
  (* anyconst *) logic [IdW-1:0]   b_id;
  (* anyconst *) logic [AppW-1:0]  turn_app;

  logic               req_ready, grant_valid, grant_hit;
  logic [Entries-1:0] grant;
  logic [IdW-1:0]     grant_id;
  logic [RowW-1:0]    grant_row;
  logic [AppW-1:0]    grant_app;
  `DUT #(.Entries(Entries), .Banks(Banks), .Apps(Apps), .RowW(RowW), .HasCap(HasCap)) dut (
    .*, .req_ready_o(req_ready), .hit_cap_i(hit_cap), .grant_valid_o(grant_valid), .grant_o(grant), .grant_id_o(grant_id),
    .grant_row_o(grant_row), .grant_app_o(grant_app), .grant_hit_o(grant_hit)
  );

  logic enter, served, serve_here, row_here, a_enters, b_enters, a_leaves, b_leaves;
  assign enter      = req_valid_i && req_ready;
  assign served     = grant_valid && grant_ready_i;
  assign serve_here = served && ask_bank_i == bank;
  assign row_here   = row_valid_i && row_bank_i == bank;
  assign a_enters   = enter && req_id_i == a_id;
  assign b_enters   = enter && req_id_i == b_id;
  assign a_leaves   = served && grant_id == a_id;
  assign b_leaves   = served && grant_id == b_id;

  logic             a_waiting, b_waiting;
  logic [BankW-1:0] a_bank, b_bank;
  logic [RowW-1:0]  a_row, b_row;
  logic [AppW-1:0]  a_app, b_app;
  tracked_request #(.BankW(BankW), .RowW(RowW), .AppW(AppW)) u_a (
    .clk_i, .rst_ni, .enter_i(a_enters), .bank_i(req_bank_i), .row_i(req_row_i), .app_i(req_app_i), .leave_i(a_leaves),
    .waiting_o(a_waiting), .bank_o(a_bank), .row_o(a_row), .app_o(a_app)
  );
  tracked_request #(.BankW(BankW), .RowW(RowW), .AppW(AppW)) u_b (
    .clk_i, .rst_ni, .enter_i(b_enters), .bank_i(req_bank_i), .row_i(req_row_i), .app_i(req_app_i), .leave_i(b_leaves),
    .waiting_o(b_waiting), .bank_o(b_bank), .row_o(b_row), .app_o(b_app)
  );
  logic a_first_q, a_older;  // A entered before B
  always_ff @(posedge clk_i) begin
    if (a_enters) a_first_q <= 1'b0;
    else if (b_enters) a_first_q <= 1'b1;
  end
  assign a_older = a_waiting && b_waiting && a_first_q;

  logic            open;
  logic [RowW-1:0] row;
  logic [AppW-1:0] last;
  logic [CapW-1:0] served_count;
  logic            capped;
  bank_reference #(.Apps(Apps), .RowW(RowW)) u_bank (
    .clk_i, .rst_ni, .row_i(row_here), .row_open_i, .row_row_i, .serve_i(serve_here), .serve_app_i(grant_app),
    .open_o(open), .row_o(row), .last_o(last), .served_o(served_count)
  );
  assign capped = HasCap && hit_cap != '0 && served_count >= hit_cap;

  // Assumptions about the environment.
  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb begin
    assume (running_q || !rst_ni);  // reset comes first
    assume (a_id != b_id);
    assume ({1'b0, bank} < (BankW+1)'(Banks));
    assume ({1'b0, req_bank_i} < (BankW+1)'(Banks));
    assume ({1'b0, row_bank_i} < (BankW+1)'(Banks));
    assume ({1'b0, ask_bank_i} < (BankW+1)'(Banks));
    assume ({1'b0, turn_app} < (AppW+1)'(Apps));
    assume ({1'b0, req_app_i} < (AppW+1)'(Apps));
    assume (!a_enters || !a_waiting || a_leaves);  // an id is taken until its request leaves
    assume (!b_enters || !b_waiting || b_leaves);
  end

  logic         passed_over;
  logic [IdW:0] waiting_count;
  arbiter_contract #(
    .Entries(Entries), .Banks(Banks), .Apps(Apps), .RowW(RowW), .Ordered(Ordered), .RoundRobin(RoundRobin)
  ) u_contract (
    .clk_i, .rst_ni, .enter_i(enter), .req_ready_i(req_ready), .ask_valid_i, .ask_bank_i,
    .grant_valid_i(grant_valid), .grant_i(grant), .grant_id_i(grant_id), .grant_row_i(grant_row),
    .grant_app_i(grant_app), .grant_hit_i(grant_hit), .grant_ready_i,
    .bank_i(bank), .open_i(open), .row_i(row), .last_i(last), .capped_i(capped),
    .a_id_i(a_id), .a_waiting_i(a_waiting), .a_bank_i(a_bank), .a_row_i(a_row), .a_app_i(a_app),
    .b_id_i(b_id), .b_app_i(b_app), .a_older_i(a_older), .turn_app_i(turn_app), .passed_over_o(passed_over),
    .waiting_count_o(waiting_count)
  );

  // Registers of the arbiter, joined by name when the design is flattened.
  (* hierconn *) logic [Entries-1:0]       \dut.u_queue.valid_q ;
  (* hierconn *) logic [Entries-1:0]       \dut.u_queue.hit_q ;
  (* hierconn *) logic [Entries*BankW-1:0] \dut.u_queue.bank_q ;
  (* hierconn *) logic [Entries*RowW-1:0]  \dut.u_queue.row_q ;
  (* hierconn *) logic [Entries*AppW-1:0]  \dut.u_queue.app_q ;
  (* hierconn *) logic [Entries*IdW-1:0]   \dut.u_queue.id_q ;
  (* hierconn *) logic [Banks-1:0]         \dut.u_banks.open_q ;
  (* hierconn *) logic [Banks*RowW-1:0]    \dut.u_banks.row_q ;
  (* hierconn *) logic [Banks*CapW-1:0]    \dut.u_banks.gen_cap.served_q ;
  (* hierconn *) logic [Banks*AppW-1:0]    \dut.last_q ;

  logic [Banks*CapW-1:0] dut_served;  // without a cap there is no such register
  if (HasCap) begin : gen_served
    assign dut_served = \dut.u_banks.gen_cap.served_q ;
  end else begin : gen_no_served
    assign dut_served = '0;
  end
  logic [Banks*AppW-1:0] dut_last;
  if (RoundRobin) begin : gen_last
    assign dut_last = \dut.last_q ;
  end else begin : gen_no_last
    assign dut_last = '0;
  end

  logic [Entries-1:0] a_from;
  if (Lemmas) begin : gen_lemmas
    arbiter_lemmas #(
      .Entries(Entries), .Banks(Banks), .Apps(Apps), .RowW(RowW), .HasCap(HasCap), .RoundRobin(RoundRobin)
    ) u_lemmas (
      .rst_ni, .valid_i(\dut.u_queue.valid_q ), .hit_i(\dut.u_queue.hit_q ), .banks_i(\dut.u_queue.bank_q ),
      .rows_i(\dut.u_queue.row_q ), .apps_i(\dut.u_queue.app_q ), .ids_i(\dut.u_queue.id_q ),
      .open_i(\dut.u_banks.open_q ), .open_row_i(\dut.u_banks.row_q ),
      .served_i(dut_served), .last_i(dut_last),
      .waiting_i(waiting_count), .bank_i(bank), .bank_open_i(open), .bank_row_i(row), .bank_last_i(last),
      .bank_served_i(served_count), .a_id_i(a_id), .a_waiting_i(a_waiting), .a_bank_i(a_bank), .a_row_i(a_row),
      .a_app_i(a_app), .b_id_i(b_id), .b_waiting_i(b_waiting), .b_bank_i(b_bank), .b_row_i(b_row), .b_app_i(b_app),
      .a_first_i(a_first_q), .turn_app_i(turn_app), .passed_over_i(passed_over), .a_from_o(a_from)
    );
  end

  if (Follow) begin : gen_follow
    localparam int unsigned LeftW = $clog2(Entries * Apps * (Cap + 1)) + 1;
    logic [(2**RowW)*AppW-1:0] app_of_row;
    following_controller #(.Apps(Apps), .RowW(RowW), .PrivateRows(PrivateRows), .Refresh(!Forever)) u_controller (
      .enter_here_i(enter && req_bank_i == bank), .req_row_i, .req_app_i, .row_here_i(row_here), .row_open_i,
      .row_row_i, .ask_here_i(ask_valid_i && ask_bank_i == bank), .grant_valid_i(grant_valid),
      .grant_hit_i(grant_hit), .grant_row_i(grant_row), .row_valid_i, .serve_here_i(serve_here), .served_i(served),
      .open_i(open), .app_of_row_o(app_of_row)
    );
    always_comb assume (hit_cap == CapW'(Cap));

    logic a_here;
    assign a_here = a_waiting && a_bank == bank;

    logic [AppW-1:0]  app;
    logic [IdW:0]     own;
    logic             bounded;
    logic [LeftW-1:0] left;
    if (Cap != 0 && !Forever) begin : gen_bound
      waiting_bound #(
        .Entries(Entries), .Apps(Apps), .RoundRobin(RoundRobin), .Cap(Cap), .Earlier(Earlier),
        .LeftW(LeftW)
      ) u_bound (
        .clk_i, .rst_ni, .enter_here_i(enter && req_bank_i == bank), .req_app_i, .serve_here_i(serve_here),
        .grant_app_i(grant_app), .a_enters_i(a_enters), .a_leaves_i(a_leaves), .a_here_i(a_here), .a_app_i(a_app),
        .app_o(app), .own_o(own), .bounded_o(bounded), .left_o(left)
      );
    end

    logic passed_over, first_here;
    assign first_here = serve_here && served_count == '0;
    if (RoundRobin && PrivateRows) begin : gen_turns
      activation_turns #(.Apps(Apps)) u_turns (
        .clk_i, .rst_ni, .first_here_i(first_here), .serve_here_i(serve_here),
        .grant_app_i(grant_app), .a_here_i(a_here), .a_leaves_i(a_leaves), .a_app_i(a_app),
        .turn_app_i(turn_app), .passed_over_o(passed_over)
      );
    end

    if (Forever) begin : gen_forever
      // With only A and B in the queue, their fields and the state of their bank decide everything.
      logic a_and_b_alone;
      assign a_and_b_alone = a_waiting && waiting_count == 1 + (IdW+1)'(b_waiting);
      localparam int unsigned RequestW = BankW + RowW + AppW;
      logic [CapW-1:0] counted;
      assign counted = served_count & {CapW{HasCap}};
      waiting_forever #(.StateW(3 + 2 * RequestW + RowW + CapW + AppW), .Entries(Entries)) u_forever (
        .clk_i, .rst_ni, .mark_i, .complete_i(a_and_b_alone),
        .state_i({a_bank, a_row, a_app, b_waiting, a_older, {RequestW{b_waiting}} & {b_bank, b_row, b_app},
                  open, {RowW+CapW{open}} & {row, counted}, last}),
        .enter_i(enter), .req_id_i, .serve_i(served), .grant_id_i(grant_id), .a_waiting_i(a_waiting),
        .passes_i(served && (!RoundRobin || grant_app != a_app)), .a_leaves_i(a_leaves)
      );
    end

    if (Lemmas) begin : gen_waiting_lemmas
      waiting_lemmas #(
        .Entries(Entries), .Banks(Banks), .Apps(Apps), .RowW(RowW), .RoundRobin(RoundRobin), .Cap(Cap), .LeftW(LeftW)
      ) u_lemmas (
        .rst_ni, .valid_i(\dut.u_queue.valid_q ), .banks_i(\dut.u_queue.bank_q ), .rows_i(\dut.u_queue.row_q ),
        .apps_i(\dut.u_queue.app_q ), .bank_i(bank), .open_i(open), .row_i(row), .app_of_row_i(app_of_row),
        .last_i(last), .served_i(served_count), .a_from_i(a_from), .a_here_i(a_here), .a_app_i(a_app), .app_i(app),
        .own_i(own), .bounded_i(bounded), .left_i(left), .turn_app_i(turn_app), .passed_over_i(passed_over)
      );
    end
  end
endmodule

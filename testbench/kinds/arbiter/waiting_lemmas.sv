// Lemmas for waiting_bound.sv and activation_turns.sv, on the arbiter's registers, like those of arbiter_lemmas.sv: what
// holds for a bank whose controller follows the grants, and how many requests can still go before A in each state. That
// number never grows, and falls with each request that goes before A.
module waiting_lemmas #(
  parameter  int unsigned Entries    = 8,
  parameter  int unsigned Banks      = 2,
  parameter  int unsigned Apps       = 2,
  parameter  int unsigned RowW       = 2,
  parameter  bit          RoundRobin = 1'b0,
  parameter  int unsigned Cap        = 1,
  parameter  int unsigned LeftW      = 8,
  localparam int unsigned BankW      = Banks > 1 ? $clog2(Banks) : 1,
  localparam int unsigned AppW       = Apps > 1 ? $clog2(Apps) : 1,
  localparam int unsigned IdW        = $clog2(Entries),
  localparam int unsigned CapW       = 8,
  localparam int unsigned Turns      = RoundRobin ? Apps : 1
) (
  input logic                     rst_ni,
  input logic [Entries-1:0]       valid_i,
  input logic [Entries*BankW-1:0] banks_i,
  input logic [Entries*RowW-1:0]  rows_i,
  input logic [Entries*AppW-1:0]  apps_i,
  input logic [BankW-1:0]         bank_i,
  input logic                     open_i,
  input logic [RowW-1:0]          row_i,
  input logic [(2**RowW)*AppW-1:0] app_of_row_i,
  input logic [AppW-1:0]          last_i,
  input logic [CapW-1:0]          served_i,
  input logic [Entries-1:0]       a_from_i,      // A is here or below
  input logic                     a_here_i,
  input logic [AppW-1:0]          a_app_i,
  input logic [AppW-1:0]          app_i,
  input logic [IdW:0]             own_i,
  input logic                     bounded_i,
  input logic [LeftW-1:0]         left_i,
  input logic [AppW-1:0]          turn_app_i,
  input logic                     passed_over_i
);
  logic [AppW-1:0] row_app;  // the application that owns the open row
  assign row_app = app_of_row_i[row_i*AppW+:AppW];

  logic [Entries-1:0] here, own, of_opener;
  logic               opener_found, opener_hits;
  always_comb begin
    opener_found = 1'b0;
    opener_hits  = 1'b0;
    for (int unsigned i = 0; i < Entries; i++) begin
      here[i]      = valid_i[i] && banks_i[i*BankW+:BankW] == bank_i;
      own[i]       = here[i] && (!RoundRobin || apps_i[i*AppW+:AppW] == app_i);
      of_opener[i] = here[i] && (!RoundRobin || apps_i[i*AppW+:AppW] == row_app);
      if (of_opener[i] && !opener_found) begin
        opener_found = 1'b1;
        opener_hits  = rows_i[i*RowW+:RowW] == row_i;
      end
    end
  end

  logic fresh;  // the row is open, and the request that it was opened for is served next
  assign fresh = open_i && served_i == '0;

  logic [AppW:0] after_row, after_last;
  application_distance #(.Apps(Apps)) u_row (.from_i(row_app), .to_i(app_i), .distance_o(after_row));
  application_distance #(.Apps(Apps)) u_last (.from_i(last_i), .to_i(app_i), .distance_o(after_last));

  logic             own_row;
  logic [LeftW-1:0] older_rounds, before_row, before_last, of_open_row, most;
  always_comb begin
    own_row      = !RoundRobin || row_app == app_i;
    older_rounds = LeftW'($countones(own & ~a_from_i)) * LeftW'(Turns * Cap);
    before_row   = !RoundRobin ? '0 : LeftW'(after_row) * LeftW'(Cap);
    before_last  = !RoundRobin ? '0 : LeftW'(after_last) * LeftW'(Cap);
    of_open_row  = open_i && served_i < CapW'(Cap) ? LeftW'(Cap) - LeftW'(served_i) : '0;
    if (!open_i) most = older_rounds + before_last;
    else if (!fresh) most = older_rounds + before_row + of_open_row;
    // The row may be closed again without use, or it may serve its requests.
    else if (!own_row && before_row + of_open_row > before_last) most = older_rounds + before_row + of_open_row;
    else most = older_rounds + before_last;
  end

  always_comb begin
    if (rst_ni) begin
      lemma_own:   assert ($countones(own) == own_i);
      lemma_fresh: assert (!fresh || opener_hits);
    end
  end
  if (Cap != 0) begin : gen_bound
    always_comb if (rst_ni) lemma_left: assert (!bounded_i || left_i >= most);
  end

  if (RoundRobin) begin : gen_round_robin
    logic [Entries-1:0] app_differs;
    always_comb begin
      for (int unsigned i = 0; i < Entries; i++)
        app_differs[i] = here[i] && apps_i[i*AppW+:AppW] != app_of_row_i[rows_i[i*RowW+:RowW]*AppW+:AppW];
    end
    logic [AppW-1:0] before_turn;
    logic [AppW:0]   turn_to_last, turn_to_row, turn_to_a;
    assign before_turn = turn_app_i == '0 ? AppW'(Apps - 1) : turn_app_i - 1'b1;
    application_distance #(.Apps(Apps)) u_turn_last (
      .from_i(before_turn), .to_i(last_i), .distance_o(turn_to_last)
    );
    application_distance #(.Apps(Apps)) u_turn_row (
      .from_i(before_turn), .to_i(row_app), .distance_o(turn_to_row)
    );
    application_distance #(.Apps(Apps)) u_turn_a (.from_i(before_turn), .to_i(a_app_i), .distance_o(turn_to_a));
    always_comb begin
      if (rst_ni) begin
        lemma_private:  assert (app_differs == '0);
        lemma_row_last: assert (!open_i || fresh || last_i == row_app);
        lemma_reached:  assert (!(passed_over_i && a_here_i) || turn_to_last < turn_to_a);
        lemma_opened:   assert (!(passed_over_i && a_here_i && fresh)
                                || (turn_to_row > turn_to_last && turn_to_row <= turn_to_a));
      end
    end
  end
endmodule

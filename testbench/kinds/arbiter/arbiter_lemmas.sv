// Lemmas that link the state of the arbiters to the reference, so that one step of induction proves the contract at any
// size. They are not part of the contract and serve only its proof. They read registers of the arbiter by name (the script
// `prove` flattens the design; the attribute hierconn joins a name here with the wire of that name there).
module arbiter_lemmas #(
  parameter  int unsigned Entries    = 8,
  parameter  int unsigned Banks      = 2,
  parameter  int unsigned Apps       = 2,
  parameter  int unsigned RowW       = 2,
  parameter  bit          HasCap     = 1'b0,
  parameter  bit          RoundRobin = 1'b0,
  localparam int unsigned BankW      = Banks > 1 ? $clog2(Banks) : 1,
  localparam int unsigned AppW       = Apps > 1 ? $clog2(Apps) : 1,
  localparam int unsigned IdW        = $clog2(Entries),
  localparam int unsigned CapW       = 8
) (
  input logic                     rst_ni,
  // The arbiter's state. Ascending positions hold requests in order of entry.
  input logic [Entries-1:0]       valid_i,
  input logic [Entries-1:0]       hit_i,
  input logic [Entries*BankW-1:0] banks_i,
  input logic [Entries*RowW-1:0]  rows_i,
  input logic [Entries*AppW-1:0]  apps_i,
  input logic [Entries*IdW-1:0]   ids_i,
  input logic [Banks-1:0]         open_i,
  input logic [Banks*RowW-1:0]    open_row_i,
  input logic [Banks*CapW-1:0]    served_i,
  input logic [Banks*AppW-1:0]    last_i,
  // The reference.
  input logic [IdW:0]             waiting_i,      // number of waiting requests
  input logic [BankW-1:0]         bank_i,
  input logic                     bank_open_i,
  input logic [RowW-1:0]          bank_row_i,
  input logic [AppW-1:0]          bank_last_i,
  input logic [CapW-1:0]          bank_served_i,
  input logic [IdW-1:0]           a_id_i,
  input logic                     a_waiting_i,
  input logic [BankW-1:0]         a_bank_i,
  input logic [RowW-1:0]          a_row_i,
  input logic [AppW-1:0]          a_app_i,
  input logic [IdW-1:0]           b_id_i,
  input logic                     b_waiting_i,
  input logic [BankW-1:0]         b_bank_i,
  input logic [RowW-1:0]          b_row_i,
  input logic [AppW-1:0]          b_app_i,
  input logic                     a_first_i,
  input logic [AppW-1:0]          turn_app_i,
  input logic                     passed_over_i,
  output logic [Entries-1:0]      a_from_o        // A is here or below
);
  logic [Entries-1:0] at_a, at_b, a_from, b_from, a_differs, b_differs, hit_differs;
  always_comb begin
    for (int unsigned i = 0; i < Entries; i++) begin
      at_a[i]        = valid_i[i] && ids_i[i*IdW+:IdW] == a_id_i;
      at_b[i]        = valid_i[i] && ids_i[i*IdW+:IdW] == b_id_i;
      a_differs[i]   = {banks_i[i*BankW+:BankW], rows_i[i*RowW+:RowW], apps_i[i*AppW+:AppW]}
          != {a_bank_i, a_row_i, a_app_i};
      b_differs[i]   = {banks_i[i*BankW+:BankW], rows_i[i*RowW+:RowW], apps_i[i*AppW+:AppW]}
          != {b_bank_i, b_row_i, b_app_i};
      hit_differs[i] = valid_i[i] && banks_i[i*BankW+:BankW] == bank_i
          && hit_i[i] != (bank_open_i && bank_row_i == rows_i[i*RowW+:RowW]);
    end
  end
  assign a_from_o = a_from;

  // Thermometer codes: A, or B, is here or below.
  always_comb begin
    a_from = at_a;
    b_from = at_b;
    for (int unsigned i = 1; i < Entries; i++) begin
      a_from[i] = at_a[i] || a_from[i-1];
      b_from[i] = at_b[i] || b_from[i-1];
    end
  end

  logic [Banks-1:0] bank_differs;
  always_comb begin
    for (int unsigned b = 0; b < Banks; b++) begin
      bank_differs[b] = bank_i == BankW'(b)
          && (open_i[b] != bank_open_i || (bank_open_i && open_row_i[b*RowW+:RowW] != bank_row_i)
              || (HasCap && served_i[b*CapW+:CapW] != bank_served_i));
    end
  end

  always_comb begin
    if (rst_ni) begin
      lemma_count: assert ($countones(valid_i) == waiting_i);
      lemma_a_once: assert ((at_a & (a_from << 1)) == '0 && a_from[Entries-1] == a_waiting_i);
      lemma_b_once: assert ((at_b & (b_from << 1)) == '0 && b_from[Entries-1] == b_waiting_i);
      lemma_a_same: assert ((at_a & a_differs) == '0);
      lemma_b_same: assert ((at_b & b_differs) == '0);
      lemma_order:  assert (!(a_waiting_i && b_waiting_i) || (a_first_i ? (at_b & ~a_from) : (at_a & ~b_from)) == '0);
      lemma_hits:   assert (hit_differs == '0);
      lemma_bank:   assert (bank_differs == '0);
    end
  end

  if (RoundRobin) begin : gen_round_robin
    logic [Banks-1:0]   last_differs;
    logic [Entries-1:0] app_exists;
    always_comb begin
      for (int unsigned i = 0; i < Entries; i++) app_exists[i] = {1'b0, apps_i[i*AppW+:AppW]} < (AppW+1)'(Apps);
      for (int unsigned b = 0; b < Banks; b++)
        last_differs[b] = bank_i == BankW'(b) && last_i[b*AppW+:AppW] != bank_last_i;
    end
    // The application that was passed over, A's, is still ahead in the round: last served is one in [turn_app, A's).
    logic [AppW:0] turn_to_last, turn_to_a;
    logic [AppW-1:0] before_turn;
    assign before_turn = turn_app_i == '0 ? AppW'(Apps - 1) : turn_app_i - 1'b1;
    application_distance #(.Apps(Apps)) u_last (
      .from_i(before_turn), .to_i(bank_last_i), .distance_o(turn_to_last)
    );
    application_distance #(.Apps(Apps)) u_a (.from_i(before_turn), .to_i(a_app_i), .distance_o(turn_to_a));
    always_comb begin
      if (rst_ni) begin
        lemma_last:  assert (last_differs == '0 && {1'b0, bank_last_i} < (AppW+1)'(Apps));
        lemma_apps:  assert ((valid_i & ~app_exists) == '0);
        lemma_round: assert (!(passed_over_i && a_waiting_i) || turn_to_last < turn_to_a);
      end
    end
  end
endmodule

// That age_arbiter.sv lets at most `Limit` requests of a bank pass the oldest one, proved for any number of cycles: the assertions
// behind the first one say what the arbiter's registers mean, and together they carry over from each cycle to the next. An input
// that is no port is a register of the arbiter, with __ for each dot.
module age_arbiter_limit #(
  parameter  int unsigned Entries = 8,
  parameter  int unsigned Banks   = 2,
  parameter  int unsigned Limit   = 4,
  localparam int unsigned BankW   = Banks > 1 ? $clog2(Banks) : 1,
  localparam int unsigned IdW     = $clog2(Entries),
  localparam int unsigned CntW    = $clog2(Limit + 1)
) (
  input logic                     clk_i, rst_ni,
  input logic                     req_valid_i, req_ready_o,
  input logic [BankW-1:0]         req_bank_i,
  input logic [IdW-1:0]           req_id_i,
  input logic [BankW-1:0]         ask_bank_i,
  input logic                     grant_valid_o,
  input logic [IdW-1:0]           grant_id_o,
  input logic                     grant_ready_i,
  input logic [Entries-1:0]       u_queue__valid_q,
  input logic [BankW*Entries-1:0] u_queue__bank_plane_q,
  input logic [IdW*Entries-1:0]   u_queue__id_plane_q,
  input logic [Banks*CntW-1:0]    passed_q
);
  // What the ports say, by name of a request: who waits, of which bank, who of the others has entered before.
  logic enter, served, passes;
  assign enter  = req_valid_i && req_ready_o;
  assign served = grant_valid_o && grant_ready_i;
  logic [Entries-1:0]         waiting_q, of_bank, left;
  logic [Entries*BankW-1:0]   bank_q;
  logic [Entries*Entries-1:0] older_q;  // bit i*Entries + j: j waits, and entered before i
  for (genvar i = 0; i < Entries; i = i + 1) begin : gen_names
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

  // By bank: served since its oldest request has become that.
  logic [Banks*CntW-1:0] count_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_q <= '0;
    else if (served) count_q[ask_bank_i*CntW+:CntW] <= passes ? count_q[ask_bank_i*CntW+:CntW] + CntW'(1) : '0;
  end

  // The same by position in the arbiter's queue.
  logic [Entries*IdW-1:0]     id;        // of the request there
  logic [Entries-1:0]         bank_kept;
  logic [Entries*Entries-1:0] in_order;  // of each two positions
  for (genvar p = 0; p < Entries; p = p + 1) begin : gen_positions
    logic [BankW-1:0] bank;
    for (genvar k = 0; k < IdW; k = k + 1) begin : gen_id
      assign id[p*IdW+k] = u_queue__id_plane_q[k*Entries+p];
    end
    for (genvar k = 0; k < BankW; k = k + 1) begin : gen_bank
      assign bank[k] = u_queue__bank_plane_q[k*Entries+p];
    end
    assign bank_kept[p] = !u_queue__valid_q[p] || bank == bank_q[id[p*IdW+:IdW]*BankW+:BankW];
    for (genvar r = 0; r < Entries; r = r + 1) begin : gen_above
      logic older, younger;
      assign older   = older_q[id[r*IdW+:IdW]*Entries+id[p*IdW+:IdW]];
      assign younger = older_q[id[p*IdW+:IdW]*Entries+id[r*IdW+:IdW]];
      assign in_order[p*Entries+r] = r < p || !u_queue__valid_q[p] || !u_queue__valid_q[r] || (older == (r != p) && !younger);
    end
  end
  logic [Entries*Entries-1:0] at;  // bit i*Entries + p: request i is at position p
  logic [Entries-1:0]         here, once;
  for (genvar i = 0; i < Entries; i = i + 1) begin : gen_places
    for (genvar p = 0; p < Entries; p = p + 1) begin : gen_at
      assign at[i*Entries+p] = u_queue__valid_q[p] && id[p*IdW+:IdW] == IdW'(i);
    end
    assign here[i] = |at[i*Entries+:Entries];
    assign once[i] = (at[i*Entries+:Entries] & (at[i*Entries+:Entries] - Entries'(1))) == '0;
  end
  logic [Banks-1:0] in_limit;
  for (genvar b = 0; b < Banks; b = b + 1) begin : gen_counts
    assign in_limit[b] = count_q[b*CntW+:CntW] <= CntW'(Limit);
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) named_once: assume (!(enter && waiting_q[req_id_i]));
    if (rst_ni) passed_at_most: assert (!(served && passes) || count_q[ask_bank_i*CntW+:CntW] < CntW'(Limit));
    if (rst_ni) count_is_the_arbiters: assert (count_q == passed_q && &in_limit);
    if (rst_ni) who_waits_is_in_one_place: assert (here == waiting_q && &once);
    if (rst_ni) of_the_bank_that_it_came_for: assert (&bank_kept);
    if (rst_ni) in_the_order_of_entry: assert (&in_order);
  end
endmodule

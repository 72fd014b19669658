// Bounds the wait of a request, counted in column commands of its bank. The arbiter does not decide the time: a
// controller may pause, and a bank may wait for the bus.
//
// With a row-hit cap of `Cap`, a request that finds k older requests of its bank (FR-RR-FCFS: and of its application)
// lets at most
//     (k + 1) * Turns * Cap - 1
// requests of its bank go first, where Turns is 1 for FR-FCFS and the number of applications for FR-RR-FCFS. The reason:
// every opened row serves at most Cap requests before another one is opened, that of the oldest request or, in turn, of
// each application. The request's own row and those of the k before it make k + 1 rounds. The row that is open when it
// enters has served at least one request (or a request older than this one opened it).
//
// Earlier: asserts a bound smaller by this number instead, to be refuted.
module waiting_bound #(
  parameter  int unsigned Entries    = 8,
  parameter  int unsigned Apps       = 2,
  parameter  bit          RoundRobin = 1'b0,
  parameter  int unsigned Cap        = 1,
  parameter  int unsigned Earlier    = 0,
  parameter  int unsigned LeftW      = 8,     // wide enough for the bound
  localparam int unsigned AppW       = Apps > 1 ? $clog2(Apps) : 1,
  localparam int unsigned IdW        = $clog2(Entries),
  localparam int unsigned Turns      = RoundRobin ? Apps : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             enter_here_i,   // a request for the watched bank enters
  input  logic [AppW-1:0]  req_app_i,
  input  logic             serve_here_i,   // the bank serves a request
  input  logic [AppW-1:0]  grant_app_i,
  input  logic             a_enters_i,
  input  logic             a_leaves_i,
  input  logic             a_here_i,       // A waits, for the watched bank
  input  logic [AppW-1:0]  a_app_i,
  output logic [AppW-1:0]  app_o,          // the application whose requests are watched
  output logic [IdW:0]     own_o,          // how many of them wait
  output logic             bounded_o,      // A is one of them
  output logic [LeftW-1:0] left_o          // how many may still go before A
);
  (* anyconst *) logic [AppW-1:0] app;
  assign app_o = app;

  logic [IdW:0] own_q, own_left;
  assign own_left = own_q - (IdW+1)'(serve_here_i && (!RoundRobin || grant_app_i == app));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) own_q <= '0;
    else own_q <= own_left + (IdW+1)'(enter_here_i && (!RoundRobin || req_app_i == app));
  end
  assign own_o     = own_q;
  assign bounded_o = a_here_i && (!RoundRobin || a_app_i == app);

  logic [LeftW-1:0] left_q;
  logic             goes_first;
  assign goes_first = serve_here_i && !a_leaves_i;
  always_ff @(posedge clk_i) begin
    if (a_enters_i) left_q <= (LeftW'(own_left) + 1'b1) * LeftW'(Turns * Cap) - LeftW'(1 + Earlier);
    else if (goes_first) left_q <= left_q - 1'b1;
  end
  assign left_o = left_q;

  always_comb begin
    if (rst_ni) waits_no_longer: assert (!(bounded_o && goes_first && left_q == '0));
  end
endmodule

// Assumes a controller that follows the grants of one bank, as models/dram/controller_core.cpp does.
//
// DramControllerCore::pick() asks for the bank's request whenever the bank's requests or its row have changed, and wants
// a column command for it if its row is open, an ACTIVATE if none is open, else a PRECHARGE. The controller issues that
// command and no other, except a PRECHARGE for a refresh (or for a closed page). The time of a command is free: any bank,
// any cycle, or never. At most one command per cycle. A controller with its own write queue has two arbiters, and each also
// sees rows that the other one opens: this module does not cover it.
//
// PrivateRows: no row holds data of two applications (pages are larger than rows). Refresh: PRECHARGE at any time.
module following_controller #(
  parameter  int unsigned Apps        = 2,
  parameter  int unsigned RowW        = 2,
  parameter  bit          PrivateRows = 1'b0,
  parameter  bit          Refresh     = 1'b1,
  localparam int unsigned AppW        = Apps > 1 ? $clog2(Apps) : 1
) (
  input  logic            enter_here_i,   // a request for the bank enters
  input  logic [RowW-1:0] req_row_i,
  input  logic [AppW-1:0] req_app_i,
  input  logic            row_here_i,     // a row command for the bank
  input  logic            row_open_i,
  input  logic [RowW-1:0] row_row_i,
  input  logic            ask_here_i,     // the arbiter answers for the bank
  input  logic            grant_valid_i,
  input  logic            grant_hit_i,
  input  logic [RowW-1:0] grant_row_i,
  input  logic            row_valid_i,    // a row command for any bank
  input  logic            serve_here_i,   // a column command for the bank
  input  logic            served_i,       // a column command for any bank
  input  logic            open_i,
  output logic [(2**RowW)*AppW-1:0] app_of_row_o  // with PrivateRows: the application that owns each row
);
  (* anyconst *) logic [(2**RowW)*AppW-1:0] app_of_row;
  assign app_of_row_o = app_of_row;

  always_comb begin
    assume (!(row_valid_i && served_i));
    assume (!(row_here_i && row_open_i) || (ask_here_i && grant_valid_i && !open_i && row_row_i == grant_row_i));
    if (!Refresh) assume (!(row_here_i && !row_open_i) || (ask_here_i && grant_valid_i && open_i && !grant_hit_i));
    assume (!serve_here_i || grant_hit_i);
    if (PrivateRows) begin
      assume (!enter_here_i || req_app_i == app_of_row[req_row_i*AppW+:AppW]);
      for (int unsigned r = 0; r < 2**RowW; r++) assume ({1'b0, app_of_row[r*AppW+:AppW]} < (AppW+1)'(Apps));
    end
  end
endmodule

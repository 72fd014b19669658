#include "tlm/window_turns.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/bipartite.hpp>

namespace gputlm {

std::vector<unsigned> turns_of(std::size_t units, const std::vector<std::pair<std::size_t, std::size_t>>& neighbours) {
  const boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> graph(neighbours.begin(), neighbours.end(),
                                                                                  units);
  std::vector<boost::default_color_type> colours(units);
  const auto numbers = boost::get(boost::vertex_index, graph);
  if (!boost::is_bipartite(graph, numbers, boost::make_iterator_property_map(colours.begin(), numbers))) return {};
  std::vector<unsigned> turns;
  for (const boost::default_color_type colour : colours) turns.push_back(colour == boost::white_color ? 0 : 1);
  return turns;
}

}  // namespace gputlm

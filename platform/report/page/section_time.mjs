// What was there and what went on over time.

import {areaChart} from './charts.mjs';
import {h} from './dom.mjs';
import {addSection} from './sections.mjs';
import {short} from './format.mjs';
import {seriesFigures} from './series.mjs';
import {piecesIn} from './gantt_layout.mjs';
import {meanOverTime} from './residency.mjs';

const kBins = 400;

// Threads on the SMs, by application.
function residency(run, number) {
  const {boxes, launches} = run;
  const ends = boxes.column('end'), launchOf = boxes.column('launch'), cycles = boxes.column('cycles');
  const names = run.result.applications.map((application) => application.name);
  const there = {start: [], end: [], weight: [], group: []};
  for (let box = 0; box < boxes.rows; ++box) {
    const launch = launches[launchOf[box]];
    for (const [start, end] of piecesIn(run.onEngine.get(launch.application), ends[box] - cycles[box], ends[box])) {
      there.start.push(start), there.end.push(end), there.weight.push(launch.threads), there.group.push(names.indexOf(launch.application));
    }
  }
  const means = meanOverTime(there, run.end, kBins);
  const lines = names.map((name, at) => ({name, colour: at, mean: means.get(at)})).filter((line) => line.mean).map(({name, colour, mean}) => ({
    name, colour, points: Array.from(mean, (value, bin) => [run.us((bin + 0.5) * run.end / kBins), value]),
  }));
  const title = `Threads on the SMs of ${run.name}, by application`;
  return areaChart({id: `residency-${number}`, title, lines, yName: 'threads'});
}

addSection({
  order: 40,
  id: 'time',
  title: 'Over time',
  build(runs) {
    return runs.flatMap((run, number) => {
      if (run.tables.series?.rows > 0) return [h('div', {class: 'grid'}, seriesFigures(run, number))];
      return run.boxes?.rows > 0 ? [residency(run, number)] : [];
    });
  },
});

// Residency and activity over time.

import {areaChart} from './charts.mjs';
import {h} from './dom.mjs';
import {addSection} from './sections.mjs';
import {short} from './format.mjs';
import {numberOf} from './names.mjs';
import {seriesFigures} from './series.mjs';
import {piecesIn} from './gantt_layout.mjs';
import {meanOverTime} from './residency.mjs';

const kBins = 400;

// Threads on the SMs by application, for a run without a series.
function residency(run) {
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
  const lines = names.map((name, at) => ({name, colour: numberOf(name), mean: means.get(at)})).filter((line) => line.mean).map(({name, colour, mean}) => ({
    name, colour, points: Array.from(mean, (value, bin) => [run.us((bin + 0.5) * run.end / kBins), value]),
  }));
  return {id: 'threads', title: 'Threads on the SMs', lines, yName: 'threads'};
}

function figuresOf(run) {
  if (run.tables.series?.rows > 0) return seriesFigures(run);
  return run.boxes?.rows > 0 ? [residency(run)] : [];
}

addSection({
  order: 40,
  id: 'time',
  title: 'Over time',
  build(runs) {
    const all = runs.map(figuresOf);
    const ids = [...new Set(all.flat().map((figure) => figure.id))];
    if (ids.length === 0) return [];
    const until = Math.max(...runs.map((run) => run.us(run.end)));
    // Charts of one kind are together, so that a reader can compare runs.
    return [h('div', {class: 'grid'}, ids.flatMap((id) => runs.map((run, number) => {
      const figure = all[number].find((one) => one.id === id);
      return figure && areaChart({...figure, until, id: `${id}-${number}`, title: `${figure.title}: ${run.name}`});
    })))];
  },
});

import {ganttFigure} from './gantt.mjs';
import {h} from './dom.mjs';
import {addSection} from './sections.mjs';
import {whole} from './format.mjs';

addSection({
  order: 30,
  id: 'placement',
  title: 'Placement',
  build(runs) {
    const shown = runs.filter((run) => run.boxes?.rows > 0 || run.kernels.rows > 0);
    if (shown.length === 0) return [];
    const until = new Map(shown.map((run) => [run, Math.max(...shown.map((other) => other.us(other.end))) * run.mhz]));
    const merged = shown.filter((run) => run.mergedBelow).map((run) =>
      h('p', {class: 'note'}, `${run.name} has more blocks than this page holds. Neighbours in a slot that are shorter than ` +
        `${whole(run.mergedBelow)} cycles are one box, which shows their number.`));
    return [
      h('p', {class: 'note'}, 'Each row is an SM, as high as the threads that the SM holds. Each box is a block, as high as its threads. ' +
        'SMs are alike if they ran the same number of blocks of each kernel; the chart shows one of them, all, or those of a list. ' +
        'A kernel of a stream is a tall box from its first block to its last, and a low grey box while it waits. ' +
        'Drag to move, and zoom with ctrl and the wheel, or use the keys: arrows, Home, N and P. The chart merges boxes that are narrower ' +
        'than a pixel with their neighbours; zoom in to see them.'),
      ...merged,
      ...shown.map((run) => ganttFigure(run, until.get(run))),
    ];
  },
});

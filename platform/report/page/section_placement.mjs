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
      h('p', {class: 'note'}, `${run.name} has more blocks than this page holds: neighbours in a slot that are shorter than ` +
        `${whole(run.mergedBelow)} cycles are one box, which says how many it stands for.`));
    return [
      h('p', {class: 'note'}, 'A row an SM, a box a block, as tall as it has threads: the height of a row is what the SM holds. Of SMs that ran as many blocks of each kernel, and so are alike, ' +
        'one is shown, or all, or those of a list. ' +
        'A kernel of a stream is a tall box from its first block to its last, and a low grey one while it waits. ' +
        'Drag to move, ctrl and the wheel to zoom, or the keys: arrows, Home, N and P. What is narrower than a pixel is drawn together with its ' +
        'neighbours; zoom in to see it.'),
      ...merged,
      ...shown.map((run) => ganttFigure(run, until.get(run))),
    ];
  },
});

// Places of the boxes of the Gantt chart, and which of them are visible.

import assert from 'node:assert/strict';
import test from 'node:test';
import {boxAt, LayoutBuilder, nextBox, piecesIn, stack, visible} from '../../platform/report/page/gantt_layout.mjs';
import {smsAtFirst, smsOf} from '../../platform/report/page/gantt_rows.mjs';

test('blocks on an SM never overlap, each stands at the lowest place that is free', () => {
  const {bottom, height} = stack([0, 0, 10, 20], [10, 30, 40, 40], [64, 32, 64, 32]);
  assert.deepEqual(Array.from(bottom), [0, 64, 0, 96]);
  assert.equal(height, 128);
});

test('a block takes a gap between others only if it has room there', () => {
  const start = [0, 0, 0, 10, 10], end = [100, 10, 100, 50, 50];
  assert.deepEqual(Array.from(stack(start, end, [32, 64, 32, 96, 64]).bottom), [0, 32, 96, 128, 32]);
});

test('of random blocks no two are in one place at a time', () => {
  let seed = 1;
  const random = (below) => ((seed = (seed * 48271) % 2147483647) % below);
  const start = [], end = [], size = [];
  for (let box = 0; box < 300; ++box) {
    start.push(random(1000)), end.push(start[box] + 1 + random(200)), size.push(32 * (1 + random(8)));
  }
  const {bottom} = stack(start, end, size);
  for (let a = 0; a < 300; ++a) {
    for (let b = 0; b < a; ++b) {
      const inTime = start[a] < end[b] && start[b] < end[a], inPlace = bottom[a] < bottom[b] + size[b] && bottom[b] < bottom[a] + size[a];
      assert.ok(!inTime || !inPlace, `${a} and ${b}`);
    }
  }
});

test('a block that was taken off its SM is drawn in the slices of its application', () => {
  const slices = [[0, 10], [20, 30], [40, 50]];
  assert.deepEqual(piecesIn(slices, 5, 45), [[5, 10], [20, 30], [40, 45]]);
  assert.deepEqual(piecesIn(slices, 21, 22), [[21, 22]]);
  assert.deepEqual(piecesIn(undefined, 5, 45), [[5, 45]]);
  assert.deepEqual(piecesIn(slices, 12, 18), [[12, 18]]);
});

// A row with boxes [start, end, colour] in one place.
function oneRow(...boxes) {
  const builder = new LayoutBuilder();
  builder.addRow('row', 10, String);
  boxes.forEach(([start, end, colour], item) => builder.addBox(0, 0, 10, start, end, colour, item));
  return builder.finish(2);
}

test('boxes wider than a pixel are drawn one by one', () => {
  const {rectangles, together} = visible(oneRow([0, 10, 1], [10, 20, 1], [30, 40, 2]), 0, 100, 1, 100);
  assert.deepEqual(rectangles.get(1), [0, 10, 0, 10, 10, 20, 0, 10]);
  assert.deepEqual(rectangles.get(2), [30, 40, 0, 10]);
  assert.equal(together, false);
});

test('neighbours of one colour that are narrower than a pixel are drawn together, others are not', () => {
  const {rectangles, together} = visible(oneRow([0, 2, 1], [2, 4, 1], [5, 7, 1], [90, 92, 1]), 0, 100, 3, 100);
  assert.deepEqual(rectangles.get(1), [0, 7, 0, 10, 90, 92, 0, 10]);
  assert.equal(together, true);
});

test('what is outside of the view is not drawn', () => {
  const {count} = visible(oneRow([0, 10, 1], [10, 20, 1], [30, 40, 2]), 10, 30, 1, 100);
  assert.equal(count, 1);
});

test('however many boxes there are, no more than the most are drawn', () => {
  const boxes = Array.from({length: 5000}, (_, box) => [3 * box, 3 * box + 2, box % 2]);
  const {count} = visible(oneRow(...boxes), 0, 15000, 1, 500);
  assert.ok(count <= 500 && count > 100, String(count));
});

test('the box under the pointer is the one that is drawn there', () => {
  const builder = new LayoutBuilder();
  builder.addRow('a', 20, String), builder.addRow('b', 20, String);
  builder.addBox(1, 0, 5, 10, 20, 1, 0), builder.addBox(1, 5, 5, 10, 20, 1, 1), builder.addBox(0, 0, 20, 0, 5, 1, 2);
  const layout = builder.finish(2);
  const itemAt = (cycle, y) => layout.boxes.item[boxAt(layout, cycle, y)];
  assert.equal(itemAt(15, 22 + 20 - 2), 0);
  assert.equal(itemAt(15, 22 + 20 - 7), 1);
  assert.equal(itemAt(2, 10), 2);
  assert.equal(boxAt(layout, 15, 22 + 20 - 12), undefined);
  assert.equal(boxAt(layout, 20, 22 + 20 - 2), undefined);
});

test('the keyboard comes to every box, row by row in the order of time, and back', () => {
  const builder = new LayoutBuilder();
  builder.addRow('a', 20, String), builder.addRow('empty', 20, String), builder.addRow('b', 20, String);
  builder.addBox(0, 5, 5, 0, 20, 1, 0), builder.addBox(0, 0, 5, 10, 20, 1, 1), builder.addBox(2, 0, 5, 0, 5, 1, 2);
  const layout = builder.finish(2);
  const walk = (step) => {
    const items = [];
    let box = nextBox(layout, undefined, 1);
    for (let i = 0; i < 4; ++i, box = nextBox(layout, box, step)) items.push(layout.boxes.item[box]);
    return items;
  };
  assert.deepEqual(walk(1), [0, 1, 2, 0]);
  assert.deepEqual(walk(-1), [0, 2, 1, 0]);
});

// A run of blocks, [SM, kernel] each.
function runOf(sms, ...blocks) {
  const columns = {sm: blocks.map(([sm]) => sm), launch: blocks.map((_, at) => at)};
  return {
    result: {configuration: {sms}}, launches: blocks.map(([, kernel]) => ({kernel})),
    boxes: {rows: blocks.length, column: (name) => columns[name], at: () => undefined},
  };
}

test('a list of SMs is taken as it is meant', () => {
  const sms = (text, count) => smsOf(text, runOf(count)).map(([sm]) => sm);
  assert.deepEqual(sms('all', 3), [0, 1, 2]);
  assert.deepEqual(sms('1-2, 5', 6), [1, 2, 5]);
  assert.deepEqual(sms('9', 6), []);
});

test('SMs are alike that ran as many blocks of each kernel, in whatever order', () => {
  const run = runOf(5, [0, 'a'], [0, 'b'], [1, 'a'], [2, 'b'], [2, 'a'], [3, 'a'], [3, 'a']);
  assert.deepEqual(smsOf('alike', run), [[0, 1], [1, 0], [3, 0], [4, 0]]);
});

test('at first a chart of many SMs of few kinds shows one of each, any other all', () => {
  assert.equal(smsAtFirst(runOf(80, [0, 'a'])), 'alike');
  assert.equal(smsAtFirst(runOf(8, [0, 'a'])), 'all');
  assert.equal(smsAtFirst(runOf(80, ...Array.from({length: 80 * 40}, (_, at) => [at % 80, at % 7 === 0 ? 'a' : `${at % 80}`]))), 'all');
});

// Layout of the boxes of a Gantt chart. Rows are one below the other. The row of an SM has its blocks, each as high as its
// threads; they do not overlap. Times are core cycles; places in a row are pixels from its bottom.

// Places for boxes that share a row, lowest free place first, in the order in which they begin. `start`, `end`, `size` are
// by box. Returns that order, the bottom of each and how high the row is.
export function stack(start, end, size) {
  const order = Uint32Array.from(start, (_, box) => box).sort((a, b) => start[a] - start[b] || a - b);
  const bottom = new Float64Array(start.length);
  let there = [];  // boxes at the time, from the bottom up
  let height = 0;
  for (const box of order) {
    there = there.filter((other) => end[other] > start[box]);
    let at = 0, place = 0;
    for (; place < there.length && bottom[there[place]] < at + size[box]; ++place) at = bottom[there[place]] + size[there[place]];
    bottom[box] = at;
    there.splice(place, 0, box);
    if (at + size[box] > height) height = at + size[box];
  }
  return {order, bottom, height};
}

// The parts of [start, end) in intervals, which are in order and do not overlap; all of it if it is in no interval.
export function piecesIn(intervals, start, end) {
  if (!intervals) return [[start, end]];
  let low = 0, high = intervals.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (intervals[middle][1] > start) high = middle;
    else low = middle + 1;
  }
  const pieces = [];
  for (; low < intervals.length && intervals[low][0] < end; ++low) {
    pieces.push([Math.max(start, intervals[low][0]), Math.min(end, intervals[low][1])]);
  }
  return pieces.length > 0 ? pieces : [[start, end]];
}

// Takes boxes row by row, those of a row in the order in which they begin; finish() makes columns of them, sorted by row,
// bottom and start.
export class LayoutBuilder {
  constructor() {
    this.rows = [];
    this.places = [];  // of each row: its boxes by their bottoms
  }

  // Adds a row of `height` pixels. `describe(item)`: text about a box for the reader; `labels(item)`: labels of a box, of which
  // the first that fits is shown.
  addRow(name, height, describe, labels) {
    this.places.push(new Map());
    return this.rows.push({name, height, describe, labels, top: 0}) - 1;
  }

  addBox(row, bottom, height, start, end, colour, item) {
    const places = this.places[row];
    if (!places.has(bottom)) places.set(bottom, []);
    places.get(bottom).push(height, start, end, colour, item);
  }

  finish(gap) {
    const kNumbers = 5;  // of a box in its place
    const first = new Uint32Array(this.rows.length + 1);  // box of each row
    this.places.forEach((places, row) => {
      first[row + 1] = first[row];
      for (const boxes of places.values()) first[row + 1] += boxes.length / kNumbers;
    });
    const columns = ['row', 'bottom', 'height', 'start', 'end', 'colour', 'item'];
    const boxes = Object.fromEntries(columns.map((name) => [name, new Float64Array(first[this.rows.length])]));
    let box = 0, top = 0;
    this.rows.forEach((row, at) => {
      for (const [bottom, numbers] of [...this.places[at]].sort(([a], [b]) => a - b)) {
        for (let i = 0; i < numbers.length; i += kNumbers, ++box) {
          boxes.row[box] = at, boxes.bottom[box] = bottom, boxes.height[box] = numbers[i], boxes.start[box] = numbers[i + 1];
          boxes.end[box] = numbers[i + 2], boxes.colour[box] = numbers[i + 3], boxes.item[box] = numbers[i + 4];
        }
      }
      row.top = top;
      top += row.height + gap;
    });
    return {rows: this.rows, boxes, first, height: top};
  }
}

// The visible rectangles between two cycles: by colour, [start, end, top, height] of each, one after the other. Neighbours of
// one colour are merged if a box and the gap before it are narrower than `least` cycles; `together` says whether any are. If
// there are more than `most` rectangles, `least` is doubled until there are not.
export function visible(layout, from, to, least, most) {
  for (;; least *= 2) {
    const seen = visibleAt(layout, from, to, least, most);
    if (seen) return seen;
  }
}

function visibleAt({rows, boxes, first}, from, to, least, most) {
  const {bottom, height, start, end, colour} = boxes;
  const rectangles = new Map();
  let count = 0, together = false;
  for (let row = 0; row < rows.length; ++row) {
    const base = rows[row].top + rows[row].height;
    let last, lastBottom = -1, lastColour = -1;  // the list with the last rectangle of this place
    for (let box = first[row]; box < first[row + 1]; ++box) {
      if (end[box] <= from || start[box] >= to) continue;
      if (bottom[box] !== lastBottom) last = undefined;
      if (last) {
        const before = last.length - 4;
        const isNarrow = end[box] - start[box] < least || last[before + 1] - last[before] < least;
        if (isNarrow && start[box] - last[before + 1] < least) {
          if (colour[box] === lastColour && height[box] === last[before + 3]) {
            last[before + 1] = Math.max(last[before + 1], end[box]);
            together = true;
            continue;
          }
          if (end[box] < last[before] + least) {  // it would not be visible
            together = true;
            continue;
          }
        }
      }
      if (!rectangles.has(colour[box])) rectangles.set(colour[box], []);
      last = rectangles.get(colour[box]);
      last.push(start[box], end[box], base - bottom[box] - height[box], height[box]);
      lastBottom = bottom[box], lastColour = colour[box];
      if (++count > most) return undefined;
    }
  }
  return {rectangles, count, together};
}

// The box at a place, `y` pixels from the top; undefined if there is none.
export function boxAt({rows, boxes, first}, cycle, y) {
  const row = rows.findIndex((r) => y >= r.top && y < r.top + r.height);
  if (row < 0) return undefined;
  const up = rows[row].top + rows[row].height - y;
  for (let box = first[row]; box < first[row + 1]; ++box) {
    if (boxes.start[box] <= cycle && cycle < boxes.end[box] && boxes.bottom[box] <= up && up < boxes.bottom[box] + boxes.height[box]) {
      return box;
    }
  }
  return undefined;
}

// The boxes of a row in the order of time.
function inTime({boxes, first}, row) {
  return Array.from({length: first[row + 1] - first[row]}, (_, i) => first[row] + i)
    .sort((a, b) => boxes.start[a] - boxes.start[b] || a - b);
}

// The box after another one in its row, or before it (`step` -1). At the end of a row it is a box of the next row that has
// any, and after the last row of the first. The first box for undefined; undefined if there are no boxes.
export function nextBox(layout, box, step) {
  const {boxes, first, rows} = layout;
  if (boxes.row.length === 0) return undefined;
  let row = -1;
  if (box !== undefined) {
    row = boxes.row[box];
    const order = inTime(layout, row), next = order[order.indexOf(box) + step];
    if (next !== undefined) return next;
  }
  do row = (row + step + rows.length) % rows.length;
  while (first[row + 1] === first[row]);
  return inTime(layout, row).at(step > 0 ? 0 : -1);
}

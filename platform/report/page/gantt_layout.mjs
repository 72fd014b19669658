// Where the boxes of a Gantt chart are: rows one below the other, and in a row of an SM its blocks, each as tall as it
// has threads and never two in one place. Times are core cycles, places in a row pixels from its bottom.

// Places for boxes that share a row, lowest free place first, in the order in which they begin. `start`, `end`, `size` are
// by box. Returns the bottom of each and how high the row is.
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
  return {bottom, height};
}

// The parts of [start, end) in intervals, which are in order and do not overlap; all of it where it is in none of them.
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

// Takes boxes row by row; finish() makes columns of them, sorted by row, bottom and start.
export class LayoutBuilder {
  constructor() {
    this.rows = [];
    this.columns = {row: [], bottom: [], height: [], start: [], end: [], colour: [], item: []};
  }

  // A row of `height` pixels; what `describe(item)` says of a box of it is for the reader.
  addRow(name, height, describe) {
    this.rows.push({name, height, describe, top: 0});
    return this.rows.length - 1;
  }

  addBox(row, bottom, height, start, end, colour, item) {
    const c = this.columns;
    c.row.push(row), c.bottom.push(bottom), c.height.push(height), c.start.push(start), c.end.push(end);
    c.colour.push(colour), c.item.push(item);
  }

  finish(gap) {
    const c = this.columns;
    const order = Uint32Array.from(c.row, (_, box) => box)
      .sort((a, b) => c.row[a] - c.row[b] || c.bottom[a] - c.bottom[b] || c.start[a] - c.start[b] || a - b);
    const boxes = {};
    for (const [name, values] of Object.entries(c)) boxes[name] = Float64Array.from(order, (box) => values[box]);
    const first = new Uint32Array(this.rows.length + 1);  // of each row
    for (const row of boxes.row) ++first[row + 1];
    let top = 0;
    this.rows.forEach((row, at) => {
      first[at + 1] += first[at];
      row.top = top;
      top += row.height + gap;
    });
    this.columns = undefined;
    return {rows: this.rows, boxes, first, height: top};
  }
}

// What is seen of the boxes between two cycles: by colour, [start, end, top, height] of each rectangle, one after the
// other. Neighbours of one colour are drawn as one where a box is narrower than `least` cycles and so is what is between;
// `together` says whether any are. Where that would be more than `most` rectangles, `least` is doubled until it is not.
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
          if (end[box] < last[before] + least) {  // nothing of it would be seen
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

// The box at a place, `y` pixels from the top; undefined where there is none.
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

// The box that follows another one in its row, or comes before it (`step` -1); at the end of a row, of the next row that
// has any, going round. The first one for undefined; undefined where there are no boxes.
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

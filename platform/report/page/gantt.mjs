// The Gantt chart of a run, as in the papers: the blocks in the slots of the SMs over time; above them streams, contexts and
// copy engines. ECharts has axis, zoom and pan; the boxes of a colour are drawn at once.

import {h} from './dom.mjs';
import {addDrawing, appearance, drawOne, fileOf, ink, keyList, widthOf} from './figures.mjs';
import {colour, decal, textOn} from './colours.mjs';
import {boxAt, nextBox, visible} from './gantt_layout.mjs';
import {kColourings, layoutOf, Legend, smsAtFirst} from './gantt_rows.mjs';
import {whole} from './format.mjs';
import {saveButton} from './saving.mjs';

const kMaxRectangles = 60000;
const kMaxLabels = 400, kMinLabelled = 16;
const kLetter = 6.5;  // pixels of the width of a letter in a box, about
const kTop = 8, kBottom = 62;

function registerBoxes() {
  echarts.graphic.registerShape('gputlm_boxes', echarts.graphic.extendShape({
    shape: {boxes: []},
    buildPath(context, {boxes}) {
      for (let i = 0; i < boxes.length; i += 4) context.rect(boxes[i], boxes[i + 1], boxes[i + 2], boxes[i + 3]);
    },
  }));
}

// One for each row; they stand to the left of the axis, outside of what is zoomed.
function rowNames(layout, left, width) {
  const {text, line} = ink();
  return layout.rows.flatMap((row) => [
    {
      type: 'text', silent: true, x: left - 8, y: kTop + row.top + row.height / 2,
      style: {text: row.name, align: 'right', verticalAlign: 'middle', fill: text, fontSize: Math.min(12, Math.max(8, row.height)),
        overflow: 'truncate', width: left - 10},
    },
    {type: 'line', silent: true, shape: {x1: left, x2: width - 16, y1: kTop + row.top + row.height + 1, y2: kTop + row.top + row.height + 1}, style: {stroke: line, lineWidth: 1}},
  ]);
}

class Gantt {
  constructor(run, until) {
    this.run = run;
    this.until = until;  // cycle at which the axis ends
    const names = new Set((run.launches ?? []).map((launch) => launch.kernel));
    this.colouring = names.size <= 14 ? 'kernel' : 'application';
    this.sms = smsAtFirst(run);
    this.range = [0, until];
    this.build();
  }

  build() {
    this.legend = new Legend();
    this.layout = layoutOf(this.run, this.colouring, this.sms, this.legend);
    this.shown = undefined;
  }

  element() {
    this.host = h('div', {
      class: 'chart gantt', tabindex: 0, role: 'application', 'aria-roledescription': 'Gantt chart',
      'aria-label': `Placement in ${this.run.name}. Left and right move, up and down zoom, Home shows all, N and P go from box to box.`,
      onkeydown: (event) => this.key(event),
    });
    this.tip = h('div', {class: 'tip', hidden: true});
    this.said = h('p', {class: 'said', role: 'status', 'aria-live': 'polite'});
    this.colours = h('div');
    this.drawing = addDrawing(this.host, () => this.draw());
    const again = () => {
      this.build();
      drawOne(this.drawing);
    };
    const colouring = h('select', {onchange: () => ((this.colouring = colouring.value), again())},
      Object.keys(kColourings).map((name) => h('option', {value: name, selected: name === this.colouring}, name)));
    const sms = h('input', {type: 'text', size: 10, value: this.sms, title: 'all, alike (one of those with the same number of blocks of each kernel), or a list such as 0-3, 8',
      onchange: () => ((this.sms = sms.value), again())});
    const zoom = (text, label, act) => h('button', {type: 'button', 'aria-label': label, onclick: act}, text);
    return h('figure', {class: 'placement'},
      h('figcaption', {}, this.run.name, saveButton(`placement ${this.run.name}`, () => this.file())),
      h('div', {class: 'tools', role: 'group', 'aria-label': `View of ${this.run.name}`},
        h('label', {}, 'Colours by ', colouring), h('label', {}, 'SMs ', sms),
        zoom('+', 'Zoom in', () => this.zoom(0.5)), zoom('−', 'Zoom out', () => this.zoom(2)),
        zoom('All', 'Show all', () => this.show(0, this.until))),
      this.colours, h('div', {class: 'frame'}, this.host, this.tip), this.said);
  }

  get height() {
    return this.layout.height + kTop + kBottom;
  }

  // The zoomed interval.
  file() {
    this.shown = undefined;
    return fileOf({title: `Placement in ${this.run.name}`, height: this.height, options: () => this.options(), key: this.keys(), host: this.host});
  }

  draw() {
    registerBoxes();
    const {height} = this;
    this.host.style.height = `${height}px`;
    this.colours.replaceChildren(keyList(this.keys()));
    this.chart = echarts.init(this.host, null, {renderer: appearance.printing ? 'svg' : 'canvas', width: widthOf(this.host), height});
    this.chart.setOption(this.options());
    this.chart.on('datazoom', () => this.zoomed());
    this.chart.getZr().on('mousemove', (event) => this.point(event.offsetX, event.offsetY));
    this.chart.getZr().on('globalout', () => (this.tip.hidden = true));
    return () => this.chart.dispose();
  }

  options() {
    const {layout} = this;
    const width = widthOf(this.host);
    const longest = Math.max(...layout.rows.map((row) => row.name.length), 6);
    const left = Math.min(14 + 7 * longest, width * 0.3);
    const {text, faint, line} = ink();
    const us = (cycle) => this.run.us(cycle);
    return {
      animation: false, backgroundColor: 'transparent', textStyle: {fontFamily: 'inherit', color: text},
      grid: {left, right: 16, top: kTop, height: layout.height},
      xAxis: {
        type: 'value', min: 0, max: us(this.until), name: 'time [us]', nameLocation: 'middle', nameGap: 22,
        nameTextStyle: {color: faint}, axisLabel: {color: text, hideOverlap: true, showMaxLabel: false}, axisLine: {show: true, onZero: false, lineStyle: {color: faint}}, splitLine: {lineStyle: {color: line}},
      },
      yAxis: {type: 'value', min: 0, max: layout.height, inverse: true, show: false},
      dataZoom: [
        {type: 'inside', filterMode: 'none', zoomOnMouseWheel: 'ctrl', moveOnMouseWheel: 'shift', startValue: us(this.range[0]), endValue: us(this.range[1])},
        {type: 'slider', filterMode: 'none', show: !appearance.printing, height: 16, bottom: 4, left, right: 16, showDataShadow: false, brushSelect: false, backgroundColor: 'transparent', borderColor: faint, fillerColor: line, moveHandleSize: 0, handleStyle: {color: faint, borderColor: faint}, textStyle: {color: text}, labelFormatter: (value) => `${whole(Math.round(value))} us`},
      ],
      series: [{
        type: 'custom', clip: true, silent: true, data: [...this.legend.entries.keys()].map((number) => [0, 0, number]),
        renderItem: (params, api) => this.boxes(params, api),
      }],
      graphic: rowNames(layout, left, width),
    };
  }

  // Names of the colours.
  keys() {
    const present = new Set(this.layout.boxes.colour);
    return [...this.legend.entries].filter(([number]) => present.has(number)).map(([number, name]) => [name, number - 1]);
  }

  // The boxes of a colour; ECharts calls this whenever it draws the chart.
  boxes(params, api) {
    const {x, y, width} = params.coordSys;
    const perCycle = api.size([this.run.us(1), 0])[0];
    const from = (x - api.coord([0, 0])[0]) / perCycle, to = from + width / perCycle;
    const wanted = `${from} ${to} ${width}`;
    if (this.shown?.wanted !== wanted) {
      this.shown = {wanted, ...visible(this.layout, from, to, 1 / perCycle, appearance.printing ? kMaxRectangles / 6 : kMaxRectangles)};
    }
    const number = api.value(2);
    const found = this.shown.rectangles.get(number);
    if (!found) return undefined;
    const rectangles = new Float64Array(found.length);
    const isSparse = this.shown.count <= 8000;
    const labels = [];
    for (let i = 0; i < found.length; i += 4) {
      const begin = Math.max(x - 2, x + (found[i] - from) * perCycle), end = Math.min(x + width + 2, x + (found[i + 1] - from) * perCycle);
      rectangles[i] = begin;
      rectangles[i + 1] = y + found[i + 2];
      rectangles[i + 2] = Math.max(1, end - begin - (end - begin > 3 ? 1 : 0));  // so that neighbours are told apart
      rectangles[i + 3] = Math.max(1.5, found[i + 3] - (found[i + 3] > 3 ? 1 : 0));
      if (isSparse && end - begin > kMinLabelled && found[i + 3] >= 10 && labels.length < kMaxLabels) labels.push([begin, end, y + found[i + 2] + found[i + 3] / 2, found[i], found[i + 2] + found[i + 3] / 2]);
    }
    const fill = colour(number - 1);
    const pattern = decal(number - 1, appearance.patterns);
    const path = {type: 'gputlm_boxes', shape: {boxes: rectangles}, style: {fill, decal: pattern}};
    return {type: 'group', children: [path, ...labels.map(([begin, end, middle, cycle, inChart]) => ({
      type: 'text', x: (Math.max(begin, x) + Math.min(end, x + width)) / 2, y: middle,
      style: {text: this.label(cycle, inChart, end - begin), fill: textOn(fill), align: 'center', verticalAlign: 'middle', fontSize: 10},
    }))]};
  }

  // The label of a box of this width.
  label(cycle, y, width) {
    const box = boxAt(this.layout, cycle, y);
    if (box === undefined) return '';
    const {boxes, rows} = this.layout;
    return rows[boxes.row[box]].labels(boxes.item[box]).find((text) => text.length * kLetter <= width) ?? '';
  }

  describe(box) {
    const {boxes, rows} = this.layout;
    return rows[boxes.row[box]].describe(boxes.item[box]);
  }

  zoomed() {
    const zoom = this.chart.getOption().dataZoom[0];
    this.range = [zoom.startValue * this.run.mhz, zoom.endValue * this.run.mhz];
    this.tip.hidden = true;
  }

  show(from, to) {
    const least = Math.min(20, this.until), length = Math.min(this.until, Math.max(least, to - from));
    const begin = Math.min(Math.max(0, from), this.until - length);
    this.range = [begin, begin + length];
    this.chart.dispatchAction({type: 'dataZoom', startValue: this.run.us(begin), endValue: this.run.us(begin + length)});
  }

  zoom(factor) {
    const [from, to] = this.range;
    const middle = (from + to) / 2, half = (to - from) / 2 * factor;
    this.show(middle - half, middle + half);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const [from, to] = this.range;
    const step = (to - from) / 8;
    const acts = {
      ArrowLeft: () => this.show(from - step, to - step),
      ArrowRight: () => this.show(from + step, to + step),
      ArrowUp: () => this.zoom(0.5),
      ArrowDown: () => this.zoom(2),
      '+': () => this.zoom(0.5),
      '-': () => this.zoom(2),
      Home: () => this.show(0, this.until),
      n: () => this.step(1),
      p: () => this.step(-1),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
    if (!['n', 'p'].includes(event.key.toLowerCase())) {
      this.said.textContent = `From ${this.run.us(this.range[0]).toFixed(2)} to ${this.run.us(this.range[1]).toFixed(2)} us`;
    }
  }

  // Moves to the next box by keyboard.
  step(direction) {
    this.chosen = nextBox(this.layout, this.chosen, direction);
    if (this.chosen === undefined) return;
    const {boxes, rows} = this.layout;
    const start = boxes.start[this.chosen], end = boxes.end[this.chosen], row = rows[boxes.row[this.chosen]];
    if (start < this.range[0] || start > this.range[1]) {
      const length = this.range[1] - this.range[0];
      this.show((start + end) / 2 - length / 2, (start + end) / 2 + length / 2);
    }
    const at = this.chart.convertToPixel({xAxisIndex: 0}, this.run.us((Math.max(start, this.range[0]) + Math.min(end, this.range[1])) / 2));
    this.tell(this.chosen, at, kTop + row.top + row.height - boxes.bottom[this.chosen] - boxes.height[this.chosen] / 2);
    this.said.textContent = `${row.name}. ${this.describe(this.chosen).join('. ')}`;
  }

  point(x, y) {
    const box = this.chart.containPixel({gridIndex: 0}, [x, y])
      ? boxAt(this.layout, this.chart.convertFromPixel({xAxisIndex: 0}, x) * this.run.mhz, y - kTop) : undefined;
    if (box === undefined) this.tip.hidden = true;
    else this.tell(box, x, y);
  }

  tell(box, x, y) {
    this.tip.replaceChildren(...this.describe(box).map((line, at) => h(at === 0 ? 'strong' : 'span', {}, line)));
    this.tip.hidden = false;
    const {offsetWidth, offsetHeight} = this.tip;
    const right = this.host.clientWidth;
    this.tip.style.left = `${Math.max(0, x + 14 + offsetWidth > right ? x - 14 - offsetWidth : x + 14)}px`;
    this.tip.style.top = `${y + 14 + offsetHeight > this.host.clientHeight ? Math.max(0, y - 14 - offsetHeight) : y + 14}px`;
  }
}

export function ganttFigure(run, until) {
  return new Gantt(run, until).element();
}

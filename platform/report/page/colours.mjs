// Colours that colour-blind readers can distinguish (Okabe and Ito, 2008), with patterns from the second round on.

const kColours = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442'];
const kGrey = '#8c8c8c';
const kPatterns = [
  undefined,
  {symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: -Math.PI / 4},
  {symbol: 'circle', symbolSize: 0.6, dashArrayX: [[4, 4], [0, 4, 4, 0]], dashArrayY: [4, 0]},
  {symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: Math.PI / 4},
  {symbol: 'rect', dashArrayX: [2, 4], dashArrayY: [2, 4]},
];

// Grey for -1.
export function colour(index) {
  return index < 0 ? kGrey : kColours[index % kColours.length];
}

// For the decal of ECharts' item styles. `always`: also if colours alone are sufficient.
export function decal(index, always) {
  if (index < 0) return undefined;
  const round = Math.floor(index / kColours.length);
  const pattern = kPatterns[(always ? index + (round ? 1 : 0) : round) % kPatterns.length];
  return pattern && {color: 'rgba(0, 0, 0, 0.35)', ...pattern};
}

// Black or white, the more legible one on a colour.
export function textOn(fill) {
  const part = (at) => parseInt(fill.slice(at, at + 2), 16);
  return 0.299 * part(1) + 0.587 * part(3) + 0.114 * part(5) > 140 ? '#000' : '#fff';
}

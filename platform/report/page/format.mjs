// Numbers as text.

const kWhole = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});

export function whole(value) {
  return value === undefined ? '' : kWhole.format(value);
}

// A number with three to four significant digits, and separators between thousands.
export function short(value) {
  if (value === undefined || Number.isNaN(value)) return '';
  const size = Math.abs(value);
  if (size === 0 || size >= 1000) return kWhole.format(value);
  const digits = size >= 100 ? 1 : size >= 10 ? 2 : size >= 0.001 ? 3 : -1;
  return digits < 0 ? value.toExponential(2) : value.toFixed(digits);
}

// A number at an axis, without needless zeros.
export function tick(value) {
  return Math.abs(value) >= 1000 ? kWhole.format(value) : String(Number(value.toPrecision(4)));
}

export function percent(share) {
  return share === undefined || Number.isNaN(share) ? '' : `${(100 * share).toFixed(1)} %`;
}

export function ratio(value) {
  return Number.isFinite(value) ? `${value.toFixed(value < 10 ? 3 : 1)} ×` : '';
}

const kByteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function bytes(count) {
  if (count === undefined) return '';
  let unit = 0;
  for (; count >= 1024 && unit + 1 < kByteUnits.length; ++unit) count /= 1024;
  return `${unit ? short(count) : whole(count)} ${kByteUnits[unit]}`;
}

// `stall_warp_cycles` is "stall warp cycles".
export function words(name) {
  return name.replaceAll('_', ' ');
}

// A list for the eye: "a, b and 3 more".
export function some(names, most) {
  if (names.length <= most + 1) return names.join(', ');
  return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}

// "[16,8,1]" is "16 × 8".
export function dimensions(text) {
  return JSON.parse(text).join(' × ').replace(/( × 1)+$/, '');
}

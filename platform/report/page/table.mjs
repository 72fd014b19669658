// Tables as platform/report/packed_table.h packs them.

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// Reads varints one after the other. Values may need more than 32 bits, so there is no shifting.
class Varints {
  constructor(base64) {
    this.bytes = bytesOf(base64);
    this.at = 0;
  }

  next() {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
  }

  get ended() {
    return this.at >= this.bytes.length;
  }
}

function integersOf(base64, rows) {
  const values = new Float64Array(rows);
  const varints = new Varints(base64);
  let value = 0;
  for (let row = 0; row < rows;) {
    const coded = varints.next();
    value += coded % 2 === 1 ? -(coded + 1) / 2 : coded / 2;
    values[row++] = value;
    if (coded === 0) {
      const repeated = varints.next();
      values.fill(value, row, row + repeated);
      row += repeated;
    }
  }
  return values;
}

// Numbers are a Float64Array in which NaN is an empty cell, texts an array.
export function unpackColumn(column, rows) {
  if (column.texts) return Array.from(integersOf(column.indices, rows), (index) => column.texts[index]);
  if (column.numbers !== undefined) {
    const view = new DataView(bytesOf(column.numbers).buffer);
    return Float64Array.from({length: rows}, (_, row) => view.getFloat64(8 * row, true));
  }
  const values = integersOf(column.integers, rows);
  if (column.decimals) {
    const unit = 10 ** column.decimals;
    for (let row = 0; row < rows; ++row) values[row] /= unit;
  }
  if (column.empty) {
    const runs = new Varints(column.empty);
    for (let row = 0, isEmpty = false; !runs.ended; isEmpty = !isEmpty) {
      const length = runs.next();
      if (isEmpty) values.fill(NaN, row, row + length);
      row += length;
    }
  }
  return values;
}

// A table that unpacks a column when it is first used; `column` is undefined if there is none.
export class Table {
  constructor(packed) {
    this.rows = packed.rows;
    this.packed = packed.columns;
    this.unpacked = new Map();
  }

  has(name) {
    return name in this.packed;
  }

  column(name) {
    if (!this.has(name)) return undefined;
    if (!this.unpacked.has(name)) this.unpacked.set(name, unpackColumn(this.packed[name], this.rows));
    return this.unpacked.get(name);
  }

  // A cell; undefined if it is empty or there is no such column.
  at(name, row) {
    const value = this.column(name)?.[row];
    return value === '' || Number.isNaN(value) ? undefined : value;
  }
}

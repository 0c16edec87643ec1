import { sides } from './sides.mjs';

/** @param {number} value */
function show(value) {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return String(value >= 10 ? Number(value.toFixed(1)) : Number(value.toPrecision(2)));
}

/** @param {import('./results.mjs').Figure} figure */
function showWithSpread({ median, low, high }) {
  const [from, to] = [show(low), show(high)];
  return from === to ? show(median) : `${show(median)} (${from}–${to})`;
}

/** Results of earlier runs have no spread of their ratios. @param {import('./results.mjs').Figure} figure */
function showRatio({ ratio = NaN, ratioLow = ratio, ratioHigh = ratio }) {
  const [from, to] = [show(ratioLow), show(ratioHigh)];
  return from === to ? `${show(ratio)} ×` : `${show(ratio)} × (${from}–${to})`;
}

/**
 * The cell of a side for one metric of one case.
 *
 * @param {import('./results.mjs').Figures[string] | undefined} figures of the case
 * @param {import('./work.mjs').Metric} metric
 * @param {string} side
 * @param {(figure: import('./results.mjs').Figure) => string} showFigure where it is not a ratio
 */
function toCell(figures, { id, absolute }, side, showFigure) {
  const mine = figures?.[side];
  const figure = mine?.[id];
  if (figure === undefined) return mine && Object.keys(mine).length === 0 ? 'gave up' : '–';
  return absolute || side === 'floor' || figure.ratio === undefined ? showFigure(figure) : showRatio(figure);
}

/** @param {readonly (readonly string[])[]} rows the first is the head */
function toTable([head = [], ...rows]) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/**
 * A table for each work: a row a case and metric, a column a side.
 *
 * @param {readonly import('./work.mjs').Work[]} works
 * @param {import('./results.mjs').Results} results
 */
export function toTables(works, { machine, versions, cases }) {
  const tables = works.flatMap(({ id, title, metrics, cases: all }) => {
    const columns = sides.filter((side) => all.some((one) => cases[one.id]?.[side.id]));
    // A work that has not been measured yet has no table.
    if (columns.length === 0) return [];
    const rows = all.flatMap((one) =>
      metrics.map((metric) => [
        `${one.label}, ${metric.unit}`,
        ...columns.map((side) => toCell(cases[one.id], metric, side.id, showWithSpread)),
      ]),
    );
    return [`**${id}. ${title}**\n\n${toTable([['', ...columns.map(({ name }) => name)], ...rows])}`];
  });
  const used = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `${tables.join('\n\n')}\n\nMeasured on ${machine}; ${used.join(', ')}.`;
}

/** The highlights by case and metric, in the words of the root's README. */
const highlights = [
  { case: 'A 10000', metric: 'busy', label: 'An answer of 10,000 chunks as fast as it comes' },
  { case: 'B 1000', metric: 'busy', label: '200 chunks a second under 1,000 messages' },
  { case: 'D 64', metric: 'busy', label: "64 KB of a tool's input, streamed" },
  { case: 'J 20000', metric: 'busy', label: 'A chunk, without the page, after 20,000 messages' },
  { case: 'F', metric: 'heap', label: 'Heap after 1,000 messages and 50,000 chunks' },
  {
    case: 'G',
    metric: 'size',
    label: 'Scripts of a chat page with its agent and its own markup, without React, KB gzip',
  },
];

/**
 * The highlights in one table.
 *
 * @param {readonly import('./work.mjs').Work[]} works
 * @param {import('./results.mjs').Results} results
 */
export function toOverview(works, { cases }) {
  const columns = sides.filter(
    ({ id }) => id !== 'ai-sdk-throttled' && highlights.some((one) => cases[one.case]?.[id] !== undefined),
  );
  const rows = highlights.map((one) => {
    const metric = works.flatMap(({ metrics, cases: all }) =>
      all.some(({ id }) => id === one.case) ? metrics.filter(({ id }) => id === one.metric) : [],
    )[0];
    if (metric === undefined) throw new Error(`There is no ${one.metric} of ${one.case}.`);
    const cells = columns.map((side) => toCell(cases[one.case], metric, side.id, ({ median }) => show(median)));
    // The ratios are to the floor's own value.
    const [floor = '', ...others] = cells;
    return [one.label, metric.absolute ? floor : `${floor} ${metric.unit}`, ...others];
  });
  return toTable([['', ...columns.map(({ name }) => name)], ...rows]);
}

/**
 * Puts a text between the marks `<!-- begin name -->` and `<!-- end name -->`.
 *
 * @param {string} document
 * @param {string} name
 * @param {string} text
 */
export function insert(document, name, text) {
  const marks = new RegExp(`(<!-- begin ${name} -->\n)[^]*?(\n<!-- end ${name} -->)`);
  if (!marks.test(document)) throw new Error(`There are no marks for ${name}.`);
  return document.replace(marks, (_all, begin, end) => `${begin}\n${text}\n${end}`);
}

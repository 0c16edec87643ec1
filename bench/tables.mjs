import { readFileSync } from 'node:fs';
import { sides } from './sides.mjs';

/** @param {readonly import('./sides.mjs').Side[]} all @returns {Record<string, string>} */
export function versionsOf(all) {
  const names = [...all.flatMap(({ packages }) => packages), 'react', '@tanstack/react-query'];
  return Object.fromEntries(
    names.map((name) => {
      const file = new URL(`node_modules/${name}/package.json`, import.meta.url);
      /** @type {{ version: string }} */
      const { version } = JSON.parse(readFileSync(file, 'utf8'));
      return [name, version];
    }),
  );
}

/** @param {number} value */
export function show(value) {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return String(value >= 10 ? Number(value.toFixed(1)) : Number(value.toPrecision(2)));
}

/** @param {import('./results.mjs').Figure} figure */
function withSpread({ median, low, high }) {
  return low === high ? show(median) : `${show(median)} (${show(low)}–${show(high)})`;
}

/**
 * A table for each work: a row a case and metric, a column a side.
 *
 * @param {readonly import('./work.mjs').Work[]} works
 * @param {import('./results.mjs').Results} results
 */
export function toTables(works, { machine, versions, cases }) {
  const tables = works.map((work) => toTable(work, cases));
  const used = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `${tables.join('\n\n')}\n\nMeasured on ${machine}; ${used.join(', ')}.`;
}

/** @param {import('./work.mjs').Work} work @param {import('./results.mjs').Figures} figures */
function toTable({ id, title, metrics, cases }, figures) {
  const columns = sides.filter((side) => cases.some((one) => figures[one.id]?.[side.id]));
  const rows = cases.flatMap((one) =>
    metrics.map((metric) => {
      const cells = columns.map((side) => {
        const mine = figures[one.id]?.[side.id];
        if (mine === undefined) return '–';
        const figure = mine[metric.id];
        if (figure === undefined) return 'gave up';
        return metric.absolute || side.id === 'floor' || figure.ratio === undefined
          ? withSpread(figure)
          : `${show(figure.ratio)} ×`;
      });
      return `| ${one.label}, ${metric.unit} | ${cells.join(' | ')} |`;
    }),
  );
  return [
    `**${id}. ${title}**`,
    '',
    `| | ${columns.map(({ name }) => name).join(' | ')} |`,
    `| --- |${columns.map(() => ' --- |').join('')}`,
    ...rows,
  ].join('\n');
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
  return document.replace(marks, (_, begin, end) => `${begin}\n${text}\n${end}`);
}

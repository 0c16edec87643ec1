// Writes the results of test/engines/results.json as the table of browsers into README.md and docs/zh/README.md.
//
//   node scripts/engine-table.mjs            writes it
//   node scripts/engine-table.mjs --check    fails where a table differs

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readResults } from './engine-results.mjs';

/** @typedef {import('./engine-results.mjs').Result} Result */

/**
 * The words of a table in one language.
 * @typedef {object} Words
 * @property {string} head
 * @property {Readonly<Record<string, string>>} names by engine
 * @property {(result: Result) => string} ran
 * @property {string} never what an engine without a result says
 * @property {(version: string) => string} safari
 */

/** @type {Words} */
const english = {
  head: '| browser | run | engine tests | left in mid-answer | conversations lost |',
  names: {
    chromium: 'Chromium (Chrome, Edge, …)',
    firefox: 'Firefox',
    webkit: 'WebKitGTK, databases in memory',
    'webkit-disk': 'WebKitGTK, databases on the disk',
  },
  ran: ({ passed, failed, leaves }) =>
    `${passed} pass${failed > 0 ? `, **${failed} fail**` : ''} | ${leaves.count} × | ${leaves.sessionsLost}${leaves.eventsLost > 0 ? `, **${leaves.eventsLost} incomplete**` : ''}`,
  never: 'not run yet',
  safari: (version) =>
    `Apple’s Safari was not run: WebKitGTK ${version} is another port of its engine. It deletes a site’s data after seven days without a visit: offer an export.`,
};

/** @type {Words} */
const chinese = {
  head: '| 浏览器 | 运行 | 引擎测试 | 回答中途离开 | 丢失对话 |',
  names: {
    chromium: 'Chromium（Chrome、Edge 等）',
    firefox: 'Firefox',
    webkit: 'WebKitGTK，数据库在内存里',
    'webkit-disk': 'WebKitGTK，数据库在磁盘上',
  },
  ran: ({ passed, failed, leaves }) =>
    `通过 ${passed}${failed > 0 ? `，**失败 ${failed}**` : ''} | ${leaves.count} 次 | ${leaves.sessionsLost}${leaves.eventsLost > 0 ? `，**不完整 ${leaves.eventsLost}**` : ''}`,
  never: '尚未运行',
  safari: (version) =>
    `没有在 Apple 的 Safari 里运行：WebKitGTK ${version} 是同一引擎的另一个移植版本。网站七天没有访问，Safari 就会删除它的数据，所以请提供导出。`,
};

const documents = [
  { url: new URL('../README.md', import.meta.url), words: english },
  { url: new URL('../docs/zh/README.md', import.meta.url), words: chinese },
];

const [begin, end] = ['<!-- begin browsers -->', '<!-- end browsers -->'];

/** @param {Words} words */
function toTable({ head, names, ran, never, safari }) {
  const results = readResults();
  const rows = Object.entries(names).map(([name, label]) => {
    const result = results[name];
    if (result === undefined) return `| ${label} | ${never} | – | – | – |`;
    return `| ${label} | ${result.leaves.version}, ${result.date} | ${ran(result)} |`;
  });
  const version = (results['webkit-disk'] ?? results.webkit)?.leaves.version ?? '';
  return [head, '| --- | --- | --- | --- | --- |', ...rows, '', safari(version)].join('\n');
}

/** Returns the documents whose table is not that of the results, each with the right text. */
function listDifferent() {
  return documents.flatMap(({ url, words }) => {
    const is = readFileSync(url, 'utf8');
    const [from, to] = [is.indexOf(begin), is.indexOf(end)];
    if (from === -1 || to === -1) throw new Error(`${fileURLToPath(url)} has no place for the table of browsers.`);
    const should = `${is.slice(0, from + begin.length)}\n\n${toTable(words)}\n\n${is.slice(to)}`;
    return is === should ? [] : [{ url, should }];
  });
}

export function writeTables() {
  for (const { url, should } of listDifferent()) writeFileSync(url, should);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes('--check')) writeTables();
  for (const { url } of listDifferent()) {
    console.error(`${fileURLToPath(url)} differs from test/engines/results.json: run node scripts/engine-table.mjs.`);
    process.exitCode = 1;
  }
}

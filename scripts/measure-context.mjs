// Measures the error of token estimates and the cost of building a request: the figures of docs/context.md. Requires a build.
//
//     npm run build && node scripts/measure-context.mjs

import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** The build does not exist when types are checked. @param {string} path */
const built = (path) => new URL(`../dist/${path}.js`, import.meta.url).href;

/** @type {typeof import('../src/core/model/index.ts')} */
const { initialState } = await import(built('core/model/index'));
/** @type {typeof import('../src/core/context/index.ts')} */
const { estimateText } = await import(built('core/context/index'));
/** @type {typeof import('../src/core/context/context.ts')} */
const { createContext } = await import(built('core/context/context'));
/** @type {typeof import('../src/core/context/visible-messages.ts')} */
const { toRequestMessages } = await import(built('core/context/visible-messages'));

/** @param {string} kind */
const samplesOf = (kind) =>
  readFileSync(new URL(`../test/support/samples/${kind}.txt`, import.meta.url), 'utf8').split('\n---\n');

/** @param {number[]} values */
function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
}

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(1)} %`;

console.log(
  '| text | samples | median error | largest underestimate | largest overestimate | after calibration: under | over |',
);
console.log('| --- | --: | --: | --: | --: | --: | --: |');
for (const kind of ['english', 'chinese', 'code', 'json']) {
  const samples = samplesOf(kind);
  const real = samples.map((text) => countTokens(text));
  const estimates = samples.map(estimateText);
  const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);
  const factor = sum(real) / sum(estimates);
  /** @param {number} by */
  const errors = (by) => estimates.map((estimate, index) => (estimate * by) / (real[index] ?? 1) - 1);
  const plain = errors(1);
  const calibrated = errors(factor);
  const figures = [median(plain.map(Math.abs)), Math.min(...plain), Math.max(...plain)];
  const after = [Math.min(...calibrated), Math.max(...calibrated)];
  console.log(`| ${[kind, samples.length, ...[...figures, ...after].map(percent)].join(' | ')} |`);
}

const client = {
  sendRequest() {
    throw new Error('No request is expected.');
  },
};
const ports = { id: () => 'id', delay: () => () => {} };
const texts = ['english', 'chinese', 'code', 'json'].flatMap(samplesOf);

console.log('\n| messages | first time, ms | next request of the run, ms | without a window, ms |');
console.log('| --: | --: | --: | --: |');
/** @type {import('../src/core/model/settings.ts').ToolSpec[]} */
const noTools = [];
for (const length of [100, 1_000, 10_000]) {
  /** @type {import('../src/core/model/message.ts').Message[]} */
  const messages = Array.from({ length }, (_, index) => ({
    id: `m${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `${index} ${texts[index % texts.length]}` }],
    timestamp: 0,
  }));
  const context = createContext({ client, ports, immutable: [], toolSpecs: () => noTools, contextWindow: 100_000_000 });
  const state = { ...initialState('s'), messages };
  /** @param {() => void} work */
  const time = (work) => {
    const start = performance.now();
    work();
    return performance.now() - start;
  };
  const request = () => {
    const next = { ...state };
    context.shouldCompact(next, {});
    context.assemble(next, {});
  };
  const first = time(request);
  const again = median(Array.from({ length: 21 }, () => time(request)));
  const plain = median(Array.from({ length: 21 }, () => time(() => toRequestMessages(messages, {}))));
  console.log(`| ${[length.toLocaleString('en'), ...[first, again, plain].map((ms) => ms.toFixed(2))].join(' | ')} |`);
}

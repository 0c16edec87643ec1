// What `npm run mutate` changes, and which tests must notice it.

import { readdirSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { root } from '../manifest.mjs';
import { listTests } from '../wants-browser.mjs';

/** Sources, and the tests that must notice a change of them, in their order. @typedef {{ readonly code: readonly string[], readonly tests: readonly RegExp[] }} Part */

/** @type {(folder: string, names: string) => string[]} */
const files = (folder, names) => names.split(' ').map((name) => `src/${folder}/${name}.ts`);

/** The files of folders, without those that only export. @type {(...folders: string[]) => string[]} */
const filesOf = (...folders) =>
  folders.flatMap((folder) =>
    readdirSync(`${root}src/${folder}`)
      .filter((name) => name.endsWith('.ts') && name !== 'index.ts')
      .map((name) => `src/${folder}/${name}`),
  );

const behaviour = /^test\/behaviour\//;
const eviction = /^test\/storage\/indexeddb\/eviction/;
// sync-model.test.ts takes a minute and finds little that the others do not.
const model = /^test\/core\/model\/(?!sync-model)/;
const log = /^test\/core\/log\//;
// test/services plays whole sessions, for an hour with the mutants of a wire: a rule of a wire has a test of its own in test/llm.

/** @type {Readonly<Record<string, Part>>} */
const parts = {
  model: {
    code: files('core/model', 'next between-runs evolve approval parts status change call-status recover find-call'),
    tests: [model],
  },
  writes: {
    code: files('core/model', 'sync-writes rebase rewrite write-id coalesce alternatives'),
    tests: [model],
  },
  sync: {
    code: files('core/model', 'sync sync-reads sync-lease sync-state'),
    tests: [/^test\/core\/model\/sync(-reads|-lease|-writes)?\.test/, log],
  },
  content: {
    code: files(
      'core/model',
      'call copy-json fingerprint hash latest-messages message-text message partial-json read-json folding fold retell salvage snapshot tool-result upcast usage',
    ),
    tests: [
      model,
      /^test\/behaviour\/(alternatives|cut-replies|damaged-session|fork|rebuild-request|truncated-replies)\.test/,
    ],
  },
  shapes: {
    code: files(
      'core/model/shapes',
      'annotation-shape fields input-shape message-shape part-shape read-input settings-shape shape verb-shape',
    ),
    tests: [
      /^test\/core\/model\/shapes\//,
      /^test\/behaviour\/(door|tool-door|verbs)\.test/,
      /^test\/storage\/(files|forged-imports|mask)\.test/,
    ],
  },
  log: {
    code: files('core/log', 'create-store-link current frame-pacer lock-place log write-error'),
    tests: [log, behaviour, eviction],
  },
  run: {
    code: files(
      'core/session',
      'run run-loop runs run-results run-settings to-request perform reply decisions proposals branching guard tabs open-stored',
    ),
    tests: [/^test\/core\/session\//, /^test\/core\/context\/(behaviours|failures|reload)\.test/, behaviour, eviction],
  },
  commit: {
    code: [...files('storage/indexeddb', 'commit'), ...filesOf('storage/rows')],
    tests: [
      /^test\/storage\/indexeddb\/(commit|gapless|lost-events|rows|to-rows|storage-errors)\.test/,
      /^test\/storage\/odd-rows\.test/,
    ],
  },
  wires: {
    code: filesOf('llm/wires/anthropic', 'llm/wires/chat-completions', 'llm/wires/responses'),
    tests: [
      /^test\/llm\/wires\/(?!ai-sdk)/,
      /^test\/llm\/(options|output\/services|transport\/(wire-ids|canary))\.test/,
      /^test\/providers\/create-provider-client\.test/,
    ],
  },
  transport: {
    code: filesOf('llm/transport'),
    tests: [
      /^test\/llm\/transport\//,
      /^test\/llm\/(options|wires\/(quirks|odd-answers|identity|hostile|end-marks|not-streamed|tool-choice))\.test/,
      /^test\/providers\//,
    ],
  },
  clients: {
    code: [
      'src/llm/client-from-chunks.ts',
      ...filesOf('llm/middleware', 'llm/output', 'llm/wires/ai-sdk', 'llm/wires/built-in', 'llm/wires/openai-sdk'),
    ],
    tests: [
      /^test\/llm\/(middleware|output|wires\/ai-sdk)\/(?!services)/,
      /^test\/llm\/output\/services\.test/,
      /^test\/llm\/(options|wires\/(built-in|pause|identity)|transport\/retry-by-default)\.test/,
      /^test\/core\/client-door\.test/,
    ],
  },
  // The rooms that refuse something: each condition of theirs keeps somebody out.
  replica: { code: filesOf('sync/replica'), tests: [/^test\/replica\/(?!devices|hostile\.|planted)/] },
  // The other tests of this room need a server, and wait for it.
  nats: { code: filesOf('sync/nats'), tests: [/^test\/nats\/(refusals|rows|feed|log-reader|tidy|late-lease)/] },
  devices: {
    code: ['src/sync/decision-guard.ts', ...filesOf('sync/devices')],
    tests: [/^test\/encryption\/(device|invitation|shared-key)/, /^test\/replica\/(signed|vet)/],
  },
  sealed: { code: filesOf('storage/sealed'), tests: [/^test\/storage\/sealed\//] },
  encryption: {
    code: filesOf('encryption', 'encryption/aes'),
    tests: [/^test\/encryption\/(?!device|invitation|shared-key)/, /^test\/storage\/sealed\/(golden|downgrade)/],
  },
  keys: { code: filesOf('keys'), tests: [/^test\/keys\//] },
  mcp: { code: filesOf('mcp', 'mcp/apps'), tests: [/^test\/mcp\/(?!oauth)/] },
  oauth: { code: filesOf('mcp/oauth'), tests: [/^test\/mcp\/oauth/] },
  agui: { code: filesOf('agui'), tests: [/^test\/agui\//] },
  webmcp: { code: filesOf('tools/webmcp'), tests: [/^test\/webmcp\//] },
  workspace: { code: filesOf('tools/workspace'), tests: [/^test\/workspace\//] },
  mask: { code: filesOf('storage/files/mask'), tests: [/^test\/storage\/mask/] },
  trust: { code: filesOf('tools/trust'), tests: [/^test\/tools\/(trust|origin)/] },
  telemetry: { code: filesOf('review/telemetry'), tests: [/^test\/telemetry\//] },
  packing: {
    code: files('storage/indexeddb', 'pack pack-rows unpack removal'),
    tests: [/^test\/storage\/indexeddb\//],
  },
};

/**
 * The order of tests: those of refusals and of the changed files first, which notice most mutants in little time, then the small files. The large ones
 * have the slow tests, for which few mutants are then left.
 *
 * @param {readonly string[]} code
 */
function inOrder(code) {
  const own = new Set(code.map((file) => basename(file, '.ts')));
  /** @param {string} test */
  const isOwn = (test) => own.has(basename(test).replace(/\.test\.tsx?$/, ''));
  // They need no network and no time.
  /** @param {string} test */
  const isOfRefusals = (test) => basename(test).includes('refusals');
  /** @param {string} one @param {string} other */
  return (one, other) =>
    Number(isOfRefusals(other)) - Number(isOfRefusals(one)) ||
    Number(isOwn(other)) - Number(isOwn(one)) ||
    statSync(root + one).size - statSync(root + other).size;
}

/**
 * The part with this name: its sources and its test files.
 *
 * @param {string} name
 */
export function chosenPart(name) {
  const part = parts[name];
  if (part === undefined) throw new Error(`The parts are ${Object.keys(parts).join(', ')}, and not ${name}.`);
  const all = listTests().filter((file) => /\.test\.tsx?$/.test(file) && !/\.browser\.test\.tsx?$/.test(file));
  const none = part.tests.find((pattern) => !all.some((file) => pattern.test(file)));
  if (none !== undefined) throw new Error(`No test file is like ${none}.`);
  const tests = part.tests.flatMap((pattern) => all.filter((file) => pattern.test(file)).toSorted(inOrder(part.code)));
  return { code: part.code, tests: [...new Set(tests)] };
}

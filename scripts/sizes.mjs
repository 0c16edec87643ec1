// The limits of the sizes, in bytes, gzip (scripts/check-sizes.mjs weighs). Each has room: a tenth of what was weighed when it was set. The table of
// decision 250 (docs/decisions/package.md) states each limit with its date and reason; the check compares the two. So a raise states what a user
// gets for it, and a comparison with the last commit is not needed: a branch has none that counts.

/** A chat: agent, client, store and hooks. By path in dist/, without its ending. @type {Readonly<Record<string, readonly string[]>>} */
export const chat = {
  index: ['createAgent', 'createChatCompletionsClient'],
  'storage/index': ['createIndexedDBStore'],
  'react/index': ['AgentProvider', 'useChat', 'useSession'],
};

/**
 * What is weighed: a `file` of dist/; all code of the `chat` in one file; or what `entries` of the package add to the chat, with all of their
 * exports. `import()` counts like `import`: the number is all that a page may ever load.
 *
 * @typedef {object} Row
 * @property {string} name
 * @property {number} limit
 * @property {string} [file]
 * @property {readonly string[]} [entries] as in `exports` of package.json, without `./`
 */

/** @type {readonly Row[]} */
export const rows = [
  { name: 'a chat', limit: 103_000 },
  { name: 'the one file for pages without a bundler', limit: 175_000, file: 'brooklet.min.js' },
  { name: 'the one file of the element', limit: 200_000, file: 'brooklet-chat.min.js' },
  {
    name: 'the element',
    limit: 105_000,
    entries: ['element', 'element/react', 'element/preact', 'element/solid', 'element/svelte', 'element/vue'],
  },
  {
    name: 'other clients, providers, bridges and lists',
    limit: 82_000,
    entries: [
      '.',
      'core',
      'llm',
      'context',
      'react',
      'react/lists',
      'storage',
      'openai',
      'anthropic',
      'ai-sdk',
      'providers',
      'bridges',
      'agents',
    ],
  },
  { name: 'the parts of a chat', limit: 115_000, entries: ['ui'] },
  { name: 'tools', limit: 38_500, entries: ['tools', 'skills', 'workspace', 'webmcp'] },
  { name: 'MCP', limit: 40_500, entries: ['mcp', 'mcp/apps'] },
  { name: 'AG-UI', limit: 19_000, entries: ['agui', 'agui/agent'] },
  { name: 'an agent in a worker', limit: 13_000, entries: ['worker'] },
  { name: 'encryption and keys', limit: 12_500, entries: ['encryption', 'keys'] },
  { name: 'synced stores and NATS', limit: 31_000, entries: ['sync', 'nats'] },
  { name: 'notifications', limit: 3_000, entries: ['notify'] },
  {
    name: 'reviews, their HTML file and the devtools',
    limit: 238_000,
    entries: ['review', 'review/html', 'telemetry', 'devtools'],
  },
];

/** Entries that no page of a user loads. */
export const unweighed = ['testing'];

/** Where the table of the limits is. */
export const limitsPage = 'docs/decisions/package.md';

/**
 * Returns the limits that the table states for a row, in bytes: one, unless a row is missing or stands there twice.
 *
 * @param {string} decisions the text of `limitsPage`
 * @param {string} name
 * @returns {readonly number[]}
 */
export function limitsInDecisions(decisions, name) {
  const rows = [...decisions.matchAll(/^\| ([^|]+) \| ([\d.]+) kB \|/gm)].filter(([, row]) => row === name);
  return rows.map(([, , limit]) => Math.round(Number(limit) * 1_000));
}

/**
 * Returns what is wrong with a list of rows: a limit above that of the table, a row that the table lacks or has twice, an entry that no row weighs.
 *
 * @param {readonly Row[]} list
 * @param {string} decisions the text of `limitsPage`
 * @param {readonly string[]} entries of the package, as in `exports`, without `./`
 * @returns {readonly string[]} sentences
 */
export function findFaults(list, decisions, entries) {
  const raised = list.flatMap(({ name, limit }) => {
    const [decided, ...more] = limitsInDecisions(decisions, name);
    if (more.length > 0) return `${limitsPage} states the limit of “${name}” twice.`;
    if (decided !== undefined && limit <= decided) return [];
    const state = decided === undefined ? 'no limit' : `${decided / 1_000} kB`;
    return `The limit of “${name}” is ${limit / 1_000} kB, and ${limitsPage} states ${state}: a higher limit needs the row \`| ${name} | ${limit / 1_000} kB |\`, which states what a user gets for it.`;
  });
  const weighed = new Set([...unweighed, ...list.flatMap(({ entries: some = [] }) => some)]);
  const missing = entries.filter((entry) => !weighed.has(entry));
  return [...raised, ...missing.map((entry) => `The entry ${entry} is in no row of scripts/sizes.mjs.`)];
}

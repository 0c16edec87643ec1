// The pages of the documentation site: which file of the repository becomes which page, and where the sidebar lists it.

/** @typedef {{ readonly title: string, readonly pages: readonly string[], readonly isCollapsed?: boolean }} Group */

/** The sidebar: groups of files, in the order of reading. @type {readonly Group[]} */
export const groups = [
  {
    title: 'Start',
    pages: [
      'docs/getting-started.md',
      'docs/concepts.md',
      'docs/react.md',
      'docs/ui.md',
      'docs/element.md',
      'docs/recipes.md',
      'docs/README.md',
    ],
  },
  {
    title: 'Build',
    pages: [
      'docs/tools.md',
      'docs/approvals.md',
      'docs/ready-tools.md',
      'docs/storage.md',
      'docs/import.md',
      'docs/context.md',
      'docs/tabs.md',
      'docs/notify.md',
      'docs/agents.md',
      'docs/worker.md',
      'docs/schedule.md',
      'docs/sync.md',
      'docs/nats.md',
      'docs/devices.md',
      'docs/mcp.md',
      'docs/skills.md',
    ],
  },
  { title: 'Models', pages: ['docs/providers.md', 'docs/clients.md', 'docs/agui.md', 'docs/services.md'] },
  {
    title: 'Ship',
    pages: [
      'docs/security.md',
      'docs/encryption.md',
      'docs/threats.md',
      'docs/testing.md',
      'docs/deploy.md',
      'docs/errors.md',
    ],
  },
  { title: 'Look back', pages: ['docs/review.md', 'docs/share.md', 'docs/debugging.md', 'docs/telemetry.md'] },
  { title: 'Compare', pages: ['docs/coming-from.md', 'docs/asked-elsewhere.md', 'bench/README.md'] },
  {
    title: 'Contribute',
    pages: [
      'CONTRIBUTING.md',
      'docs/architecture.md',
      'docs/publishing.md',
      'docs/glossary.md',
      'CHANGELOG.md',
      'SECURITY.md',
    ],
  },
  {
    title: 'Decisions',
    isCollapsed: true,
    pages: [
      'docs/decisions/README.md',
      'docs/decisions/sessions.md',
      'docs/decisions/tools.md',
      'docs/decisions/context.md',
      'docs/decisions/llm.md',
      'docs/decisions/storage.md',
      'docs/decisions/sync.md',
      'docs/decisions/trust.md',
      'docs/decisions/react.md',
      'docs/decisions/review.md',
      'docs/decisions/package.md',
    ],
  },
];

/** The sidebar of the Chinese pages. @type {readonly Group[]} */
export const chineseGroups = [{ title: '入门', pages: ['docs/zh/README.md', 'docs/zh/getting-started.md'] }];

/** Files whose page has another name than the file. @type {Readonly<Record<string, string>>} */
const renamed = {
  'README.md': 'index.md',
  'docs/README.md': 'overview.md',
  'docs/zh/README.md': 'zh/index.md',
  'docs/decisions/README.md': 'decisions/index.md',
  'bench/README.md': 'bench.md',
  'SECURITY.md': 'reporting.md',
  'SKILL.md': 'skill.md',
  api: 'api/index.md',
};

/** Every file that is a page. */
export const sources = ['README.md', 'SKILL.md', ...[...groups, ...chineseGroups].flatMap(({ pages }) => pages)];

/**
 * Returns the page of a file, as a path in the site's folder of Markdown; `undefined` for a file that is no page.
 *
 * @param {string} source a path from the root of the repository
 * @returns {string | undefined}
 */
export function pageOf(source) {
  if (source in renamed) return renamed[source];
  return sources.includes(source) ? source.replace(/^docs\//, '').toLowerCase() : undefined;
}

/**
 * The anchor of a heading, as GitHub makes it: links work in the repository and on the site.
 *
 * @param {string} heading
 */
export const toAnchor = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
    .replaceAll(' ', '-');

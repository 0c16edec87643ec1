// The kinds of consumers, and what each does with the package. Their files are in test/packed, their samples in test/readme.

import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { approvePayment } from './chat-page.mjs';
import { elements } from './elements.mjs';
import { checkExamples } from './examples.mjs';
import { checkExtension } from './extension.mjs';
import { inspect } from './inspection.mjs';
import { root } from '../manifest.mjs';
import { addFiles, createProject, run, runCommand } from './project.mjs';
import { checkNext, checkServed } from './sites.mjs';
import { compileAll } from './types.mjs';
import { approve, startTemplate } from './walk/templates.mjs';
import { walk } from './walk/walk.mjs';

/**
 * @typedef {object} Stage
 * @property {string} temporary
 * @property {string} tarball
 * @property {string} baseURL of the model
 * @property {import('playwright').Browser} browser
 * @property {string} executablePath of the browser
 *
 * @typedef {object} Consumer
 * @property {string} name
 * @property {(folder: string, stage: Stage) => Promise<void>} run rejects when the package does not work there
 */

const readmeChat = {
  ...Object.fromEntries(
    ['App.tsx', 'index.css', 'Conversation.tsx', 'chat.css', 'pay.ts'].map((file) => [
      `src/${file}`,
      `test/readme/${file}`,
    ]),
  ),
  'src/agent.ts': 'test/readme/agentWithPay.ts',
};
const readmePlain = { 'main.ts': 'test/readme/plain.ts', 'chat.css': 'test/readme/chat.css' };

/** The one file for pages without a bundler. */
const standalone = 'node_modules/brooklet/dist/brooklet.min.js';

/** The strictest policy that a page with an agent can have. @param {string} baseURL */
const strictPolicy = (baseURL) => ({
  'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${new URL(baseURL).origin}; require-trusted-types-for 'script'; trusted-types 'none'`,
});

/** The README's chat with its tool, and with the devtools; then with markup of its own. @param {string} react */
const viteReact = (react) => ({
  name: `vite-react-${react}`,
  /** @type {Consumer['run']} */
  async run(folder, stage) {
    const dependencies = {
      react,
      'react-dom': react,
      '@types/react': react,
      '@types/react-dom': react,
      '@vitejs/plugin-react': '^6.0.0',
      typescript: '^7.0.0',
      vite: '^8.0.0',
      zod: '^4.0.0',
    };
    const project = await createProject({ folder, template: 'vite-react', files: readmeChat, dependencies }, stage);
    const build = async () => {
      await project.node('node_modules/typescript/bin/tsc');
      await project.node('node_modules/vite/bin/vite.js', 'build');
    };
    await build();
    /** @param {import('playwright').Page} page */
    const more = async (page) => {
      await approvePayment(page);
      await inspect(page);
    };
    await checkServed(stage, join(folder, 'dist'), { check: { more } });
    project.edit('src/App.tsx', (text) =>
      `import { Conversation } from './Conversation';\n${text}`
        .replace('{ Chat, KeyField }', '{ KeyField }')
        .replace('<Chat\n', '<Conversation\n')
        .replace(/ *onNewChat=.*\n/, ''),
    );
    await build();
    await checkServed(stage, join(folder, 'dist'));
  },
});

/**
 * Every part of `brooklet/ui` copied by the packed create-brooklet, checked by a strict TypeScript, rendered on a server, hydrated and used.
 * `marked` is a dependency of the project itself, as the command asks for.
 *
 * @param {string} react
 */
const copiedParts = (react) => ({
  name: `parts-${react}`,
  /** @type {Consumer['run']} */
  async run(folder, stage) {
    const dependencies = {
      react,
      'react-dom': react,
      '@types/react': react,
      '@types/react-dom': react,
      '@vitejs/plugin-react': '^6.0.0',
      marked: '^18.0.0',
      typescript: '^7.0.0',
      vite: '^8.0.0',
      zod: '^4.0.0',
    };
    const files = { 'src/pay.ts': 'test/readme/pay.ts' };
    const project = await createProject({ folder, template: 'parts', files, dependencies }, stage);
    await runCommand(folder, stage, 'add', '--all');
    await project.node('node_modules/typescript/bin/tsc');
    const vite = 'node_modules/vite/bin/vite.js';
    await project.node(vite, 'build');
    await project.node(vite, 'build', '--ssr', 'src/server.tsx', '--outDir', 'server');
    const html = (await project.node('server/server.js')).trim();
    if (!html.includes('<textarea')) throw new Error(`The server rendered: ${html}`);
    project.edit('dist/index.html', (text) => text.replace('<div id="root"></div>', `<div id="root">${html}</div>`));
    await checkServed(stage, join(folder, 'dist'), { check: { more: approvePayment } });
  },
});

/** @param {string} name @param {(stage: Stage) => Readonly<Record<string, string>>} [headersOf] */
const esbuild = (name, headersOf) => ({
  name,
  /** @type {Consumer['run']} */
  async run(folder, stage) {
    const dependencies = { esbuild: '^0.28.0' };
    const project = await createProject({ folder, template: 'esbuild', files: readmePlain, dependencies }, stage);
    await project.node('build.js');
    await checkServed(stage, join(folder, 'public'), { headers: headersOf?.(stage) });
  },
});

/**
 * A project without a bundler, with the README's page in main.js. An import map finds the package by its name; elsewhere its names are
 * replaced by the path of the file.
 *
 * @param {string} folder
 * @param {string} template
 * @param {Stage} stage
 * @param {{ hasMap?: boolean }} [options]
 */
async function createUnbundled(folder, template, stage, { hasMap = false } = {}) {
  const files = { 'plain.js': 'test/readme/plain.ts', 'chat.css': 'test/readme/chat.css' };
  const project = await createProject({ folder, template, files, dependencies: {} }, stage);
  project.edit('plain.js', (text) => {
    const withoutStyle = text.replace("import './chat.css';\n", '');
    return hasMap ? withoutStyle : withoutStyle.replaceAll(/'brooklet[a-z/]*'/g, "'./brooklet.min.js'");
  });
  cpSync(join(folder, standalone), join(folder, 'brooklet.min.js'));
}

/** @param {string} name @param {string} template @param {string} query */
const unbundled = (name, template, query) => ({
  name,
  /** @type {Consumer['run']} */
  async run(folder, stage) {
    await createUnbundled(folder, template, stage, { hasMap: name === 'script-import-map' });
    await checkServed(stage, folder, { query });
  },
});

/** A project of create-brooklet, packed like the package: first as the README says, then built. @param {string} template */
const created = (template) => ({
  name: `create-${template}`,
  /** @type {Consumer['run']} */
  async run(folder, stage) {
    const project = await startTemplate(folder, template, stage);
    await run(project, 'npm', ['run', 'build']);
    await checkServed(stage, join(project, 'dist'), { check: approve });
  },
});

/** The parts of a server component, in Chinese. @param {import('playwright').Page} page */
async function seeParts(page) {
  await page.locator('strong', { hasText: 'From' }).waitFor();
  await page.getByRole('textbox', { name: '消息' }).waitFor();
}

/** The template's page, and beside it server components that run an agent and show parts. @type {Consumer} */
const createdNext = {
  name: 'create-next',
  async run(folder, stage) {
    const project = await startTemplate(folder, 'next', stage);
    addFiles(join(project, 'app/server'), 'next', stage);
    addFiles(join(project, 'app/parts'), 'next-parts', stage);
    await run(project, 'npm', ['run', 'build']);
    const more = (/** @type {import('playwright').Page} */ page) => page.getByText('rendered on the server').waitFor();
    await checkNext(stage, project, { '/': approve, '/server': { more }, '/parts': { more: seeParts } });
  },
};

/** The code that docs/coming-from.md shows of other packages. @type {Consumer} */
const peers = {
  name: 'peers',
  async run(folder, stage) {
    /** @type {{ dependencies: Record<string, string> }} */
    const { dependencies } = JSON.parse(readFileSync(join(root, 'test/peers/package.json'), 'utf8'));
    const project = await createProject({ folder, template: '../peers', files: {}, dependencies }, stage);
    await project.node('node_modules/typescript/bin/tsc');
  },
};

/** The longest first, so that neither lane ends long before the other. @type {readonly Consumer[]} */
export const consumers = [
  { name: 'types', run: compileAll },
  peers,
  { name: 'examples', run: checkExamples },
  { name: 'walk', run: walk },
  createdNext,
  viteReact('19'),
  viteReact('18'),
  copiedParts('19'),
  copiedParts('18'),
  {
    name: 'webpack',
    async run(folder, stage) {
      const dependencies = { webpack: '^5.0.0', 'ts-loader': '^9.0.0', typescript: '5.9' };
      const project = await createProject({ folder, template: 'webpack', files: readmePlain, dependencies }, stage);
      project.edit('main.ts', (text) => text.replace("import './chat.css';\n", ''));
      await project.node('build.js');
      await checkServed(stage, join(folder, 'public'));
    },
  },
  ...elements,
  created('react'),
  created('plain'),
  esbuild('esbuild'),
  esbuild('esbuild-strict-csp-trusted-types', ({ baseURL }) => strictPolicy(baseURL)),
  unbundled('script-import-map', 'script', 'import-map.html'),
  unbundled('script-url', 'script', 'url.html'),
  unbundled('worker-dedicated', 'workers', '?kind=dedicated'),
  unbundled('worker-shared', 'workers', '?kind=shared'),
  unbundled('worker-service', 'workers', '?kind=service'),
  {
    name: 'extension',
    async run(folder, stage) {
      await createUnbundled(folder, 'extension', stage);
      await checkExtension(folder, stage);
    },
  },
  {
    name: 'node',
    async run(folder, stage) {
      const project = await createProject({ folder, template: 'node', files: {}, dependencies: {} }, stage);
      const output = await project.node('main.js');
      if (!output.includes('A very small brook.')) throw new Error(`The script printed: ${output}`);
    },
  },
];

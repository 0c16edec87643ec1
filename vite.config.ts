import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defaultClientConditions, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';
import { alias } from './scripts/alias.mjs';
import { listAloneInBrowser, listAloneInNode, listAloneInPage, listWithDatabase } from './scripts/alone.mjs';
import { launchArgs } from './scripts/find-browser.mjs';
import { preactAlias } from './scripts/preact.mjs';
import { reactCompiler } from './scripts/react-compiler.mjs';
import { studioFiles } from './scripts/studio-files.mjs';
import { LongestFirst } from './scripts/longest-first.mjs';
import { viewer } from './scripts/viewer.mjs';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The service worker and the manifest of Studio. The page registers the worker itself (demo/src/pwa): Trusted Types demand a policy. */
const offline = VitePWA({
  registerType: 'prompt',
  injectRegister: false,
  manifest: {
    name: 'Brooklet Studio',
    short_name: 'Brooklet',
    description: 'An agent that lives wholly in this tab.',
    display: 'standalone',
    theme_color: '#0f766e',
    background_color: '#fbfdfc',
    icons: [
      { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: 'icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: 'icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: 'icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  },
  workbox: {
    globPatterns: ['**/*.{js,css,html,svg,png,webmanifest,woff2}'],
    // Fetched with the first diagram: as large as all else together.
    globIgnores: ['**/mermaid*'],
    inlineWorkboxRuntime: true,
    sourcemap: false,
  },
});

/** The development server adds the styles of a room as elements, which the policy of Studio's page refuses. A build links files. */
const inlineStyles: Plugin = {
  name: 'allow-inline-styles',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
};

/** Set by scripts/test.mjs, which finds a browser or installs one. */
const executablePath = process.env.CHROMIUM_SHELL_PATH ?? process.env.CHROMIUM_PATH;

/** Found up front, so that Vite does not reload the page in the middle of a test. */
const optimizeDeps = {
  include: [
    '@browser-ai/web-llm',
    '@tanstack/react-query',
    '@testing-library/dom',
    '@testing-library/react',
    '@testing-library/user-event',
    'fast-check',
    'idb',
    'lowlight',
    'oauth4webapi',
    'react',
    'react-dom',
    'react-dom/client',
    'react/jsx-dev-runtime',
    'rxjs',
  ],
};

/** How a page of the browser tests is opened. Another object each time: Vitest changes it. */
const browserOptions = () => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({
    launchOptions: { ...(executablePath && { executablePath }), args: launchArgs },
  }),
  instances: [{ browser: 'chromium' as const }],
});

/** Set by scripts/test.mjs: files that `npm run test:landing` and `npm run test:night` run. */
const excluded = process.env.TEST_EXCLUDE?.split(',') ?? [];

/** Tests that need modules, or a database, of their own. The demo needs no list of tests. */
const [alone, withDatabase, jsdomAlone, browserAlone] = process.env.VITEST
  ? [listAloneInNode(), listWithDatabase(), listAloneInPage(), listAloneInBrowser()]
  : [[], [], [], []];

/** The files of a worker share its modules: loading them anew for each file takes a third of the time, and more with a page. */
const shared = { isolate: false, setupFiles: [at('test/setup.shared.ts')] };
const aloneInPage = {
  setupFiles: [at('test/setup.patient.ts'), at('test/setup.jsdom.ts')],
};
const sharedInPage = { isolate: false, setupFiles: [...aloneInPage.setupFiles, at('test/setup.shared.ts')] };

/** What React Compiler changes. Markdown has no hooks of its own. */
const isCompiled = (file: string): boolean => /^test\/(?:react|ui|demo)\/(?!Markdown)/u.test(file);

/** Another try tells a flaky page from a broken one. The run fails either way, unless scripts/exceptions.mjs lists the test. */
const ofPages = { retry: process.env.CI ? 1 : 0 };

/** Limits for a machine that may be busy. */
const patient = { testTimeout: 60_000, expect: { poll: { timeout: 15_000 } } };

export default defineConfig({
  // Vite serves and builds the demo; Vitest works on the whole package.
  root: process.env.VITEST ? at('.') : at('demo'),
  plugins: [react(), viewer(), inlineStyles, ...(process.env.VITEST ? [] : [offline])],
  // rxjs without the helpers of ES5.
  resolve: { alias, conditions: ['es2015', ...defaultClientConditions] },
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1' },
  build: {
    outDir: at('dist-demo'),
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: { output: studioFiles },
  },
  test: {
    // Room for a page, a server and a browser beside the workers, on a machine with two cores.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // `npm test` in CI and `npm run coverage` measure the Node tests alone.
    coverage: {
      provider: 'v8',
      include: ['src/core/{model,log,session}/**/*.ts', 'src/storage/**/*.ts'],
      reporter: ['text-summary'],
      reportsDirectory: at('.cache/coverage'),
      thresholds: {
        'src/core/model/**': { branches: 100 },
        'src/core/{log,session}/**': { branches: 95 },
        'src/storage/**': { branches: 95 },
      },
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.browser.test.ts', 'test/{e2e,engines}/**', ...alone, ...withDatabase, ...excluded],
          ...shared,
          ...patient,
        },
      },
      {
        extends: true,
        test: {
          name: 'node-database',
          environment: 'node',
          include: withDatabase,
          exclude: excluded,
          ...shared,
          setupFiles: [at('test/setup.database.ts'), ...shared.setupFiles],
          ...patient,
        },
      },
      {
        extends: true,
        test: {
          name: 'node-alone',
          environment: 'node',
          include: alone,
          exclude: excluded,
          ...patient,
        },
      },
      {
        extends: true,
        test: {
          name: 'jsdom',
          environment: 'jsdom',
          include: ['test/**/*.test.tsx'],
          exclude: ['test/**/*.browser.test.tsx', 'test/e2e/**', ...jsdomAlone, ...excluded],
          ...sharedInPage,
          ...patient,
        },
      },
      {
        extends: true,
        test: {
          name: 'jsdom-alone',
          environment: 'jsdom',
          include: jsdomAlone,
          exclude: excluded,
          ...aloneInPage,
          ...patient,
        },
      },
      {
        extends: true,
        // The hooks and Studio as React Compiler makes them: the same tests once more.
        plugins: [reactCompiler()],
        test: {
          name: 'compiled',
          environment: 'jsdom',
          include: ['test/react/**/*.test.tsx', 'test/ui/**/*.test.tsx', 'test/demo/**/*.test.tsx'],
          exclude: ['test/**/*.browser.test.tsx', 'test/demo/Markdown.test.tsx', ...jsdomAlone],
          ...sharedInPage,
          ...patient,
        },
      },
      {
        extends: true,
        plugins: [reactCompiler()],
        test: {
          name: 'compiled-alone',
          environment: 'jsdom',
          include: jsdomAlone.filter(isCompiled),
          ...aloneInPage,
          ...patient,
        },
      },
      {
        extends: true,
        // The parts of a chat with the runtime of the element: the same tests once more.
        resolve: {
          alias: [
            { find: /^@testing-library\/react$/, replacement: at('test/support/preact/testing.ts') },
            { find: /^react-dom\/server$/, replacement: at('test/support/preact/server.ts') },
            ...preactAlias,
          ],
        },
        test: {
          name: 'preact',
          environment: 'jsdom',
          include: ['test/ui/**/*.test.tsx'],
          exclude: ['test/**/*.browser.test.tsx', ...jsdomAlone],
          // What imports React itself has to be given Preact, too.
          server: { deps: { inline: [/preact/, /@tanstack/] } },
          ...sharedInPage,
          ...patient,
        },
      },
      {
        extends: true,
        optimizeDeps,
        test: {
          name: 'browser',
          isolate: false,
          setupFiles: [at('test/setup.patient.ts'), at('test/setup.page.ts')],
          include: ['test/**/*.browser.test.{ts,tsx}'],
          exclude: ['test/e2e/**', ...browserAlone],
          ...patient,
          ...ofPages,
          browser: browserOptions(),
        },
      },
      {
        extends: true,
        optimizeDeps,
        test: {
          name: 'browser-alone',
          include: browserAlone,
          setupFiles: [at('test/setup.patient.ts')],
          ...patient,
          ...ofPages,
          browser: browserOptions(),
        },
      },
      {
        extends: true,
        plugins: [reactCompiler()],
        optimizeDeps: { include: [...optimizeDeps.include, 'react/compiler-runtime'] },
        test: {
          name: 'compiled-browser',
          include: ['test/demo/{Conversation,oneRow}.browser.test.tsx'],
          setupFiles: [at('test/setup.patient.ts')],
          ...patient,
          ...ofPages,
          browser: browserOptions(),
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          exclude: excluded,
          // What starts pages (Vite, Playwright, a model's server) takes a second and a half of processor time to load.
          isolate: false,
          // A page waits for its server, its clock and its disk for most of the time.
          maxWorkers: 3,
          globalSetup: [at('test/e2e/support/builds.setup.ts')],
          // After the others: a page that shares two cores with them is slow.
          sequence: { groupOrder: 1 },
          // Of a page among four on a machine that may be busy.
          testTimeout: 90_000,
          hookTimeout: 90_000,
          expect: { poll: { timeout: 15_000 } },
          ...ofPages,
        },
      },
      {
        extends: true,
        test: {
          name: 'engines',
          environment: 'node',
          include: ['test/engines/**/*.test.ts'],
          exclude: excluded,
          isolate: false,
          globalSetup: [at('test/e2e/support/builds.setup.ts')],
          // After the pages of `e2e`: a browser with all of its processes beside them makes both slow.
          sequence: { groupOrder: 2 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ['test/**/*.test-d.ts'],
            tsconfig: at('test/tsconfig.types.json'),
            // `npm run check:types` is what looks at the sources.
            ignoreSourceErrors: true,
          },
        },
      },
    ],
  },
});

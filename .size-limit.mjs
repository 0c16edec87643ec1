// The own code of each entry, as minified ES modules. Ignored imports are counted with another entry, or the page has them already.
// The gate on what a page loads is scripts/pages.mjs.

/** Without `format`, esbuild drops the exports of an entry and measures nothing. */
const asModule = (config) => ({ ...config, format: 'esm', define: { 'process.env.NODE_ENV': '"production"' } });

const react = ['react', 'react-dom', '@tanstack/react-query'];
/** Files of dist/shared: code of the core, and all that entries share. */
const core = ['*/core.js', '*/upcast.js'];
const shared = '../shared/*';
/** What tools are made of, which a page with tools has. */
const tools = ['*/define-tool.js', '*/schema.js', '*/read-json.js'];

export default [
  {
    name: 'dist/brooklet.min.js, for pages without a bundler, with rxjs and idb (gzip)',
    path: 'dist/brooklet.min.js',
    limit: '120 kB',
    gzip: true,
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet, own code of an agent with tools and the chat client, with all that is loaded when needed (brotli)',
    path: 'dist/index.js',
    import: '{ createAgent, defineTool, createChatCompletionsClient }',
    ignore: ['rxjs'],
    limit: '42.2 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/storage, own code of createIndexedDBStore, with all that is loaded when needed (brotli)',
    path: 'dist/storage/index.js',
    import: '{ createIndexedDBStore }',
    ignore: ['rxjs', 'idb', ...core],
    limit: '11.4 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/providers, own code of a client of one provider (brotli)',
    path: 'dist/providers/index.js',
    import: '{ createProviderClient, deepseek }',
    ignore: ['rxjs', shared],
    limit: '1 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/tools, own code (brotli)',
    path: 'dist/tools/index.js',
    ignore: ['rxjs', 'idb', shared],
    limit: '14 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/react, own code (brotli)',
    path: 'dist/react/index.js',
    ignore: ['rxjs', ...react, ...core, '*/partial-json.js', '../review/*'],
    limit: '3.7 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/review, own code of createReview (brotli)',
    path: 'dist/review/index.js',
    import: '{ createReview }',
    ignore: ['rxjs', ...core],
    limit: '9 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/review, own code with notes, comparisons and followed sessions (brotli)',
    path: 'dist/review/index.js',
    ignore: ['rxjs', ...core],
    limit: '9.3 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/review/html, own code without the viewer (brotli)',
    path: 'dist/review/html/index.js',
    ignore: ['rxjs', ...core, '../../shared/*', './viewer.js'],
    limit: '1 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/review/html, a file without its log (gzip)',
    path: 'dist/review/html/viewer.js',
    gzip: true,
    limit: '90 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/devtools, own code without the drawer (gzip)',
    path: 'dist/devtools/index.js',
    ignore: ['rxjs', './drawer/main.js'],
    gzip: true,
    limit: '1 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/devtools, the drawer (gzip)',
    path: 'dist/devtools/drawer/main.js',
    ignore: ['rxjs', ...core],
    gzip: true,
    limit: '30 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/telemetry, own code of toOTLP (gzip)',
    path: 'dist/telemetry/index.js',
    import: '{ toOTLP }',
    ignore: ['rxjs', ...core, '../review/*', '../shared/*'],
    gzip: true,
    limit: '3 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/telemetry, own code of usageReport (gzip)',
    path: 'dist/telemetry/index.js',
    import: '{ usageReport }',
    ignore: ['rxjs', ...core, '../review/*', '../shared/*'],
    gzip: true,
    limit: '2 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/encryption, own code with all that a store with a codec loads beside the others (brotli)',
    path: 'dist/encryption/index.js',
    ignore: ['rxjs', 'idb', '*/core.js', '*/database-store.js'],
    limit: '10 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/mcp, own code that connects, lists and offers tools (gzip)',
    path: 'dist/mcp/index.js',
    ignore: ['rxjs', ...core, ...tools, '*/run-call.js', '*/explain.js', '*/offers.js', '*/listen.js'],
    gzip: true,
    limit: '8 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/mcp, own code with all that is loaded when needed (gzip)',
    path: 'dist/mcp/index.js',
    ignore: ['rxjs', ...core, ...tools],
    gzip: true,
    limit: '13 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/skills, own code without the zip reader (gzip)',
    path: 'dist/skills/index.js',
    ignore: ['rxjs', '../shared/*', './sources/zip.js'],
    gzip: true,
    limit: '6 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/skills, the zip reader, loaded with the first zip (gzip)',
    path: 'dist/skills/sources/zip.js',
    ignore: ['../../shared/*'],
    gzip: true,
    limit: '5 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/workspace, own code (gzip)',
    path: 'dist/workspace/index.js',
    ignore: ['rxjs', '../shared/*'],
    gzip: true,
    limit: '4.5 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/webmcp, own code (gzip)',
    path: 'dist/webmcp/index.js',
    ignore: ['rxjs', '../shared/*'],
    gzip: true,
    limit: '2 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/keys, own code (brotli)',
    path: 'dist/keys/index.js',
    ignore: ['rxjs', 'idb', ...core],
    limit: '4 kB',
    modifyEsbuildConfig: asModule,
  },
];

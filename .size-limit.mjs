// What a user pays. Sizes are of minified ES modules; what is ignored, the user has anyway or it is counted elsewhere.

/** Without `format`, esbuild drops what an entry exports and measures nothing. */
const asModule = (config) => ({ ...config, format: 'esm', define: { 'process.env.NODE_ENV': '"production"' } });

const react = ['react', 'react-dom', '@tanstack/react-query'];
/** As the other folders import it. */
const core = ['../core/*', '../llm/*', '../storage/*'];

export default [
  {
    name: 'brooklet, own code of an agent with tools and the chat client, with all that is loaded when needed (brotli)',
    path: 'dist/index.js',
    import: '{ createAgent, defineTool, createChatCompletionsClient }',
    ignore: ['rxjs'],
    limit: '33.9 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/storage, own code of createIndexedDBStore, with all that is loaded when needed (brotli)',
    path: 'dist/storage/index.js',
    import: '{ createIndexedDBStore }',
    ignore: ['rxjs', 'idb', ...core],
    limit: '8.2 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/providers, own code of a client of one provider (brotli)',
    path: 'dist/providers/index.js',
    import: '{ createProviderClient, deepseek }',
    ignore: ['rxjs', ...core],
    limit: '1 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/tools, own code (brotli)',
    path: 'dist/tools/index.js',
    ignore: ['rxjs', 'idb', ...core],
    limit: '14 kB',
    modifyEsbuildConfig: asModule,
  },
  {
    name: 'brooklet/react, own code (brotli)',
    path: 'dist/react/index.js',
    ignore: ['rxjs', ...react, ...core],
    limit: '3 kB',
    modifyEsbuildConfig: asModule,
  },
];

// `npm run examples`, at the root: the examples on the sources, without an installation.
import { defineConfig } from 'vite';
import { alias } from '../scripts/alias.mjs';
import { remoteAgent } from './vite.config.js';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [remoteAgent],
  resolve: { alias },
  // The dependencies of assistant-ui are not installed here.
  optimizeDeps: { entries: ['*/index.html', '!assistant-ui/**'] },
  server: { host: '127.0.0.1' },
});

import { defineConfig } from 'vite';

const pages = [
  '',
  'plain/',
  'embed/',
  'byok/',
  'model-picker/',
  'agents/',
  'two-agents/',
  'review/',
  'approvals/',
  'outliving/',
  'local/',
  'agui/',
  'assistant-ui/',
];

/** The server of the remote agent: agui/remote.ts at /agent. */
export const remoteAgent = {
  name: 'remote-agent',
  configureServer(server) {
    server.middlewares.use('/agent', (request, response, next) => {
      server
        .ssrLoadModule('/agui/remote.ts')
        .then(({ handle }) => handle(request, response))
        .catch(next);
    });
  },
};

export default defineConfig({
  plugins: [remoteAgent],
  // What a worker needs on demand is a file of its own.
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    rolldownOptions: { input: pages.map((page) => `${import.meta.dirname}/${page}index.html`) },
  },
});

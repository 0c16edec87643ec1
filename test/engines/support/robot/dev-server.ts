import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer, type Plugin } from 'vite';
import { createModel } from './model.ts';
import type { Project } from './samples.ts';
import { names, preparation, type Site, writeProject } from './site.ts';

/** A project that Vite serves from its sources, as `npm run dev` does. */
export interface DevSite extends Site {
  /** Returns the files that a person writes and the page has loaded, as paths in the project. */
  listFiles(): readonly string[];
  /** The folder of the project. */
  readonly folder: string;
}

/** Counts the updates that a page has applied. A page that is loaded anew begins at 0. */
const countUpdates = `<script type="module">
import { createHotContext } from '/@vite/client';
globalThis.updates = 0;
createHotContext('/robot').on('vite:afterUpdate', () => void globalThis.updates++);
</script>`;

export async function serveSources(project: Project): Promise<DevSite> {
  const folder = writeProject({ ...project, name: `${project.name}-dev` });
  const model = createModel();
  const robot: Plugin = {
    name: 'robot',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost');
        if (pathname.startsWith('/model/')) model.handle(request, response, pathname);
        else next();
      });
    },
    transformIndexHtml: (html) => html.replace('<head>', `<head>${preparation}${countUpdates}`),
  };
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'development';
  const server = await createServer({
    configFile: false,
    root: folder,
    cacheDir: `${folder}-cache`,
    logLevel: 'error',
    plugins: [react(), robot],
    resolve: { alias: names },
    // All that a sample needs, so that none of it is found late and the page reloaded for it.
    optimizeDeps: {
      include: ['react', 'react-dom/client', 'react/jsx-dev-runtime', 'rxjs', 'idb', 'marked', 'oauth4webapi', 'zod'],
      noDiscovery: true,
    },
    server: { host: '127.0.0.1', port: 0 },
  }).finally(() => {
    process.env.NODE_ENV = NODE_ENV;
  });
  await server.listen();
  const listFiles = (): readonly string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|css)$/u.test(entry.name) && entry.name !== 'vite.config.ts')
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .filter((file) => server.moduleGraph.getModulesByFile(join(folder, file)) !== undefined);
  return {
    url: server.resolvedUrls?.local[0] ?? '',
    model,
    folder,
    listFiles,
    stop: () => void server.close(),
  };
}

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { alias } from '../../../../scripts/alias.mjs';
import { buildElement } from '../../../../scripts/element.mjs';
import { root } from '../../../../scripts/manifest.mjs';
import { createModel, type Model } from './model.ts';
import type { Project } from './samples.ts';

/** A served sample. Each has an origin, and so databases, of its own. */
export interface Site {
  /** Ends with a slash. */
  readonly url: string;
  readonly model: Model;
  stop(): void;
}

/** In the repository: a project finds React there. */
const folder = join(root, '.cache/robot', String(process.pid));

/** Removes the built projects of this process. */
export const removeProjects = (): void => rmSync(folder, { recursive: true, force: true });

/** Writes the files of a project into a folder of its own. Returns the folder. */
export function writeProject({ name, sources, written = {}, edits = {} }: Project): string {
  const project = join(folder, name);
  rmSync(project, { recursive: true, force: true });
  for (const [place, source] of sources) {
    mkdirSync(dirname(join(project, place)), { recursive: true });
    cpSync(join(root, source), join(project, place), { recursive: true });
  }
  for (const [place, text] of Object.entries(written)) writeFileSync(join(project, place), text);
  for (const [place, edit] of Object.entries(edits)) {
    const file = join(project, place);
    const text = readFileSync(file, 'utf8');
    const changed = edit(text);
    if (changed === text) throw new Error(`${name}: ${place} is not as the table of samples expects it.`);
    writeFileSync(file, changed);
  }
  return project;
}

/** What the names of the package mean in a sample of the robot. */
export const names = [
  { find: /^brooklet\/testing$/u, replacement: fileURLToPath(new URL('scripted.ts', import.meta.url)) },
  ...alias,
];

const builds = new Map<string, Promise<string>>();

/** Builds the pages of a project once. Resolves with the folder. */
function buildProject(project: Project): Promise<string> {
  const built = builds.get(project.name) ?? buildNow(project);
  builds.set(project.name, built);
  return built;
}

async function buildNow(project: Project): Promise<string> {
  const source = writeProject(project);
  if (project.hasElement) {
    await buildElement({ outDir: source, isStandalone: true });
    return source;
  }
  const outDir = join(folder, `${project.name}-built`);
  const { NODE_ENV } = process.env;
  const mode = project.isDevelopment ? 'development' : 'production';
  // Vite gives this variable priority over the mode.
  process.env.NODE_ENV = mode;
  try {
    await build({
      configFile: false,
      root: source,
      logLevel: 'warn',
      mode,
      plugins: [react()],
      resolve: { alias: names },
      worker: { format: 'es' },
      build: {
        outDir,
        emptyOutDir: true,
        target: 'es2022',
        chunkSizeWarningLimit: 5_000,
        rolldownOptions: { input: project.pages.map((page) => join(source, page)) },
      },
    });
  } finally {
    process.env.NODE_ENV = NODE_ENV;
  }
  return outDir;
}

/**
 * Runs in each page before its scripts: what the samples ask of a service goes to the model of the robot, a key is typed when the page asks for one, and what goes
 * wrong is noted, in each engine alike.
 */
function prepare(): void {
  const { fetch, console: its } = globalThis;
  const services = ['https://api.openai.com', 'http://localhost:11434', `${location.origin}/agent`];
  globalThis.fetch = (input, init) => {
    const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
    const service = services.find((one) => url.startsWith(one));
    if (service === undefined) return fetch(input, init);
    const path = url.slice(service.startsWith(location.origin) ? location.origin.length : service.length);
    return fetch(`${location.origin}/model${path}`, init);
  };
  const add = (name: string, text: string): void => {
    const before = JSON.parse(sessionStorage.getItem(name) ?? '[]') as string[];
    sessionStorage.setItem(name, JSON.stringify([...before, text]));
  };
  globalThis.prompt = (question) => {
    add('robot.prompts', question ?? '');
    return 'sk-test';
  };
  const { error } = its;
  its.error = (...values) => {
    add('robot.problems', `console: ${values.map(String).join(' ')}`);
    error(...values);
  };
  // The element has an event of this name, too.
  addEventListener('error', (event) => {
    if (event instanceof ErrorEvent) add('robot.problems', `error: ${event.message}`);
  });
  addEventListener('unhandledrejection', ({ reason }) => add('robot.problems', `rejection: ${String(reason)}`));
  addEventListener('securitypolicyviolation', (event) => add('robot.problems', `policy: ${event.violatedDirective}`));
}

/** The script of `prepare`, for the head of a page. */
export const preparation = `<script>(${String(prepare)})()</script>`;

const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript'],
  ['.css', 'text/css'],
]);

function answerWithFile(built: string, path: string, response: ServerResponse): void {
  if (path === '/elsewhere.html') return void response.setHeader('content-type', 'text/html').end('<p>Elsewhere</p>');
  const file = join(built, path.endsWith('/') ? `${path}index.html` : path);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return void response.writeHead(path.endsWith('.ico') ? 204 : 404).end();
  }
  response.setHeader('content-type', types.get(extname(file)) ?? 'application/octet-stream');
  response.end(
    file.endsWith('.html')
      ? text.replace(/<head>|(?<=<!doctype html>)(?!\s*<html)/u, (tag) => `${tag}${preparation}`)
      : text,
  );
}

const noStop = (): void => {};

/** Listens on a free port, where requests below `/model` are for the model and the others for the listener. */
async function serveWithModel(
  listener: (request: IncomingMessage, response: ServerResponse, path: string) => void,
  stop = noStop,
): Promise<Site> {
  const model = createModel();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (path.startsWith('/model/')) model.handle(request, response, path);
    else listener(request, response, path);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    model,
    stop() {
      stop();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Serves the built pages of a project with a model of their own. */
export async function serveProject(project: Project): Promise<Site> {
  const built = await buildProject(project);
  return serveWithModel((_, response, path) => answerWithFile(built, path, response));
}

// What a consumer's page talks to: the model and the server of its files, both on this machine.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { LLMock } from '@copilotkit/aimock';

const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript'],
  ['.css', 'text/css'],
]);

/** The question and the answer of every consumer's chat. */
export const question = 'What is a brooklet?';
export const answer = 'A very small brook.';

/** Starts a server that speaks OpenAI's wires. It calls the tool `pay` for a message with the word "bill". */
export async function startModel() {
  const mock = new LLMock({ host: '127.0.0.1', port: 0, strict: true, logLevel: 'silent' });
  const toolCalls = [{ name: 'pay', arguments: '{"invoice":"A-17","amount":40}' }];
  mock
    .onMessage(question, { content: answer }, { chunkSize: 4 })
    .onMessage(answer, { content: 'Well said.' })
    .onMessage('Well said.', { content: answer })
    .on({ userMessage: 'bill', hasToolResult: false }, { toolCalls })
    .on({ userMessage: 'bill', hasToolResult: true }, { content: 'The bill is paid.' });
  const url = await mock.start();
  return { baseURL: `${url}/v1`, stop: () => mock.stop() };
}

/**
 * Serves a folder on a free port of this machine.
 *
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} [headers] of every response
 */
export async function serve(folder, headers = {}) {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    if (path === '/favicon.ico') return void response.writeHead(204).end();
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    readFile(file).then(
      (content) =>
        response
          .writeHead(200, { 'content-type': types.get(extname(file)) ?? 'application/octet-stream', ...headers })
          .end(content),
      () => response.writeHead(404).end(),
    );
  });
  await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A port of this machine on which nothing listens. */
export async function findPort() {
  const { url, stop } = await serve('.');
  stop();
  return new URL(url).port;
}

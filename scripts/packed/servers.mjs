// What a consumer's page talks to, on this machine.

import { LLMock } from '@copilotkit/aimock';
import { serve } from '../serve-folder.mjs';

/** The question and the answer of every consumer's chat. */
export const question = 'What is a brooklet?';
export const answer = 'A very small brook.';

/** Starts a server that speaks OpenAI's wires. It calls the tool `pay` for a message with the word "bill", and answers "A slow answer" slowly. */
export async function startModel() {
  const mock = new LLMock({ host: '127.0.0.1', port: 0, strict: true, logLevel: 'silent' });
  const toolCalls = [{ name: 'pay', arguments: '{"invoice":"A-17","amount":40}' }];
  mock
    .onMessage(question, { content: answer }, { chunkSize: 4 })
    .onMessage('A slow answer', { content: 'one two '.repeat(400) }, { chunkSize: 8, latency: 20 })
    .onMessage(answer, { content: 'Well said.' })
    .onMessage('Well said.', { content: answer })
    .on({ userMessage: 'bill', hasToolResult: false }, { toolCalls })
    .on({ userMessage: 'bill', hasToolResult: true }, { content: 'The bill is paid.' });
  const url = await mock.start();
  return { baseURL: `${url}/v1`, stop: () => mock.stop() };
}

/** A port of this machine on which nothing listens. */
export async function findPort() {
  const { url, stop } = await serve('.');
  stop();
  return new URL(url).port;
}

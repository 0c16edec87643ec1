import { AgentError } from 'brooklet';
import { expect, it } from 'vitest';
import { explain } from '../../src/llm/providers/explain.ts';
import { ollama } from '../../src/llm/providers/ollama.ts';

it('leaves the error of a part of the page that cannot be loaded as it is', () => {
  const error = new AgentError('A part of this page could not be loaded.', { code: 'MODULE_UNAVAILABLE' });
  expect(explain(error, ollama, ollama.baseURL)).toBe(error);
});

it('leaves a network error of a custom fetch as it is', () => {
  const error = new AgentError('The proxy is down.', { code: 'NETWORK_ERROR' });
  expect(explain(error, ollama, ollama.baseURL)).toBe(error);
});

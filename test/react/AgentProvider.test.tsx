import { renderHook } from '@testing-library/react';
import { AgentError } from 'brooklet';
import { AgentProvider, useAgent } from 'brooklet/react';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, test, vi } from 'vitest';
import { agentWith, around } from './stage.tsx';

const client = createScriptedClient([reply.text('Hello.')]);

test('provides the agent to the components below', () => {
  const agent = agentWith(client);
  const { result } = renderHook(() => useAgent(), { wrapper: around(agent) });
  expect(result.current).toBe(agent);
});

test('is overridden by an inner provider', () => {
  const [outer, inner] = [agentWith(client), agentWith(client)];
  const { result } = renderHook(() => useAgent(), {
    wrapper: ({ children }) => (
      <AgentProvider agent={outer}>
        <AgentProvider agent={inner}>{children}</AgentProvider>
      </AgentProvider>
    ),
  });
  expect(result.current).toBe(inner);
});

test('hooks outside of a provider throw an error that names the missing provider', () => {
  const silenced = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(() => renderHook(() => useAgent())).toThrow(/AgentProvider/);
  expect(() => renderHook(() => useAgent())).toThrow(AgentError);
  silenced.mockRestore();
});

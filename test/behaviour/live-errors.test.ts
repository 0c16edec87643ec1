import { createAgent, type LLMClient } from 'brooklet';
import { fromErrorInfo, initialState } from 'brooklet/core';
import { createMemoryStore } from 'brooklet/storage';
import { lastValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../src/core/log/log.ts';
import { createStoreLink } from '../../src/core/log/create-store-link.ts';
import { createMeta } from '../../src/core/log/meta.ts';
import { createRun } from '../../src/core/session/run.ts';
import type { SessionEnv } from '../../src/core/session/session-env.ts';
import { noContext } from '../support/no-context.ts';
import { createManualPorts } from '../support/ports.ts';
import { sessionOf } from '../support/stage.ts';

const bug = new TypeError("Cannot read properties of undefined (reading 'text')");
const client: LLMClient = {
  sendRequest() {
    throw bug;
  },
};

describe('the error of a custom client', () => {
  test('reaches the result of the run with its cause and its stack, and the log without them', async () => {
    const store = createMemoryStore();
    const agent = createAgent({ client, store });
    const session = sessionOf(agent, agent.createSession());
    const { outcome, error } = await session.send('go');
    expect(outcome).toBe('failed');
    expect(error).toMatchObject({ code: 'LLM_API_ERROR', message: bug.message });
    expect(error?.cause).toBe(bug);

    const { run } = session.getState();
    expect(run?.error && fromErrorInfo(run.error)).toBe(error);
    await session.flushed();
    const stored = await store.read(session.id);
    expect(JSON.stringify(stored)).not.toMatch(/cause|stack/);
  });

  test('reaches the subscriber of chat() with its cause', async () => {
    const agent = createAgent({ client });
    const thrown: unknown = await lastValueFrom(agent.chat(agent.createSession(), 'go')).catch(
      (error: unknown) => error,
    );
    expect(thrown).toMatchObject({ code: 'LLM_API_ERROR', cause: bug });
  });
});

describe('an error that ends a run', () => {
  test('is passed to the listener of the run once, with its cause', () => {
    const ports = createManualPorts();
    const log = createLog(initialState('s'), ports, () => {});
    log.append({ type: 'message.added', message: { id: 'm', role: 'user', content: [], timestamp: 0 } });
    log.append({ type: 'run.started', runId: 'r' });
    const heard: unknown[] = [];
    const env: SessionEnv = {
      log,
      link: createStoreLink({ log, store: undefined, ports }),
      store: undefined,
      ports,
      client,
      tools: new Map(),
      policy: { maxSteps: 1 },
      context: { isNeeded: () => false, report: () => expect.unreachable(), forRun: () => noContext },
      toRequest: () => {
        throw bug;
      },
      meta: createMeta(),
      agentName: '',
      present: undefined,
      formatRejection: undefined,
      onError: (error, source) => heard.push([error.cause, source]),
      onGone: () => expect.unreachable(),
      onClose: () => expect.unreachable(),
    };
    const run = createRun('r', env, { settings: undefined, handles: {}, isHeld: () => false }, () => {});
    run.advance();
    run.fail(new Error('late'));
    expect(heard).toEqual([[bug, { sessionId: 's', runId: 'r' }]]);
  });
});

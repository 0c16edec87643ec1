import { cleanup, render } from '@testing-library/react';
import { createAgent, extractTextContent } from 'brooklet';
import { AgentProvider, useChat } from 'brooklet/react';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { StrictMode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { createGate } from '../support/gate.ts';
import { countSubscriptions } from './stage.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
afterEach(cleanup);

const times = 1_000;

/** Counts the timers and frames that this page waits for. */
function countTimers(): { readonly left: () => readonly string[]; readonly stop: () => void } {
  const { setTimeout: setTimer, clearTimeout: clearTimer } = globalThis;
  const { setInterval: startInterval, clearInterval: stopInterval } = globalThis;
  /** The timers that run, and where they were set. */
  const waiting = new Map<unknown, string>();
  const place = (ms = 0): string => `${ms} ms ${new Error('set').stack?.split('\n').slice(3, 6).join(' ')}`;
  const set = (act: () => void, ms?: number): unknown => {
    const id: unknown = setTimer(() => {
      waiting.delete(id);
      act();
    }, ms);
    waiting.set(id, place(ms));
    return id;
  };
  const clear = (id?: number): void => {
    waiting.delete(id);
    clearTimer(id);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  Object.assign(globalThis, {
    setInterval: (act: () => void, ms?: number): unknown => {
      const id: unknown = startInterval(act, ms);
      waiting.set(id, place(ms));
      return id;
    },
    clearInterval: (id?: number): void => {
      waiting.delete(id);
      stopInterval(id);
    },
  });
  return {
    left: () => [...waiting.values()],
    stop: () =>
      Object.assign(globalThis, {
        setTimeout: setTimer,
        clearTimeout: clearTimer,
        setInterval: startInterval,
        clearInterval: stopInterval,
      }),
  };
}

async function countLocks(): Promise<number> {
  const { held = [], pending = [] } = await navigator.locks.query();
  return held.length + pending.length;
}

function Chat({ sessionId }: { readonly sessionId: string }) {
  const { messages, status } = useChat({ sessionId });
  return (
    <p>
      {status} {messages.map(extractTextContent)}
    </p>
  );
}

test('a chat that is mounted 1,000 times while its answer streams leaves nothing behind and loses nothing', async () => {
  const store = createIndexedDBStore({ name: `mounting-${crypto.randomUUID()}` });
  const mounted = createGate();
  const words = Array.from({ length: 200 }, (_, index) => [reply.wait(5), reply.text(`${index} `)]).flat();
  const client = createScriptedClient([[...words, reply.until(mounted.opened), reply.text('The end.')]]);
  const agent = createAgent({ client, store });
  const counted = countSubscriptions(agent);
  const sessionId = agent.createSession();
  const session = agent.getSession(sessionId) ?? expect.unreachable();
  await session.flushed();
  const [subscriptions, locks] = [counted.count(), await countLocks()];
  const timers = countTimers();
  try {
    const sent = session.send('Go on');
    for (let time = 0; time < times; time += 1) {
      const { unmount } = render(
        <StrictMode>
          <AgentProvider agent={counted.agent}>
            <Chat sessionId={sessionId} />
          </AgentProvider>
        </StrictMode>,
      );
      // Now and then the page draws a frame, and text arrives.
      if (time % 25 === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
      unmount();
    }
    mounted.open();
    await sent;
    await session.flushed();
    expect(extractTextContent(session.getMessages().at(-1) ?? expect.unreachable())).toBe(
      `${Array.from({ length: 200 }, (_, index) => `${index} `).join('')}The end.`,
    );
    expect(client.requests).toHaveLength(1);
    expect(counted.count()).toBe(subscriptions);
    await expect.poll(countLocks).toBe(locks);
    // Work for idle time is among them, and a busy machine has little.
    await expect.poll(() => timers.left().join('; '), { timeout: 45_000 }).toBe('');
  } finally {
    timers.stop();
    await agent.dispose();
    store.close();
  }
});

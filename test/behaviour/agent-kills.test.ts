import { agentTool } from 'brooklet/agents';
import { type Agent, type AgentSession, defineTool, type LLMChunk, type LLMClient, type Tool } from 'brooklet';
import { from, Observable } from 'rxjs';
import { expect, test } from 'vitest';
import { settled } from '../support/manual-client.ts';
import { createBrowser, type Tab } from '../support/tabs.ts';

/** A model that first requests these calls, and answers when it has their results. It counts its requests. */
function scripted(calls: readonly string[], count: () => void): LLMClient {
  return {
    sendRequest: ({ messages }) =>
      new Observable((subscriber) => {
        count();
        const isFirst = messages.at(-1)?.role === 'user';
        const chunks: LLMChunk[] = isFirst
          ? calls.map((name, index) => ({ type: 'call-end', index, name, inputText: '{"task":"Go."}' }))
          : [{ type: 'text', text: 'Done.' }];
        subscriber.add(
          from([...chunks, { type: 'finish', reason: isFirst ? 'tool-calls' : 'stop' } as const]).subscribe(subscriber),
        );
      }),
  };
}

/** Three levels: a root with two agents, each with two agents, each of which pays once, after a person has agreed. */
function tree() {
  const browser = createBrowser();
  const paid = new Map<string, number>();
  let requests = 0;
  const count = (): void => void requests++;
  const open = (): Tab => {
    const pay: Tool = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: { type: 'object' },
      needsApproval: true,
      execute: (_input, { callId }) => void paid.set(callId, (paid.get(callId) ?? 0) + 1),
    });
    const leaf = agentTool({
      name: 'leaf',
      description: 'Leaf.',
      options: { client: scripted(['pay'], count), tools: [pay] },
    });
    const middle = agentTool({
      name: 'middle',
      description: 'Middle.',
      options: { client: scripted(['leaf', 'leaf'], count), tools: [leaf] },
    });
    return browser.open({ client: scripted(['middle', 'middle'], count), tools: [middle] });
  };
  return { browser, paid, open, requests: () => requests };
}

/** The same numbers for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Decides all calls that wait, at the root and in a random order, and resumes the root where it was cut. */
async function finish(
  { agent }: { readonly agent: Agent },
  root: AgentSession,
  next: (below: number) => number,
): Promise<void> {
  for (let turn = 0; turn < 60; turn++) {
    await settled();
    const waiting = agent.getPending();
    const one = waiting[next(waiting.length)];
    if (one?.callId !== undefined) await root.approve(one.callId).catch(() => {});
    else if (root.getStatus() === 'interrupted') void root.resume();
    else if (root.getStatus() === 'idle') return;
  }
}

async function numberOfEvents(): Promise<number> {
  const { open } = tree();
  const tab = open();
  let events = 0;
  tab.agent.events$.subscribe(() => events++);
  const root = await tab.agent.openSession(tab.agent.createSession());
  void root.send('Go.');
  await finish(tab, root, () => 0);
  expect(root.getStatus()).toBe('idle');
  return events;
}

test('a tree of three levels that is killed at any event goes on at the root, and pays each call at most once', async () => {
  const all = await numberOfEvents();
  expect(all).toBeGreaterThan(100);
  const unfinished: string[] = [];
  for (let at = 2; at < all; at++) {
    const { open, paid, browser } = tree();
    const first = open();
    const next = random(at);
    let events = 0;
    first.agent.events$.subscribe(() => {
      if (++events === at) first.kill();
    });
    const id = first.agent.createSession();
    const begun = await first.agent.openSession(id);
    await begun.flushed();
    void begun.send('Go.');
    await Promise.race([finish(first, begun, next), settled().then(settled)]);
    for (let turn = 0; turn < 5; turn++) await settled();
    first.kill();
    await settled();
    const second = open();
    const root = await second.agent.openSession(id);
    await settled();
    if (root.getMessages().length === 0) continue;
    await finish(second, root, next);
    const most = Math.max(0, ...paid.values());
    const { sessions } = await browser.store.list({ children: true });
    const left = sessions.filter(({ status }) => status === 'running' || status === 'waiting');
    if (root.getStatus() !== 'idle' || most > 1 || left.length > 0)
      unfinished.push(
        `${at}: ${root.getStatus()}, paid ${most} times, left ${left.map((one) => one.id + one.status).join()}`,
      );
  }
  expect(unfinished).toEqual([]);
});

test('calls are decided at the root in two tabs, in a random order, each once', async () => {
  for (let seed = 0; seed < 20; seed++) {
    const { open, paid } = tree();
    const next = random(seed);
    const [one, other] = [open(), open()];
    const id = one.agent.createSession();
    await settled();
    const roots = [await one.agent.openSession(id), await other.agent.openSession(id)];
    void roots[0]?.send('Go.');
    for (let turn = 0; turn < 40 && roots[0]?.getStatus() !== 'idle'; turn++) {
      await settled();
      const at = next(2);
      const waiting = (at === 0 ? one : other).agent.getPending();
      const call = waiting[next(waiting.length)];
      if (call?.callId !== undefined) await roots[at]?.approve(call.callId).catch(() => {});
    }
    expect([seed, roots[0]?.getStatus(), [...paid.values()]]).toEqual([seed, 'idle', [1, 1, 1, 1]]);
  }
});

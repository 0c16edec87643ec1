import { AgentError, type AgentSession, defineTool, extractTextContent, toolParts } from 'brooklet';
import { describe, expect, test } from 'vitest';
import { call, say } from '../support/manual-client.ts';
import { until } from '../support/until.ts';
import { createWorkerWorld, type WorldPage } from '../support/worker-world.ts';

const texts = (session: AgentSession): string[] => session.getMessages().map((message) => extractTextContent(message));
const callsOf = (session: AgentSession) => session.getMessages().flatMap(toolParts);

async function openNew({ agent }: WorldPage): Promise<AgentSession> {
  return agent.openSession(agent.createSession());
}

describe('a run in a worker', () => {
  test('is followed by its page, which sends no request', async () => {
    const world = createWorkerWorld();
    const page = world.openPage();
    const session = await openNew(page);
    const sent = session.send('Hello');
    await until(() => expect(world.client.asked).toHaveLength(1));
    world.client.last().chunks.next({ type: 'text', text: 'Hi' });
    await until(() => expect(texts(session)).toEqual(['Hello', 'Hi']));
    expect(session.getStatus()).toBe('running');
    say(world.client.last(), ' there');
    const { outcome, message } = await sent;
    expect(outcome).toBe('completed');
    expect(message).toBe(session.getMessages().at(-1));
    expect(texts(session)).toEqual(['Hello', 'Hi there']);
    expect(page.client.asked).toHaveLength(0);
    expect(page.agent.getHost()).toEqual({ state: 'worker', outlives: 'nothing', waits: [] });
  });

  test('outlives its page, and the next page has the whole answer', async () => {
    const world = createWorkerWorld();
    const first = world.openPage();
    const { id, send } = await openNew(first);
    void send('Count').catch(() => {});
    await until(() => expect(world.client.asked).toHaveLength(1));
    world.client.last().chunks.next({ type: 'text', text: 'one ' });
    first.kill();
    world.client.last().chunks.next({ type: 'text', text: 'two ' });
    const second = world.openPage();
    const session = await second.agent.openSession(id);
    expect(session.getStatus()).toBe('running');
    say(world.client.last(), 'three');
    await until(() => expect(session.getStatus()).toBe('idle'));
    expect(texts(session)).toEqual(['Count', 'one two three']);
    expect(world.client.asked).toHaveLength(1);
    expect(world.client.last().aborted).toBe(false);
  });

  test('sends a planned prompt once, with several pages, and after its page is gone', async () => {
    let now = Date.now();
    const world = createWorkerWorld({ ports: { now: () => now } });
    const [first, second] = [world.openPage(), world.openPage()];
    const { id } = await openNew(first);
    await first.agent.schedule(id, 'Later', now + 3_600_000);
    await until(() => expect(second.agent.getSchedules()).toMatchObject([{ text: 'Later', sessionId: id }]));
    first.kill();
    now += 3_600_001;
    // A page that is opened, or a minute, lets the worker look.
    const third = world.openPage();
    const session = await third.agent.openSession(id);
    world.killWorker();
    await until(() => expect(world.client.asked).toHaveLength(1));
    say(world.client.last(), 'Now');
    await until(() => expect(texts(session)).toEqual(['Later', 'Now']));
    expect([second.client.asked.length, third.client.asked.length]).toEqual([0, 0]);
    await until(() => expect(third.agent.getSchedules()).toEqual([]));
  });

  test('is stopped from any page, and another message can be sent at once', async () => {
    const world = createWorkerWorld();
    const [first, second] = [world.openPage(), world.openPage()];
    const session = await openNew(first);
    const sent = session.send('Count');
    await until(() => expect(world.client.asked).toHaveLength(1));
    const other = await second.agent.openSession(session.id);
    await until(() => expect(other.getStatus()).toBe('running'));
    other.cancel();
    const next = other.send('And now?');
    expect(await sent).toMatchObject({ outcome: 'cancelled' });
    await until(() => expect(world.client.asked).toHaveLength(2));
    expect(world.client.asked[0]?.aborted).toBe(true);
    say(world.client.last(), 'Now this.');
    expect(await next).toMatchObject({ outcome: 'completed' });
  });

  test('is aborted by the signal of its page', async () => {
    const world = createWorkerWorld();
    const session = await openNew(world.openPage());
    const controller = new AbortController();
    const sent = session.send('Count', { signal: controller.signal });
    await until(() => expect(world.client.asked).toHaveLength(1));
    controller.abort();
    expect(await sent).toMatchObject({ outcome: 'cancelled' });
    expect(world.client.last().aborted).toBe(true);
  });

  test('refuses a second message at once while the answer is under way, and queues where the page says so', async () => {
    const world = createWorkerWorld();
    const session = await openNew(world.openPage());
    const first = session.send('One');
    await until(() => expect(session.getStatus()).toBe('running'));
    expect(() => session.send('Two')).toThrow(AgentError);
    const second = session.send('Two', { whenBusy: 'queue' });
    await until(() => expect(session.getState().queue).toHaveLength(1));
    say(world.client.last(), 'First.');
    await first;
    await until(() => expect(world.client.asked).toHaveLength(2));
    say(world.client.last(), 'Second.');
    expect(await second).toMatchObject({ outcome: 'completed' });
    expect(texts(session)).toEqual(['One', 'First.', 'Two', 'Second.']);
  });

  test('regenerates, edits and compacts in the worker', async () => {
    const world = createWorkerWorld();
    const page = world.openPage();
    const session = await openNew(page);
    const answer = async (result: Promise<unknown>, count: number, text: string) => {
      await until(() => expect(world.client.asked).toHaveLength(count));
      say(world.client.last(), text);
      return result;
    };
    await answer(session.send('One'), 1, 'First.');
    expect(await answer(session.regenerate(), 2, 'Better.')).toMatchObject({ outcome: 'completed' });
    expect(texts(session)).toEqual(['One', 'Better.']);
    const [prompt] = session.getMessages();
    await answer(session.edit(prompt?.id ?? '', 'Two'), 3, 'Edited.');
    expect(texts(session)).toEqual(['Two', 'Edited.']);
    await answer(session.compact(), 4, 'They spoke.');
    expect(session.getState().run?.isCompaction).toBe(true);
    expect(page.client.asked).toHaveLength(0);
  });

  test('streams to `chat`', async () => {
    const world = createWorkerWorld();
    const { agent } = world.openPage();
    const id = agent.createSession();
    const outputs: string[] = [];
    let outcome: string | undefined;
    agent.chat(id, 'Hello').subscribe((output) => {
      outputs.push(extractTextContent(output.content));
      outcome = output.outcome;
    });
    await until(() => expect(world.client.asked).toHaveLength(1));
    say(world.client.last(), 'Hi ', 'there');
    await until(() => expect(outcome).toBe('completed'));
    expect(outputs.join('')).toBe('Hi there');
  });

  test('ends when a page removes the session', async () => {
    const world = createWorkerWorld();
    const page = world.openPage();
    const session = await openNew(page);
    void session.send('Count').catch(() => {});
    await until(() => expect(session.getStatus()).toBe('running'));
    page.agent.removeSession(session.id);
    await page.agent.removed(session.id);
    await until(() => expect(world.client.last().aborted).toBe(true));
    expect(await world.store.read(session.id)).toBeUndefined();
  });

  test('is in `pending$` of every page while it waits, and of no page after the decision', async () => {
    const tool = defineTool({
      name: 'pay',
      description: '',
      input: { type: 'object' },
      needsApproval: true,
      execute: () => 1,
    });
    const world = createWorkerWorld({ tools: [tool] });
    const [first, second] = [world.openPage(), world.openPage()];
    const session = await openNew(first);
    const counts: number[] = [];
    second.agent.pending$.subscribe((calls) => counts.push(calls.length));
    void session.send('Pay');
    await until(() => expect(world.client.asked).toHaveLength(1));
    call(world.client.last(), ['pay', '{}']);
    await until(() => expect(counts.at(-1)).toBe(1));
    await session.reject(callsOf(session)[0]?.callId ?? '');
    await until(() => expect(counts.at(-1)).toBe(0));
    await until(() => expect(world.client.asked).toHaveLength(2));
    say(world.client.last(), 'As you wish.');
  });

  test('takes no client of a page, and says so', async () => {
    const world = createWorkerWorld();
    const page = world.openPage();
    const session = await openNew(page);
    await until(() => expect(page.agent.getHost().state).toBe('worker'));
    expect(() => session.send('Hello', { client: page.client })).toThrow(/takes no `client`/);
    expect(() =>
      page.agent.createSession({
        tools: [defineTool({ name: 'x', description: '', input: { type: 'object' }, execute: () => '' })],
      }),
    ).toThrow(/connectAgent/);
    expect(() => page.agent.setClient(page.client)).toThrow(/`create` makes/);
    expect(page.agent.getClient()).toBeDefined();
  });
});

describe('an approval that a run in a worker asks', () => {
  const pay = (act: () => string) =>
    defineTool({ name: 'pay', description: '', input: { type: 'object' }, needsApproval: true, execute: act });

  test('waits while no page is open, and is decided in the next one', async () => {
    let acts = 0;
    const world = createWorkerWorld({ tools: [pay(() => `paid ${++acts}`)] });
    const first = world.openPage();
    const { id, send } = await openNew(first);
    void send('Pay').catch(() => {});
    await until(() => expect(world.client.asked).toHaveLength(1));
    first.kill();
    call(world.client.last(), ['pay', '{}']);
    const second = world.openPage();
    const session = await second.agent.openSession(id);
    await until(() => expect(session.getStatus()).toBe('waiting'));
    expect(acts).toBe(0);
    const [waiting] = callsOf(session);
    await session.approve(waiting?.callId ?? '');
    expect(callsOf(session)[0]?.approval?.verdict).toBe('approved');
    await until(() => expect(world.client.asked).toHaveLength(2));
    say(world.client.last(), 'Done.');
    await until(() => expect(session.getStatus()).toBe('idle'));
    expect(acts).toBe(1);
    expect(second.client.asked).toHaveLength(0);
  });

  test('is decided once, in two pages at the same time', async () => {
    let acts = 0;
    const world = createWorkerWorld({ tools: [pay(() => `paid ${++acts}`)] });
    const [first, second] = [world.openPage(), world.openPage()];
    const one = await openNew(first);
    void one.send('Pay');
    await until(() => expect(world.client.asked).toHaveLength(1));
    call(world.client.last(), ['pay', '{}']);
    const other = await second.agent.openSession(one.id);
    await until(() => expect([one.getStatus(), other.getStatus()]).toEqual(['waiting', 'waiting']));
    const [waiting] = callsOf(one);
    const results = await Promise.allSettled([one.approve(waiting?.callId ?? ''), other.reject(waiting?.callId ?? '')]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await until(() => expect(world.client.asked).toHaveLength(2));
    say(world.client.last(), 'Done.');
    expect(acts).toBeLessThanOrEqual(1);
  });

  test('outlives the worker', async () => {
    let acts = 0;
    const world = createWorkerWorld({ tools: [pay(() => `paid ${++acts}`)] });
    const page = world.openPage();
    const session = await openNew(page);
    void session.send('Pay');
    await until(() => expect(world.client.asked).toHaveLength(1));
    call(world.client.last(), ['pay', '{}']);
    await until(() => expect(session.getStatus()).toBe('waiting'));
    world.killWorker();
    const [waiting] = callsOf(session);
    await session.approve(waiting?.callId ?? '');
    await until(() => expect(world.client.asked).toHaveLength(2));
    say(world.client.last(), 'Done.');
    await until(() => expect(session.getStatus()).toBe('idle'));
    expect(acts).toBe(1);
    expect(world.workers()).toBe(2);
  });
});

describe('a worker that ends in the midst of a run', () => {
  test('leaves an interrupted run, which two pages resume once', async () => {
    const world = createWorkerWorld();
    const [first, second] = [world.openPage(), world.openPage()];
    const one = await openNew(first);
    const sent = one.send('Count');
    await until(() => expect(world.client.asked).toHaveLength(1));
    world.client.last().chunks.next({ type: 'text', text: 'one ' });
    const other = await second.agent.openSession(one.id);
    await until(() => expect(texts(other)).toEqual(['Count', 'one ']));
    world.killWorker();
    expect(await sent).toMatchObject({ outcome: 'interrupted' });
    await until(() =>
      expect([one, other].map(({ getState }) => getState().run?.outcome)).toEqual(['interrupted', 'interrupted']),
    );
    const results = [one.resume(), other.resume()];
    const settled = Promise.allSettled(results);
    await until(() => expect(world.client.asked).toHaveLength(2));
    say(world.client.last(), 'two');
    const outcomes = (await settled).map((result) =>
      result.status === 'fulfilled' ? result.value.outcome : 'refused',
    );
    expect(outcomes.toSorted()).toEqual(['completed', 'refused']);
    expect(world.client.asked).toHaveLength(2);
    expect(texts(one)).toEqual(['Count', 'one ', 'two']);
  });

  test('is followed by another one that continues, once, with `autoResume`', async () => {
    const world = createWorkerWorld({ agent: { autoResume: true } });
    const [first, second] = [world.openPage(), world.openPage()];
    const one = await openNew(first);
    void one.send('Count');
    await until(() => expect(world.client.asked).toHaveLength(1));
    world.client.last().chunks.next({ type: 'text', text: 'one ' });
    const other = await second.agent.openSession(one.id);
    await until(() => expect(texts(other)).toEqual(['Count', 'one ']));
    world.killWorker();
    await until(() => expect(world.client.asked).toHaveLength(2));
    say(world.client.last(), 'two');
    await until(() => expect(one.getState().run?.outcome).toBe('completed'));
    expect(world.client.asked).toHaveLength(2);
  });

  test('sends a message once that it may have missed', async () => {
    const world = createWorkerWorld();
    const page = world.openPage();
    const session = await openNew(page);
    await until(() => expect(page.agent.getHost().state).toBe('worker'));
    await session.flushed();
    const sent = session.send('Hello');
    world.killWorker();
    await until(() => expect(world.client.asked.length).toBeGreaterThan(0));
    say(world.client.last(), 'Hi');
    expect(await sent).toMatchObject({ outcome: 'completed' });
    expect(texts(session)).toEqual(['Hello', 'Hi']);
  });
});

import { createAgent, extractTextContent, type RunResult, type SendOptions } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { call, createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { ask, callIdOf, recorded, stage, statusesOf, textsOf } from '../support/stage.ts';

const queue: SendOptions = { whenBusy: 'queue' };
const steer: SendOptions = { whenBusy: 'steer' };
const look = () => recorded('look').tool;

/** A session whose run has started, and whose answer is streaming. */
async function running(options: Parameters<typeof stage>[0] = {}) {
  const s = stage({ tools: [look()], ...options });
  const sent = s.session.send('first');
  await settled();
  return { ...s, sent, queued: () => s.session.getState().queue.map(({ message }) => extractTextContent(message)) };
}

const outcomes = async (...sent: readonly Promise<RunResult>[]): Promise<readonly string[]> =>
  (await Promise.all(sent)).map(({ outcome }) => outcome);

describe('a queued message', () => {
  test('is answered by a run of its own when the current run is completed, once, and in order', async () => {
    const { session, client, sent, queued, types } = await running();
    const [second, third] = [session.send('second', queue), session.send('third', queue)];
    expect(queued()).toEqual(['second', 'third']);
    expect(textsOf(session)).toEqual(['first', '']);
    say(client.last(), '1');
    await settled();
    expect(queued()).toEqual(['third']);
    say(client.last(), '2');
    await settled();
    say(client.last(), '3');
    expect(await outcomes(sent, second, third)).toEqual(['completed', 'completed', 'completed']);
    expect((await second).message).toMatchObject({ content: [{ text: '2' }] });
    expect(textsOf(session)).toEqual(['first', '1', 'second', '2', 'third', '3']);
    expect(queued()).toEqual([]);
    expect(types().filter((type) => type === 'run.started')).toHaveLength(3);
  });

  test('is sent with its own options', async () => {
    const { session, client } = await running();
    void session.send('second', { ...queue, model: 'large' });
    say(client.last(), '1');
    await settled();
    expect(client.last().request.model).toBe('large');
  });

  test('waits while the run awaits approval, and survives a reload; it is admitted once', async () => {
    const store = createMemoryStore();
    const pay = recorded('pay', { needsApproval: true });
    const s = stage({ tools: [pay.tool], store });
    await ask(s, ['pay', '{}']);
    void s.session.send('second', queue);
    await s.session.flushed();
    const client = createManualClient();
    const later = createAgent({ client, ports: createManualPorts('later'), store, tools: [pay.tool] });
    const session = await later.openSession(s.session.id);
    expect(session.getState().queue).toHaveLength(1);
    await session.approve(callIdOf(session));
    await settled();
    say(client.last(), 'paid');
    await settled();
    expect(textsOf(session)).toEqual(['go', '', 'paid', 'second', '']);
    say(client.last(), '2');
    await settled();
    expect(textsOf(session)).toEqual(['go', '', 'paid', 'second', '2']);
    expect(client.asked).toHaveLength(2);
  });

  test('stays queued when the run is cancelled, until the user resumes', async () => {
    const { session, client, sent, queued } = await running();
    const second = session.send('second', queue);
    session.cancel();
    await settled();
    expect(queued()).toEqual(['second']);
    expect(client.asked).toHaveLength(1);
    const resumed = session.resume();
    await settled();
    say(client.last(), '1');
    await settled();
    say(client.last(), '2');
    expect(await outcomes(sent, resumed, second)).toEqual(['cancelled', 'completed', 'completed']);
  });

  test('stays queued when the run fails, and follows a message that is sent instead', async () => {
    const { session, client, queued } = await running();
    const second = session.send('second', queue);
    client.last().chunks.error(new Error('no'));
    await settled();
    expect(queued()).toEqual(['second']);
    void session.send('third');
    await settled();
    say(client.last(), '3');
    await settled();
    say(client.last(), '2');
    expect((await second).outcome).toBe('completed');
    expect(textsOf(session)).toEqual(['first', 'third', '3', 'second', '2']);
  });

  test('stays queued at a limit, and is admitted when the resumed run is completed', async () => {
    const { session, client, queued } = await running({ maxSteps: 1 });
    const second = session.send('second', queue);
    call(client.last(), ['look', '{}']);
    await settled();
    expect(session.getStatus()).toBe('limit');
    expect(queued()).toEqual(['second']);
    void session.resume();
    await settled();
    say(client.last(), '1');
    await settled();
    say(client.last(), '2');
    expect((await second).outcome).toBe('completed');
  });

  test('is admitted by resume() if there is no run to resume', async () => {
    const store = createMemoryStore();
    const s = await running({ store });
    void s.session.send('second', queue);
    s.session.cancel();
    await s.session.flushed();
    // The log of a tab that died between the end of one run and the start of the next.
    const events = (await store.read(s.session.id))?.events ?? [];
    const completed = events.map((event) =>
      event.type === 'run.ended' ? ({ ...event, outcome: 'completed' } as const) : event,
    );
    const { summary } = (await store.read(s.session.id)) ?? expect.unreachable();
    await store.write({
      sessionId: summary.id,
      events: completed,
      replaces: [[0, summary.seq]],
      summary,
      expectedSeq: summary.seq,
      durability: 'relaxed',
    });
    const client = createManualClient();
    const later = createAgent({ client, ports: createManualPorts('later'), store });
    const session = await later.openSession(summary.id);
    await settled();
    expect(client.asked).toHaveLength(0);
    const resumed = session.resume();
    await settled();
    say(client.last(), '2');
    expect((await resumed).outcome).toBe('completed');
    expect(() => session.resume()).toThrow(expect.objectContaining({ code: 'NOTHING_TO_RESUME' }));
  });

  test('can be removed from the queue: its caller receives `cancelled`', async () => {
    const { session, client, queued } = await running();
    const second = session.send('second', queue);
    const [{ message } = expect.unreachable()] = session.getState().queue;
    session.unqueue('nobody');
    expect(queued()).toEqual(['second']);
    session.unqueue(message.id);
    expect(queued()).toEqual([]);
    expect((await second).outcome).toBe('cancelled');
    say(client.last(), '1');
    await settled();
    expect(client.asked).toHaveLength(1);
  });

  test('is dropped when the session is cleared or removed, and its caller is notified', async () => {
    const { session, queued, agent } = await running();
    const second = session.send('second', queue);
    session.clear();
    expect(queued()).toEqual([]);
    expect((await second).outcome).toBe('cancelled');
    void session.send('third');
    const fourth = session.send('fourth', queue);
    agent.removeSession(session.id);
    expect((await fourth).outcome).toBe('cancelled');
  });

  test('is sent at once if nothing runs', async () => {
    const s = stage();
    void s.session.send('first', queue);
    await settled();
    expect(s.client.asked).toHaveLength(1);
    expect(s.types()).not.toContain('message.queued');
  });

  test('must have content', async () => {
    const { session } = await running();
    expect(() => session.send(' ', queue)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });
});

describe('a message that steers', () => {
  test('is admitted at the next step of the run, and its answer is the answer of the run', async () => {
    const { session, client, sent } = await running();
    const steering = session.send('left!', steer);
    call(client.last(), ['look', '{}']);
    await settled();
    expect(textsOf(session)).toEqual(['first', '', 'left!', '']);
    expect(client.last().request.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    say(client.last(), 'left it is');
    expect(await outcomes(sent, steering)).toEqual(['completed', 'completed']);
    expect((await steering).message).toBe((await sent).message);
  });

  test('continues a run that was about to end', async () => {
    const { session, client } = await running();
    void session.send('and now?', steer);
    say(client.last(), 'Done.');
    await settled();
    expect(client.asked).toHaveLength(2);
    expect(textsOf(session)).toEqual(['first', 'Done.', 'and now?', '']);
  });

  test('waits until all calls of the step have ended, also calls that await approval', async () => {
    const pay = recorded('pay', { needsApproval: true });
    const s = stage({ tools: [pay.tool] });
    await ask(s, ['pay', '{}']);
    void s.session.send('hurry', steer);
    await settled();
    expect(textsOf(s.session)).toEqual(['go', '']);
    await s.session.approve(callIdOf(s.session));
    await settled();
    expect(textsOf(s.session)).toEqual(['go', '', 'hurry', '']);
  });

  test('is admitted before queued messages', async () => {
    const { session, client } = await running();
    void session.send('later', queue);
    void session.send('now', steer);
    say(client.last(), '1');
    await settled();
    say(client.last(), '2');
    await settled();
    say(client.last(), '3');
    await settled();
    expect(textsOf(session)).toEqual(['first', '1', 'now', '2', 'later', '3']);
  });
});

describe('a message that is sent during a run', () => {
  test('is rejected by default', async () => {
    const { session } = await running();
    expect(() => session.send('second')).toThrow(expect.objectContaining({ code: 'SESSION_BUSY' }));
    expect(() => session.send('second', { whenBusy: 'refuse' })).toThrow(
      expect.objectContaining({ code: 'SESSION_BUSY' }),
    );
  });

  test('interrupts on request: the run is cancelled, and the message has a run of its own', async () => {
    const { session, client, sent } = await running();
    const [first] = client.asked;
    const second = session.send('stop that', { whenBusy: 'interrupt' });
    expect((await sent).outcome).toBe('cancelled');
    expect(first?.aborted).toBe(true);
    await settled();
    say(client.last(), 'stopped');
    expect((await second).outcome).toBe('completed');
    expect(textsOf(session)).toEqual(['first', 'stop that', 'stopped']);
  });

  test('interrupts a run that awaits approval, whose calls are cancelled', async () => {
    const pay = recorded('pay', { needsApproval: true });
    const s = stage({ tools: [pay.tool] });
    await ask(s, ['pay', '{}']);
    void s.session.send('leave it', { whenBusy: 'interrupt' });
    await settled();
    expect(statusesOf(s.session)).toEqual(['cancelled']);
    expect(s.client.asked).toHaveLength(2);
  });
});

import { type SessionEvent, toolParts } from 'brooklet';
import { initialState } from 'brooklet/core';
import { describe, expect, test, vi } from 'vitest';
import { createLog, type Log } from '../../../src/core/log/log.ts';
import { userMessage } from '../../support/events.ts';
import { settled } from '../../support/manual-client.ts';
import { createManualPorts, type ManualPorts } from '../../support/ports.ts';

function openReply(): { log: Log; ports: ManualPorts; recorded: SessionEvent[] } {
  const ports = createManualPorts();
  const recorded: SessionEvent[] = [];
  const log = createLog(initialState('s'), ports, (event) => recorded.push(event));
  log.append({ type: 'session.started', sessionId: 's' });
  log.append({ type: 'run.started', runId: 'r' });
  log.append({ type: 'reply.started', messageId: 'm' });
  return { log, ports, recorded };
}

const textOf = (log: Log): string =>
  log
    .getState()
    .messages.map(({ content }) => content.map((part) => ('text' in part ? part.text : '')).join(''))
    .join('|');

describe('a log', () => {
  test('emits exactly one value to a late subscriber', () => {
    const { log } = openReply();
    for (let n = 0; n < 100; n++) log.append({ type: 'text.delta', text: 'x' });
    const seen: unknown[] = [];
    log.view((state) => state.messages).subscribe((messages) => seen.push(messages));
    expect(seen).toHaveLength(1);
    expect(seen[0]).toBe(log.getState().messages);
  });

  test('knows the id of a call from its first piece on, and no message after they are cleared', () => {
    const { log } = openReply();
    expect(['m', 'c'].map(log.hasMessage)).toEqual([true, false]);
    log.append({ type: 'call.delta', callId: 'c', name: 'pay', text: '{' });
    expect(['m', 'c'].map(log.hasMessage)).toEqual([true, true]);
    log.getState();
    expect(['m', 'c'].map(log.hasMessage)).toEqual([true, true]);
    log.append({ type: 'run.ended', runId: 'r', outcome: 'cancelled' });
    log.append({ type: 'session.cleared' });
    expect(['m', 'c'].map(log.hasMessage)).toEqual([false, false]);
  });

  test('notifies text once a frame, and every other event at once', () => {
    const { log, ports } = openReply();
    const seen: string[] = [];
    log.view((state) => state.messages).subscribe(() => seen.push(textOf(log)));
    log.append({ type: 'text.delta', text: 'a' });
    log.append({ type: 'text.delta', text: 'b' });
    expect(seen).toEqual(['']);
    ports.drawFrame();
    expect(seen).toEqual(['', 'ab']);
    log.append({ type: 'text.delta', text: 'c' });
    log.append({ type: 'run.ended', runId: 'r', outcome: 'cancelled' });
    expect(seen).toEqual(['', 'ab', 'abc']);
    ports.drawFrame();
    expect(seen).toHaveLength(3);
  });

  test('skips a frame after much text', () => {
    const { log, ports } = openReply();
    const seen: string[] = [];
    log.view((state) => state.messages).subscribe(() => seen.push(textOf(log)));
    log.append({ type: 'text.delta', text: 'a'.repeat(400) });
    ports.drawFrame();
    log.append({ type: 'text.delta', text: 'b' });
    ports.drawFrame();
    expect(seen).toHaveLength(2);
    ports.pass(80);
    ports.drawFrame();
    expect(seen).toHaveLength(3);
  });

  test('is peeked at without the text that waits for a frame', () => {
    const { log } = openReply();
    const before = log.peek();
    log.append({ type: 'text.delta', text: 'a' });
    expect(log.peek()).toBe(before);
    expect(textOf(log)).toBe('a');
    expect(log.peek()).not.toBe(before);
  });

  test('evaluates a view of its turns once in a turn, whatever has been appended', async () => {
    const { log } = openReply();
    const seen: (string | undefined)[] = [];
    const queue = (id: string) => log.append({ type: 'message.queued', message: userMessage(id), mode: 'queue' });
    log.viewTurns((state) => seen.push(state.queue.at(-1)?.message.id)).subscribe();
    for (const id of ['one', 'two', 'three']) queue(id);
    await settled();
    queue('four');
    await settled();
    expect(seen).toEqual([undefined, 'three', 'four']);
  });

  test('shows the state that it is reset to within the call, also without new events', () => {
    const { log } = openReply();
    const titles: string[] = [];
    log.view(({ title }) => title).subscribe((title) => titles.push(title));
    log.reset({ ...log.getState(), title: 'stored' }, []);
    expect(titles).toEqual(['', 'stored']);
  });

  test('shows the end of a reply together with the next event', () => {
    const { log, ports } = openReply();
    const seen: string[] = [];
    log.view((state) => state).subscribe(({ messages, run }) => seen.push(`${messages[0]?.status} ${run?.outcome}`));
    log.append({ type: 'text.delta', text: 'a' });
    log.append({ type: 'reply.ended', finish: 'stop' });
    log.append({ type: 'run.ended', runId: 'r', outcome: 'completed' });
    expect(seen).toEqual(['streaming undefined', 'complete completed']);
    ports.drawFrame();
    expect(seen).toHaveLength(2);
  });

  test('shows a requested and a started call in the next frame', () => {
    const { log, ports } = openReply();
    const seen: (string | undefined)[] = [];
    log.view((state) => state.messages.flatMap(toolParts)[0]?.status).subscribe((status) => seen.push(status));
    log.append({ type: 'call.requested', callId: 'c', name: 'n', inputText: '{}', input: {} });
    log.append({ type: 'reply.ended', finish: 'tool-calls' });
    expect(seen).toEqual([undefined]);
    ports.drawFrame();
    expect(seen).toEqual([undefined, 'requested']);
    log.append({ type: 'approval.decided', callId: 'c', verdict: 'approved', decidedBy: 'policy' });
    log.append({ type: 'call.started', callId: 'c', attempt: 1 });
    expect(seen.at(-1)).toBe('approved');
    ports.drawFrame();
    expect(seen.at(-1)).toBe('started');
    log.append({ type: 'call.ended', callId: 'c', outcome: 'succeeded', output: 1 });
    expect(seen.at(-1)).toBe('succeeded');
  });

  test('notifies text no more often than its interval', () => {
    const ports = createManualPorts();
    const log = createLog(initialState('s'), ports, () => {}, 50);
    log.append({ type: 'run.started', runId: 'r' });
    log.append({ type: 'reply.started', messageId: 'm' });
    const seen: string[] = [];
    log.view((state) => state.messages).subscribe(() => seen.push(textOf(log)));
    log.append({ type: 'text.delta', text: 'a' });
    ports.drawFrame();
    log.append({ type: 'text.delta', text: 'b' });
    ports.drawFrame();
    expect(seen).toEqual(['', 'a']);
    ports.pass(50);
    ports.drawFrame();
    expect(seen).toEqual(['', 'a', 'ab']);
  });

  test('returns the current state from its getter, and still notifies the subscribers in the scheduled frame', () => {
    const { log, ports } = openReply();
    const told = vi.fn();
    log.view((state) => state.messages).subscribe(told);
    told.mockClear();
    log.append({ type: 'text.delta', text: 'a' });
    expect(textOf(log)).toBe('a');
    expect(log.getState()).toBe(log.getState());
    expect(told).not.toHaveBeenCalled();
    ports.drawFrame();
    expect(told).toHaveBeenCalledOnce();
  });

  test('notifies all subscribers of all events in one order, even when a subscriber appends', () => {
    const { log } = openReply();
    const first: string[] = [];
    const second: string[] = [];
    log.events$.subscribe((event) => {
      first.push(event.type);
      if (event.type === 'text.delta') log.append({ type: 'session.renamed', title: 't' });
    });
    log.events$.subscribe((event) => second.push(event.type));
    log.append({ type: 'text.delta', text: 'a' });
    expect(first).toEqual(['text.delta', 'session.renamed']);
    expect(second).toEqual(first);
  });

  test('notifies a subscriber of an event that it appends while it receives its first value', () => {
    const { log } = openReply();
    const titles: string[] = [];
    log
      .view((state) => state.title)
      .subscribe((title) => {
        titles.push(title);
        if (title === '') log.append({ type: 'session.renamed', title: 'new' });
      });
    expect(titles).toEqual(['', 'new']);
  });

  test('continues when a subscriber throws', () => {
    const { log, ports, recorded } = openReply();
    const reported = vi.fn();
    process.once('uncaughtException', reported);
    const seen: string[] = [];
    vi.useFakeTimers();
    try {
      log.events$.subscribe(() => {
        throw new Error('a bad subscriber');
      });
      log.events$.subscribe((event) => seen.push(event.type));
      log.append({ type: 'text.delta', text: 'a' });
      log.append({ type: 'reply.ended', finish: 'stop' });
      ports.drawFrame();
      expect(seen).toEqual(['text.delta', 'reply.ended']);
      expect(recorded.at(-1)?.type).toBe('reply.ended');
      expect(textOf(log)).toBe('a');
      // rxjs reports the error separately, in a timer.
      expect(() => vi.runAllTimers()).toThrow('a bad subscriber');
    } finally {
      vi.useRealTimers();
      process.removeListener('uncaughtException', reported);
    }
  });

  test('numbers its events without gaps', () => {
    const { log, recorded } = openReply();
    log.append({ type: 'text.delta', text: 'a' });
    expect(recorded.map((event) => event.seq)).toEqual([1, 2, 3, 4]);
    expect(log.getState().seq).toBe(4);
  });

  test('completes its views when it is closed', () => {
    const { log } = openReply();
    const complete = vi.fn();
    log.view((state) => state.seq).subscribe({ complete });
    log.close();
    expect(complete).toHaveBeenCalledOnce();
  });
});

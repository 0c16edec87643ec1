import { type AgentSession, AgentError, createAgent, extractTextContent, type SessionEvent } from 'brooklet';
import type { Observable } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { twoTabs } from '../support/tabs.ts';

type React = (session: AgentSession, does: () => void) => void;

/** Moments at which a subscriber is notified within a verb. */
const moments: Readonly<Record<string, React>> = {
  'the event message.added': ({ events$ }, does) => onEvent(events$, 'message.added', does),
  'the event run.started': ({ events$ }, does) => onEvent(events$, 'run.started', does),
  'the event session.rewound': ({ events$ }, does) => onEvent(events$, 'session.rewound', does),
  messages$: ({ messages$ }, does) => afterFirst(messages$, does),
  state$: ({ state$ }, does) => afterFirst(state$, does),
  status$: ({ status$ }, does) => afterFirst(status$, does),
};

function onEvent(events$: AgentSession['events$'], type: SessionEvent['type'], does: () => void): void {
  events$.subscribe((event) => event.type === type && does());
}

function afterFirst(values$: Observable<unknown>, does: () => void): void {
  let isFirst = true;
  const notify = (): void => {
    if (!isFirst) does();
  };
  values$.subscribe(notify);
  isFirst = false;
}

/** Sends once, at the first notification; returns the outcomes of the attempts. */
function sendOnce(session: AgentSession, react: React): Promise<string>[] {
  const sent: Promise<string>[] = [];
  let isDone = false;
  react(session, () => {
    if (isDone) return;
    isDone = true;
    try {
      sent.push(session.send('from within').then(({ outcome }) => outcome));
    } catch (error) {
      sent.push(Promise.resolve(error instanceof AgentError ? error.code : 'untyped'));
    }
  });
  return sent;
}

describe.each(Object.entries(moments))('a send within %s', (_moment, react) => {
  test('does not start a second run beside the run of a send or a regenerate', async () => {
    const client = createManualClient();
    const agent = createAgent({ client });
    const session = await agent.openSession(agent.createSession());
    const first = session.send('before');
    await settled();
    say(client.last(), 're: before');
    await first;
    const log: SessionEvent[] = [];
    session.events$.subscribe((event) => log.push(event));
    const within = sendOnce(session, react);
    const outer = [session.send('question').then(({ outcome }) => outcome)];
    const answered = new Set([client.last()]);
    const answerAll = async (): Promise<void> => {
      for (let round = 0; round < 5; round++) {
        await settled();
        for (const asked of client.asked) {
          if (asked.aborted || answered.has(asked)) continue;
          answered.add(asked);
          say(asked, 'answer');
        }
      }
    };
    await answerAll();
    outer.push(session.regenerate().then(({ outcome }) => outcome));
    await answerAll();
    const outcomes = await Promise.all([...outer, ...within]);
    expect(outcomes.slice(0, 2)).toEqual(['completed', 'completed']);
    for (const outcome of outcomes.slice(2)) expect(['SESSION_BUSY', 'completed']).toContain(outcome);
    let open = 0;
    for (const { type } of log) {
      if (type === 'run.started') open++;
      if (type === 'run.ended') open--;
      expect(open).toBeLessThanOrEqual(1);
    }
    const replies = session.getMessages().filter(({ role }) => role === 'assistant');
    expect(replies.map((message) => extractTextContent(message))).toEqual([
      're: before',
      'answer',
      ...(within.length > 0 && outcomes[2] === 'completed' ? ['answer'] : []),
    ]);
  });
});

test('a message that a subscriber adds while events of another tab are published is kept in both tabs', async () => {
  const { a, b } = await twoTabs();
  onEvent(b.events$, 'message.added', () => {
    if (b.getMessages().length < 4) b.addMessage({ role: 'user', content: 'echo' });
  });
  a.addMessage({ role: 'user', content: 'one' });
  a.addMessage({ role: 'user', content: 'two' });
  for (let round = 0; round < 5; round++) await settled();
  expect(
    b
      .getMessages()
      .map((message) => extractTextContent(message))
      .slice(0, 2),
  ).toEqual(['one', 'two']);
  expect(b.getState()).toEqual(a.getState());
  expect(b.getMessages()).toHaveLength(4);
});

test('an event that a subscriber appends is published after the events that were appended together', async () => {
  const client = createManualClient();
  const agent = createAgent({ client });
  const session = await agent.openSession(agent.createSession());
  onEvent(session.events$, 'message.added', () => session.cancel());
  const seen: SessionEvent[] = [];
  session.events$.subscribe((event) => seen.push(event));
  expect((await session.send('Hello')).outcome).toBe('cancelled');
  expect(seen.map(({ type }) => type)).toEqual(['message.added', 'run.started', 'run.ended']);
});

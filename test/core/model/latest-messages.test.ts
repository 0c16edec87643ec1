import type { EventBody } from 'brooklet/core';
import { describe, expect, test } from 'vitest';
import { latestMessages } from '../../../src/core/model/latest-messages.ts';
import { stamp, userMessage } from '../../support/events.ts';
import { untyped } from '../../support/untyped.ts';

const answered = (id: string): readonly EventBody[] => [
  { type: 'message.added', message: userMessage(`q${id}`) },
  { type: 'run.started', runId: `r${id}` },
  { type: 'reply.started', messageId: `a${id}` },
  { type: 'text.delta', text: id },
  { type: 'reply.ended', finish: 'stop' },
  { type: 'run.ended', runId: `r${id}`, outcome: 'completed' },
];
const three = ['1', '2', '3'].flatMap(answered);
const idsAt = (place: number, ...bodies: readonly EventBody[]): readonly string[] =>
  latestMessages('s', stamp(bodies).slice(place)).map(({ id }) => id);

describe('the end of a log', () => {
  test('shows the messages after its first whole run', () => {
    expect(idsAt(0, ...three)).toEqual(['q2', 'a2', 'q3', 'a3']);
    expect(idsAt(1, ...three)).toEqual(['q2', 'a2', 'q3', 'a3']);
    expect(idsAt(5, ...three)).toEqual(['q2', 'a2', 'q3', 'a3']);
    expect(idsAt(6, ...three)).toEqual(['q3', 'a3']);
    expect(idsAt(three.length, ...three)).toEqual([]);
  });

  test('shows a reply that is arriving', () => {
    const [last] = latestMessages('s', stamp(three.slice(0, -2)).slice(5)).slice(-1);
    expect(last).toMatchObject({ id: 'a3', status: 'streaming', content: [{ type: 'text', text: '3' }] });
  });

  test('shows all messages of a log without runs, as an import writes it', () => {
    const imported = ['1', '2', '3'].map((id): EventBody => ({ type: 'message.added', message: userMessage(id) }));
    expect(idsAt(1, ...imported)).toEqual(['2', '3']);
  });

  test('shows nothing where it lies within one run, whose beginning may be a prompt that is missing', () => {
    const steered: EventBody = { type: 'message.added', message: userMessage('steered') };
    const again: readonly EventBody[] = [
      { type: 'reply.started', messageId: 'b' },
      { type: 'text.delta', text: 'b' },
      { type: 'reply.ended', finish: 'stop' },
    ];
    expect(idsAt(2, ...answered('1').slice(0, -1), steered, ...again)).toEqual([]);
  });

  test('shows nothing of a log of another version', () => {
    const old = stamp(three).map((event) => Object.assign({ ...event }, { v: 1 }));
    expect(latestMessages('s', untyped(old))).toEqual([]);
  });

  test.each<[string, EventBody, readonly string[]]>([
    [
      'an edit of an earlier message',
      { type: 'message.added', message: userMessage('new'), supersedes: 'q0' },
      ['new', 'q4', 'a4'],
    ],
    [
      'an edit of a message at the end',
      { type: 'message.added', message: userMessage('new'), supersedes: 'q3' },
      ['q2', 'a2', 'new', 'q4', 'a4'],
    ],
    ['a new answer to an earlier message', { type: 'session.rewound', messageId: 'q0' }, []],
    [
      'a new answer to a message at the end',
      { type: 'session.rewound', messageId: 'q3' },
      ['q2', 'a2', 'q3', 'q4', 'a4'],
    ],
    ['another version', { type: 'alternative.selected', messageId: 'q0' }, ['q4', 'a4']],
    [
      'the removal of an earlier message',
      { type: 'message.removed', messageId: 'q0' },
      ['q2', 'a2', 'q3', 'a3', 'q4', 'a4'],
    ],
    ['a cleared session', { type: 'session.cleared' }, ['q4', 'a4']],
  ])('shows what follows %s', (_what, event, ids) => {
    expect(idsAt(0, ...three, event, ...answered('4'))).toEqual(ids);
  });

  test('shows no empty answer in the place of an earlier one', () => {
    const run = answered('4').slice(1);
    const empty = run.filter(({ type }) => type !== 'text.delta');
    expect(idsAt(0, ...three, { type: 'session.rewound', messageId: 'q0' }, ...empty, ...answered('5'))).toEqual([
      'q5',
      'a5',
    ]);
    expect(idsAt(0, ...three, { type: 'session.rewound', messageId: 'q0' }, ...run, ...answered('5'))).toEqual([
      'q5',
      'a5',
    ]);
  });
});

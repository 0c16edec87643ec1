import { describe, expect, test } from 'vitest';
import { imported, shown, versionsOf } from './stage.ts';
import { branched, conversation, rich, said } from './samples/chatgpt.ts';

describe('a conversation of ChatGPT', () => {
  test('shows the version that ChatGPT shows, with the others beside it', async () => {
    const { report, session } = await imported(JSON.stringify([branched]));
    expect(report).toMatchObject({
      format: 'chatgpt',
      conversations: [{ id: 'c-branched', result: 'added', messages: 8 }],
    });
    expect(shown(session.getMessages())).toEqual([
      ['user', 'Which otter is the biggest?'],
      ['assistant', 'The giant otter.'],
      ['user', 'Where does it live?'],
      ['assistant', 'In the Amazon.'],
    ]);
    expect(session.getState().title).toBe('Conversation c-branched');
    expect(versionsOf(session)).toEqual([
      ['Which otter is the biggest?', 'Which otter is the smallest?'],
      ['The sea otter.', 'The giant otter.'],
      [],
      ['In the Amazon.', 'In South America.'],
    ]);
  });

  test('shows another version with all that followed it', async () => {
    const { session } = await imported(JSON.stringify([branched]));
    await session.selectAlternative('u1', 'u1b');
    expect(shown(session.getMessages())).toEqual([
      ['user', 'Which otter is the smallest?'],
      ['assistant', 'The Asian small-clawed otter.'],
    ]);
    await session.selectAlternative('u1b', 'u1');
    await session.selectAlternative('a2', 'a1');
    expect(shown(session.getMessages()).at(-1)).toEqual(['assistant', 'The sea otter.']);
  });

  test('keeps reasoning, calls with their results, sources and models, and counts what it leaves out', async () => {
    const { report, session } = await imported(JSON.stringify([rich]));
    expect(shown(session.getMessages())).toEqual([
      ['user', 'What is in the picture?'],
      ['assistant', 'reasoning Looking\nIt has whiskers.', 'python {"code":"print(1 + 1)"} succeeded "2"'],
      [
        'assistant',
        'web.run {"search_query":[{"q":"otter"}]} succeeded [{"type":"text","text":"They swim."},{"type":"source","url":"https://otter.example/a","title":"Otters"}]',
      ],
      ['assistant', 'An otter.', 'source https://otter.example/a', 't2uay3k.sj1i4kz {} succeeded ""'],
      ['user', 'Thank you'],
    ]);
    expect(session.getMessages()[3]).toMatchObject({ id: 'a', model: 'o3', finish: 'stop' });
    expect(report.taken).toMatchObject({ messages: 5, calls: 3, results: 3, reasoning: 1, sources: 1, versions: 0 });
    expect(report.leftOut).toEqual(
      expect.arrayContaining([
        { part: 'instructions', reason: 'hidden', count: 1 },
        { part: 'image', reason: 'not-in-file', count: 2 },
        { part: 'file', reason: 'not-in-file', count: 1 },
        { part: 'reasoning_recap', reason: 'note', count: 1 },
        { part: 'audio', reason: 'not-in-file', count: 1 },
        { part: 'hologram', reason: 'unknown', count: 1 },
      ]),
    );
  });

  test('states times in seconds', async () => {
    const { session } = await imported(JSON.stringify([branched]));
    expect(session.getMessages()[0]?.timestamp).toBe(1_700_000_001_000);
  });

  test('whose reply goes on in two ways keeps both', async () => {
    const two = conversation(
      'c',
      [
        [said('q', 'user', 'Hi'), 'client-created-root'],
        [said('t', 'assistant', { content_type: 'thoughts', thoughts: [{ summary: 'Hm', content: '' }] }), 'q'],
        [said('a', 'assistant', 'One'), 't'],
        [said('b', 'assistant', 'Two'), 't'],
      ],
      'a',
    );
    const { session } = await imported(JSON.stringify([two]));
    expect(shown(session.getMessages())).toEqual([
      ['user', 'Hi'],
      ['assistant', 'reasoning Hm', 'One'],
    ]);
    expect(versionsOf(session)[1]).toEqual(['One', 'Two']);
  });

  test('with parents that lead nowhere or in a circle keeps its messages', async () => {
    const mapping = {
      a: { id: 'a', message: said('a', 'user', 'Lost'), parent: 'gone', children: [] },
      b: { id: 'b', message: said('b', 'user', 'Round'), parent: 'c', children: ['c'] },
      c: { id: 'c', message: said('c', 'assistant', 'And round'), parent: 'b', children: ['b'] },
    };
    const { report } = await imported(JSON.stringify([{ id: 'odd', title: 'Odd', mapping, current_node: 'c' }]));
    expect(report.conversations[0]).toMatchObject({ messages: 3, added: 3 });
  });
});

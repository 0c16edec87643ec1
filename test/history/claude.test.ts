import type { JsonObject } from 'brooklet';
import { describe, expect, test } from 'vitest';
import { imported, shown, versionsOf } from './stage.ts';

// Made by hand after the form of the data export of claude.ai: see src/history/claude.ts.
const root = '00000000-0000-4000-8000-000000000000';

const message = (uuid: string, sender: string, content: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  uuid,
  text: '',
  content,
  sender,
  created_at: '2025-05-01T10:00:00.000000Z',
  updated_at: '2025-05-01T10:00:00.000000Z',
  attachments: [],
  files: [],
  ...more,
});

const text = (words: string): JsonObject => ({
  start_timestamp: '2025-05-01T10:00:00.000000Z',
  stop_timestamp: '2025-05-01T10:00:01.000000Z',
  type: 'text',
  text: words,
  citations: [],
});

const conversation = (messages: readonly JsonObject[], more: JsonObject = {}): string =>
  JSON.stringify([
    {
      uuid: '0d7f3c1e-0000-4000-8000-000000000001',
      name: 'Otters',
      created_at: '2025-05-01T10:00:00.000000Z',
      updated_at: '2025-05-01T10:00:00.000000Z',
      account: { uuid: 'a' },
      chat_messages: messages,
      ...more,
    },
  ]);

describe('a conversation of Claude', () => {
  test('keeps reasoning, calls, results, sources and the text of attachments', async () => {
    const source = conversation([
      message('u', 'human', [text('Look at this')], {
        attachments: [
          { file_name: 'notes.md', file_size: 9, file_type: 'text/markdown', extracted_content: 'Otters swim. é' },
        ],
        files: [{ file_name: 'otter.png', file_uuid: 'f' }, { file_name: 'a.pdf' }],
      }),
      message('a', 'assistant', [
        { type: 'thinking', thinking: 'Hm.', summaries: [{ summary: 'Thinking' }], cut_off: false },
        { type: 'tool_use', id: 'toolu_1', name: 'web_search', input: { query: 'otter' } },
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          name: 'web_search',
          content: [{ type: 'knowledge', title: 'Otter', url: 'https://otter.example/' }],
          is_error: false,
        },
        {
          ...text('They swim.'),
          citations: [{ uuid: 'c', start_index: 0, url: 'https://otter.example/', title: 'Otter' }],
        },
        { type: 'token_budget' },
        { type: 'redacted_thinking', data: 'x' },
      ]),
    ]);
    const { report, session } = await imported(source);
    expect(shown(session.getMessages())).toEqual([
      ['user', 'Look at this', `file text/markdown ${Buffer.from('Otters swim. é').toString('base64')}`],
      [
        'assistant',
        'reasoning Hm.',
        'web_search {"query":"otter"} succeeded [{"type":"knowledge","title":"Otter","url":"https://otter.example/"}]',
        'They swim.',
        'source https://otter.example/',
      ],
    ]);
    expect(report).toMatchObject({ format: 'claude', conversations: [{ title: 'Otters' }] });
    expect(report.leftOut).toEqual([
      { part: 'image', reason: 'not-in-file', count: 1 },
      { part: 'file', reason: 'not-in-file', count: 1 },
      { part: 'token_budget', reason: 'note', count: 1 },
      { part: 'reasoning', reason: 'encrypted', count: 1 },
    ]);
    expect(session.getMessages()[0]?.timestamp).toBe(Date.UTC(2025, 4, 1, 10));
  });

  test('pairs calls and results without ids in their order', async () => {
    const source = conversation([
      message('a', 'assistant', [
        { type: 'tool_use', id: null, name: 'artifacts', input: { id: 'x' } },
        {
          type: 'tool_result',
          tool_use_id: null,
          name: 'artifacts',
          content: [{ type: 'text', text: 'OK' }],
          is_error: false,
        },
        { type: 'tool_use', id: null, name: 'repl', input: {} },
        {
          type: 'tool_result',
          tool_use_id: null,
          name: 'repl',
          content: [{ type: 'text', text: 'no' }],
          is_error: true,
        },
        { type: 'tool_result', tool_use_id: null, name: 'repl', content: [] },
      ]),
    ]);
    const { report, session } = await imported(source);
    expect(shown(session.getMessages())).toEqual([
      ['assistant', 'artifacts {"id":"x"} succeeded "OK"', 'repl {} failed "no"'],
    ]);
    expect(report.leftOut).toEqual([{ part: 'repl', reason: 'without-call', count: 1 }]);
  });

  test('keeps edited questions as versions where messages name the one before', async () => {
    const source = conversation(
      [
        message('u1', 'human', [text('One')], { parent_message_uuid: root }),
        message('a1', 'assistant', [text('First')], { parent_message_uuid: 'u1' }),
        message('u2', 'human', [text('Two')], { parent_message_uuid: root }),
        message('a2', 'assistant', [text('Second')], { parent_message_uuid: 'u2' }),
      ],
      { current_leaf_message_uuid: 'a1' },
    );
    const { session } = await imported(source);
    expect(shown(session.getMessages())).toEqual([
      ['user', 'One'],
      ['assistant', 'First'],
    ]);
    expect(versionsOf(session)[0]).toEqual(['One', 'Two']);
  });

  test('of an export without blocks has its text', async () => {
    const { session } = await imported(
      conversation([{ uuid: 'u', sender: 'human', text: 'Hello', created_at: '2023-08-01T00:00:00Z' }]),
    );
    expect(shown(session.getMessages())).toEqual([['user', 'Hello']]);
  });
});

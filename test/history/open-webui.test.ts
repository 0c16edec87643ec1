import type { JsonObject } from 'brooklet';
import { describe, expect, test } from 'vitest';
import { imported, shown, versionsOf } from './stage.ts';

// Made by hand after the form of an export of Open WebUI: see src/history/open-webui.ts.
const answer = [
  '<details type="reasoning" done="true" duration="3">\n<summary>Thought for 3 seconds</summary>\n&gt; Is it 1 &lt; 2?\n&gt; Yes.\n</details>',
  'Let me look.',
  '<details type="tool_calls" done="true" id="call_1" name="search" arguments="&quot;{\\&quot;q\\&quot;: \\&quot;otter\\&quot;}&quot;" result="&quot;{\\&quot;found\\&quot;: 3}&quot;" files="" embeds="">\n<summary>Tool Executed</summary>\n</details>',
  'Three otters.',
].join('\n');

const messages: JsonObject = {
  u1: {
    id: 'u1',
    parentId: null,
    childrenIds: ['a1', 'a2'],
    role: 'user',
    content: 'How many?',
    timestamp: 1_700_000_000,
    models: ['llama3', 'gpt-4o'],
    files: [
      { type: 'image', url: 'data:image/png;base64,QUJD' },
      { type: 'image', url: '/api/v1/files/7/content' },
      { type: 'file', name: 'a.txt', file: { filename: 'a.txt', data: { content: 'Text' } } },
    ],
  },
  a1: {
    id: 'a1',
    parentId: 'u1',
    childrenIds: [],
    role: 'assistant',
    content: answer,
    model: 'llama3',
    timestamp: 1_700_000_001,
    usage: { prompt_eval_count: 10, eval_count: 5 },
    sources: [
      {
        source: { name: 'a', url: 'https://otter.example/' },
        document: ['x'],
        metadata: [{ source: 'https://otter.example/' }],
      },
      { source: { name: 'a.txt' }, document: ['Text'] },
    ],
    done: true,
  },
  a2: {
    id: 'a2',
    parentId: 'u1',
    childrenIds: ['u2'],
    role: 'assistant',
    content: 'Four.',
    model: 'gpt-4o',
    timestamp: 1_700_000_002,
    usage: { prompt_tokens: 8, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } },
  },
  u2: { id: 'u2', parentId: 'a2', childrenIds: ['a3'], role: 'user', content: 'Sure?', timestamp: 1_700_000_003 },
  a3: {
    id: 'a3',
    parentId: 'u2',
    childrenIds: [],
    role: 'assistant',
    content: '',
    error: { content: 'No model' },
    timestamp: 1_700_000_004,
  },
};

const chat = {
  id: 'chat-1',
  user_id: 'u',
  title: 'Counting',
  chat: {
    title: 'Counting',
    models: ['llama3', 'gpt-4o'],
    params: { system: 'Be brief.' },
    history: { messages, currentId: 'a3' },
    messages: [],
    timestamp: 1_700_000_000_000,
  },
  updated_at: 1_700_000_005,
  created_at: 1_700_000_000,
  archived: false,
};

describe('a chat of Open WebUI', () => {
  test('keeps reasoning, calls, pictures, documents, models and tokens', async () => {
    const { report, session } = await imported(JSON.stringify([chat]));
    expect(report).toMatchObject({
      format: 'open-webui',
      conversations: [{ id: 'chat-1', title: 'Counting', messages: 5 }],
    });
    expect(shown(session.getMessages())).toEqual([
      ['system', 'Be brief.'],
      ['user', 'How many?', 'image image/png QUJD', `file text/plain ${Buffer.from('Text').toString('base64')}`],
      ['assistant', 'Four.'],
      ['user', 'Sure?'],
    ]);
    expect(versionsOf(session)[2]).toEqual(['Let me look.Three otters.', 'Four.']);
    await session.selectAlternative('a2', 'a1');
    expect(shown(session.getMessages()).at(-1)).toEqual([
      'assistant',
      'reasoning Is it 1 < 2?\nYes.',
      'Let me look.',
      'search {"q":"otter"} succeeded {"found":3}',
      'Three otters.',
      'source https://otter.example/',
    ]);
    expect(session.getMessages().at(-1)).toMatchObject({
      model: 'llama3',
      usage: { input: 10, output: 5 },
      timestamp: 1_700_000_001_000,
    });
    expect(report.leftOut).toEqual([
      { part: 'image', reason: 'not-in-file', count: 1 },
      { part: 'source', reason: 'not-in-file', count: 1 },
      { part: 'error', reason: 'note', count: 1 },
    ]);
  });

  test('of an early version is a list of messages', async () => {
    const early = {
      id: 'x',
      title: 'Old',
      chat: {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Ho' },
        ],
      },
    };
    const { session } = await imported(JSON.stringify([early]));
    expect(shown(session.getMessages())).toEqual([
      ['user', 'Hi'],
      ['assistant', 'Ho'],
    ]);
  });

  test('is a file of its own, too', async () => {
    expect((await imported(JSON.stringify(chat))).report.format).toBe('open-webui');
  });
});

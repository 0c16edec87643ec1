import { describe, expect, test } from 'vitest';
import { imported, open, shown, versionsOf } from './stage.ts';

// Made by hand after the forms of LobeChat: see src/history/lobechat.ts.
const at = 1_700_000_000_000;

describe('an export of LobeChat', () => {
  test('is a session for each topic and for what is in none', async () => {
    const source = {
      exportType: 'all',
      state: {
        messages: [
          {
            id: 'm2',
            role: 'assistant',
            content: 'Ho',
            sessionId: 's1',
            topicId: 't1',
            createdAt: at + 2,
            extra: { fromModel: 'gpt-4o' },
            metadata: { totalInputTokens: 9, totalOutputTokens: 3 },
          },
          { id: 'm1', role: 'user', content: 'Hi', sessionId: 's1', topicId: 't1', createdAt: at + 1 },
          { id: 'm3', role: 'user', content: 'Alone', sessionId: 'inbox', createdAt: at + 3 },
        ],
        sessions: [{ id: 's1', meta: { title: 'Helper' } }],
        topics: [{ id: 't1', title: 'Greetings', sessionId: 's1' }],
        settings: { keyVaults: { openai: { apiKey: 'sk-secret' } } },
      },
      version: 7,
    };
    const { report, session, store } = await imported(JSON.stringify(source));
    expect(report).toMatchObject({
      format: 'lobechat',
      conversations: [
        { id: 't1', title: 'Greetings', messages: 2 },
        { id: 'inbox', messages: 1 },
      ],
    });
    expect(shown(session.getMessages())).toEqual([
      ['user', 'Hi'],
      ['assistant', 'Ho'],
    ]);
    expect(session.getMessages()[1]).toMatchObject({ model: 'gpt-4o', usage: { input: 9, output: 3 } });
    expect(JSON.stringify(await store.read('lobechat-t1'))).not.toContain('sk-secret');
  });

  test('of its database has calls, files and branches', async () => {
    const time = (seconds: number): string => new Date(at + seconds * 1_000).toISOString();
    const of = { sessionId: null, agentId: 'g', topicId: 't', threadId: null };
    const source = {
      mode: 'pglite',
      schemaHash: 'x',
      data: {
        agents: [{ id: 'g', title: 'Finder' }],
        topics: [{ id: 't', title: 'Search' }],
        files: [{ id: 'f', name: 'a.png', fileType: 'image/png', url: 'https://files.example/a.png' }],
        messagesFiles: [{ messageId: 'u', fileId: 'f' }],
        messagePlugins: [
          { id: 'r', toolCallId: 'call_1', identifier: 'web', apiName: 'search', arguments: '{"q":"otter"}' },
        ],
        messages: [
          { id: 'u', role: 'user', content: 'Find it', parentId: null, createdAt: time(0), ...of },
          {
            id: 'a',
            role: 'assistant',
            content: '',
            parentId: 'u',
            createdAt: time(1),
            model: 'gpt-4o',
            reasoning: { content: 'Hm', duration: 5 },
            tools: [
              { id: 'call_1', identifier: 'web', apiName: 'search', arguments: '{"q":"otter"}', type: 'builtin' },
            ],
            ...of,
          },
          { id: 'r', role: 'tool', content: 'Found', parentId: 'a', createdAt: time(2), ...of },
          {
            id: 'b',
            role: 'assistant',
            content: 'Here',
            parentId: 'r',
            createdAt: time(3),
            search: { citations: [{ url: 'https://otter.example/', title: 'O' }] },
            ...of,
          },
          {
            id: 'c',
            role: 'assistant',
            content: 'Another',
            parentId: 'u',
            createdAt: time(4),
            error: { type: 'x' },
            ...of,
          },
        ],
      },
    };
    const { report, session } = await imported(JSON.stringify(source));
    expect(report.conversations).toMatchObject([{ id: 't', title: 'Search', messages: 4 }]);
    expect(shown(session.getMessages())).toEqual([
      ['user', 'Find it', 'image image/png https://files.example/a.png'],
      ['assistant', 'Another'],
    ]);
    expect(versionsOf(session)[1]).toEqual(['', 'Another']);
    await session.selectAlternative('c', 'a');
    expect(shown(session.getMessages()).slice(1)).toEqual([
      ['assistant', 'reasoning Hm', 'web____search {"q":"otter"} succeeded "Found"'],
      ['assistant', 'Here', 'source https://otter.example/'],
    ]);
  });

  test('of one topic is one session', async () => {
    const source = {
      version: '2.0',
      exportedAt: '2026-01-01T00:00:00Z',
      title: 'One',
      messages: [
        {
          id: 'u',
          role: 'user',
          content: 'Draw',
          createdAt: '2026-01-01T00:00:00Z',
          imageList: [{ id: 'i', url: 'https://i.example/a.png', alt: 'a' }],
          files: ['i'],
        },
        {
          id: 'f',
          role: 'function',
          content: 'Done',
          plugin: { identifier: 'dalle', apiName: 'text2image', arguments: '{"p":1}' },
        },
        { id: 't', role: 'tool', content: 'Lost', tool_call_id: 'gone' },
        { id: 'a', role: 'assistant', content: 'See', files: ['x'] },
      ],
    };
    const { report, session } = await imported(JSON.stringify(source));
    expect(report).toMatchObject({ format: 'lobechat', conversations: [{ title: 'One' }] });
    expect(shown(session.getMessages())).toEqual([
      ['user', 'Draw', 'image image/* https://i.example/a.png'],
      ['assistant', 'dalle____text2image {"p":1} succeeded "Done"'],
      ['assistant', 'See'],
    ]);
    expect(report.leftOut).toEqual([
      { part: 'result', reason: 'without-call', count: 1 },
      { part: 'file', reason: 'not-in-file', count: 1 },
    ]);
  });

  test('without messages is refused', async () => {
    await expect(
      imported(JSON.stringify({ exportType: 'settings', state: { settings: {} }, version: 7 })),
    ).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('expected conversations.json of ChatGPT'),
    });
  });
});

describe('a backup of NextChat', () => {
  const backup = {
    'access-control': { openaiApiKey: 'sk-secret', accessCode: 'x' },
    'chat-next-web-store': {
      sessions: [
        {
          id: 'n1',
          topic: 'Otters',
          memoryPrompt: 'They spoke of otters.',
          messages: [
            {
              id: 'a',
              date: '1/2/2024, 3:04:05 PM',
              role: 'user',
              content: [
                { type: 'text', text: 'Look' },
                { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
              ],
            },
            {
              id: 'b',
              date: '2024/1/2 下午3:05:00',
              role: 'assistant',
              content: 'An otter',
              model: 'gpt-4o-mini',
              streaming: false,
              tools: [
                {
                  id: 'call_1',
                  type: 'function',
                  function: { name: 'look', arguments: '{"at":1}' },
                  content: '"seen"',
                  isError: false,
                },
              ],
              audio_url: 'blob:https://x/1',
            },
          ],
          stat: { tokenCount: 0 },
          lastUpdate: 1_704_200_000_000,
          mask: { context: [{ id: 'c', role: 'system', content: 'Be brief.', date: '' }] },
        },
        { id: 'n2', topic: 'Empty', messages: [], lastUpdate: 1_704_200_000_000 },
      ],
      currentSessionIndex: 0,
    },
  };

  test('is a session for each chat, without the settings', async () => {
    const { report, session, store } = await imported(JSON.stringify(backup));
    expect(report).toMatchObject({
      format: 'nextchat',
      conversations: [
        { id: 'n1', title: 'Otters', result: 'added' },
        { id: 'n2', result: 'empty', messages: 0 },
      ],
    });
    expect(shown(session.getMessages())).toEqual([
      ['system', 'Be brief.'],
      ['user', 'Look', 'image image/png QUJD'],
      ['assistant', 'look {"at":1} succeeded "\\"seen\\""', 'An otter'],
    ]);
    const [, user, reply] = session.getMessages();
    expect(new Date(user?.timestamp ?? 0).getFullYear()).toBe(2024);
    expect(reply?.timestamp).toBe(user?.timestamp);
    expect(reply?.model).toBe('gpt-4o-mini');
    expect(report.leftOut).toEqual([
      { part: 'audio', reason: 'not-in-file', count: 1 },
      { part: 'summary', reason: 'note', count: 1 },
    ]);
    expect(JSON.stringify(await store.read('nextchat-n1'))).not.toContain('sk-secret');
    expect((await store.list()).sessions).toHaveLength(1);
    expect(shown((await open(store, 'nextchat-n1')).getMessages())).toHaveLength(3);
  });
});

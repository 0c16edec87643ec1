import type { JsonObject } from 'brooklet';
import { importMessages, createMemoryStore } from 'brooklet/storage';
import { readClaudeCode, readCodex, readGeminiCli } from 'brooklet/tools';
import { describe, expect, test } from 'vitest';
import { imported, open, shown, versionsOf } from './stage.ts';

const lines = (...values: readonly JsonObject[]): string => values.map((value) => JSON.stringify(value)).join('\n');

describe('a transcript of Claude Code', () => {
  let count = 0;
  const line = (type: string, message: JsonObject, more: JsonObject = {}): JsonObject => ({
    parentUuid: null,
    isSidechain: false,
    userType: 'external',
    cwd: '/home/me',
    sessionId: 'cc-1',
    version: '2.1.1',
    type,
    message: { role: type, ...message },
    uuid: `uuid-${++count}`,
    timestamp: '2026-01-01T00:00:00.000Z',
    ...more,
  });
  const user = (content: JsonObject[] | string, more: JsonObject = {}) => line('user', { content }, more);
  const reply = (id: string, block: JsonObject, more: JsonObject = {}) =>
    line(
      'assistant',
      {
        id,
        model: 'claude-opus-4-5',
        content: [block],
        stop_reason: 'tool_use',
        usage: { input_tokens: 3, cache_read_input_tokens: 100, cache_creation_input_tokens: 5, output_tokens: 7 },
      },
      more,
    );
  const picture: JsonObject = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } };

  test('joins the blocks of a reply, with the tokens once', async () => {
    const { report, session } = await imported(
      lines(
        { type: 'file-history-snapshot', messageId: 'x', snapshot: {}, isSnapshotUpdate: false },
        user([{ type: 'text', text: 'List and look' }, picture]),
        reply('msg_1', { type: 'thinking', thinking: 'Hm', signature: 's' }),
        reply('msg_1', { type: 'text', text: 'I look.' }),
        reply('msg_1', { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }),
        user([{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'a' }, picture] }]),
        reply('msg_1', { type: 'tool_use', id: 't2', name: 'Read', input: {} }),
        user([{ type: 'tool_result', tool_use_id: 't2', content: 'no', is_error: true }]),
        reply('msg_2', { type: 'text', text: 'Done.' }),
        { type: 'result', subtype: 'success', is_error: false, session_id: 'cc-1', total_cost_usd: 1 },
      ),
    );
    expect(report).toMatchObject({ format: 'claude-code', conversations: [{ id: 'cc-1', messages: 3 }] });
    expect(shown(session.getMessages())).toEqual([
      ['user', 'List and look', 'image image/png QUJD'],
      [
        'assistant',
        'reasoning Hm',
        'I look.',
        'Bash {"command":"ls"} succeeded [{"type":"text","text":"a"},{"type":"image","mediaType":"image/png","data":"QUJD"}]',
        'Read {} failed "no"',
      ],
      ['assistant', 'Done.'],
    ]);
    expect(session.getMessages()[1]).toMatchObject({
      model: 'claude-opus-4-5',
      finish: 'tool-calls',
      usage: { input: 3, output: 7, cacheRead: 100, cacheWritten: 5 },
    });
    expect(report.leftOut).toEqual([
      { part: 'file-history-snapshot', reason: 'note', count: 1 },
      { part: 'result', reason: 'note', count: 1 },
    ]);
  });

  test('leaves out what nobody said, and counts it', async () => {
    const { report, session } = await imported(
      lines(
        user('<local-command-caveat>Caveat</local-command-caveat>', { isMeta: true }),
        user(
          '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>a.ts</command-args>',
        ),
        user('<local-command-stdout>ok</local-command-stdout>'),
        user([
          { type: 'text', text: '<system-reminder>Be careful</system-reminder>' },
          { type: 'text', text: 'Find it' },
        ]),
        reply('m1', { type: 'tool_use', id: 't1', name: 'Task', input: { prompt: 'find' } }),
        user('find', { isSidechain: true }),
        reply('m2', { type: 'tool_use', id: 's1', name: 'Grep', input: {} }, { isSidechain: true }),
        user([{ type: 'tool_result', tool_use_id: 's1', content: 'x' }], { isSidechain: true }),
        user([{ type: 'tool_result', tool_use_id: 't1', content: 'found' }]),
        user('This session is being continued from a previous conversation…', { isCompactSummary: true }),
        user([{ type: 'text', text: '[Request interrupted by user]' }]),
        reply('m3', { type: 'text', text: 'API Error' }, { isApiErrorMessage: true }),
        reply('m4', { type: 'text', text: 'Here.' }),
      ),
    );
    expect(shown(session.getMessages())).toEqual([
      ['user', '/review a.ts'],
      ['user', 'Find it'],
      ['assistant', 'Task {"prompt":"find"} succeeded "found"'],
      ['assistant', 'Here.'],
    ]);
    expect(report.leftOut).toEqual([
      { part: 'message', reason: 'hidden', count: 1 },
      { part: 'message', reason: 'note', count: 2 },
      { part: 'text', reason: 'hidden', count: 1 },
      { part: 'message', reason: 'side-chain', count: 3 },
      { part: 'call', reason: 'side-chain', count: 1 },
      { part: 'summary', reason: 'note', count: 1 },
      { part: 'error', reason: 'note', count: 1 },
    ]);
  });

  test('through its reader leaves out the calls of sub-agents, too', async () => {
    const store = createMemoryStore();
    const log = [
      user('Find it'),
      reply('m1', { type: 'tool_use', id: 't1', name: 'Task', input: {} }),
      reply('m2', { type: 'tool_use', id: 's1', name: 'Grep', input: {} }, { isSidechain: true }),
      user([{ type: 'tool_result', tool_use_id: 's1', content: 'x' }], { isSidechain: true }),
      {
        type: 'assistant',
        session_id: 'x',
        parent_tool_use_id: 't1',
        message: { role: 'assistant', content: [{ type: 'tool_use', id: 's2', name: 'Glob', input: {} }] },
      },
      user([{ type: 'tool_result', tool_use_id: 't1', content: 'found' }]),
    ];
    const { sessionId, leftOut } = await importMessages(
      store,
      log.flatMap((one) => readClaudeCode(one)),
    );
    expect(shown((await open(store, sessionId)).getMessages())).toEqual([
      ['user', 'Find it'],
      ['assistant', 'Task {} succeeded "found"'],
    ]);
    expect(leftOut).toEqual([
      { part: 'call', reason: 'side-chain', count: 2 },
      { part: 'result', reason: 'side-chain', count: 1 },
    ]);
  });

  test('of a sub-agent alone is its conversation', async () => {
    const side = { isSidechain: true, agentId: 'a1b2' };
    const { report, session } = await imported(
      lines(user('find', side), reply('m', { type: 'text', text: 'Found' }, side)),
    );
    expect(report.conversations[0]).toMatchObject({ id: 'cc-1-a1b2', messages: 2 });
    expect(shown(session.getMessages())).toEqual([
      ['user', 'find'],
      ['assistant', 'Found'],
    ]);
  });

  test('keeps what was rewound as a version, and a repeated line once', async () => {
    const first = user('One', { uuid: 'p1' });
    const { report, session } = await imported(
      lines(
        first,
        reply('m1', { type: 'text', text: 'A' }, { uuid: 'r1', parentUuid: 'p1' }),
        user('Two', { uuid: 'p2', parentUuid: 'r1' }),
        reply('m2', { type: 'text', text: 'B' }, { uuid: 'r2', parentUuid: 'p2' }),
        user('Three', { uuid: 'p3', parentUuid: 'r1' }),
        first,
        reply('m3', { type: 'text', text: 'C' }, { uuid: 'r3', parentUuid: 'p3' }),
      ),
    );
    expect(shown(session.getMessages()).map(([, text]) => text)).toEqual(['One', 'A', 'Three', 'C']);
    expect(versionsOf(session)[2]).toEqual(['Two', 'Three']);
    expect(report.leftOut).toEqual([{ part: 'message', reason: 'duplicate', count: 1 }]);
  });

  test('of several sessions is several sessions, with the titles that it gives', async () => {
    const { report } = await imported(
      lines(
        { type: 'summary', summary: 'Other work', leafUuid: 'elsewhere' },
        user('One', { sessionId: 's1', uuid: 'k1' }),
        { type: 'summary', summary: 'Own work', leafUuid: 'k1' },
        user('Two', { sessionId: 's2' }),
      ),
    );
    expect(report.conversations.map(({ id, title, messages }) => [id, title, messages])).toEqual([
      ['s1', 'Own work', 1],
      ['s2', '', 1],
    ]);
  });
});

describe('a log of Codex', () => {
  const at = '2025-10-29T00:59:38.317Z';
  const item = (payload: JsonObject): JsonObject => ({ timestamp: at, type: 'response_item', payload });
  const event = (payload: JsonObject): JsonObject => ({ timestamp: at, type: 'event_msg', payload });
  const text = (role: string, type: string, words: string): JsonObject =>
    item({ type: 'message', role, content: [{ type, text: words }] });

  test('that it saved is a session with its steps', async () => {
    const { report, session } = await imported(
      lines(
        {
          timestamp: at,
          type: 'session_meta',
          payload: { id: 'cx-1', cwd: '/tmp', originator: 'codex_exec', instructions: null },
        },
        text('developer', 'input_text', '<permissions instructions>…</permissions instructions>'),
        text('user', 'input_text', '<environment_context>…</environment_context>'),
        item({
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'List files' },
            { type: 'input_image', image_url: 'data:image/png;base64,QUJD' },
          ],
        }),
        event({ type: 'user_message', message: 'List files', kind: 'plain' }),
        { timestamp: at, type: 'turn_context', payload: { cwd: '/tmp', model: 'gpt-5-codex' } },
        item({
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: '**Listing**' }],
          content: null,
          encrypted_content: 'g',
        }),
        item({ type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'call_1' }),
        item({
          type: 'function_call_output',
          call_id: 'call_1',
          output: '{"output":"a.txt\\n","metadata":{"exit_code":2,"duration_seconds":0.1}}',
        }),
        event({
          type: 'token_count',
          info: {
            last_token_usage: {
              input_tokens: 10,
              cached_input_tokens: 4,
              output_tokens: 6,
              reasoning_output_tokens: 2,
              total_tokens: 16,
            },
          },
        }),
        item({
          type: 'custom_tool_call',
          status: 'completed',
          call_id: 'call_2',
          name: 'apply_patch',
          input: '*** Begin Patch',
        }),
        item({ type: 'custom_tool_call_output', call_id: 'call_2', output: 'Done' }),
        item({ type: 'web_search_call', id: 'ws', status: 'completed', action: { type: 'search', query: 'otter' } }),
        item({ type: 'reasoning', summary: [], content: null, encrypted_content: 'g' }),
        text('assistant', 'output_text', 'One file.'),
        event({ type: 'agent_message', message: 'One file.' }),
        item({ type: 'ghost_snapshot', ghost_commit: {} }),
      ),
    );
    expect(report).toMatchObject({ format: 'codex', conversations: [{ id: 'cx-1', messages: 4 }] });
    expect(shown(session.getMessages())).toEqual([
      ['user', 'List files', 'image image/png QUJD'],
      ['assistant', 'reasoning **Listing**', 'shell {"command":["ls"]} failed "a.txt\\n"'],
      ['assistant', 'apply_patch {"input":"*** Begin Patch"} succeeded "Done"'],
      ['assistant', 'web_search {"type":"search","query":"otter"} succeeded ""', 'One file.'],
    ]);
    expect(session.getMessages()[1]).toMatchObject({
      model: 'gpt-5-codex',
      usage: { input: 10, cached: 4, output: 6, reasoning: 2 },
    });
    expect(report.leftOut).toEqual([
      { part: 'session_meta', reason: 'note', count: 1 },
      { part: 'instructions', reason: 'hidden', count: 2 },
      { part: 'message', reason: 'duplicate', count: 2 },
      { part: 'turn_context', reason: 'note', count: 1 },
      { part: 'token_count', reason: 'note', count: 1 },
      { part: 'reasoning', reason: 'encrypted', count: 1 },
      { part: 'ghost_snapshot', reason: 'unknown', count: 1 },
    ]);
  });

  test('of events alone is a session', async () => {
    const { session } = await imported(
      lines(
        event({ type: 'user_message', message: 'Hi' }),
        event({ type: 'agent_reasoning', text: 'Hm' }),
        event({ type: 'agent_message', message: 'Ho' }),
      ),
    );
    expect(shown(session.getMessages())).toEqual([
      ['user', 'Hi'],
      ['assistant', 'reasoning Hm', 'Ho'],
    ]);
  });

  test('that it streamed is a session, as it is and through its reader', async () => {
    const log: readonly JsonObject[] = [
      { type: 'thread.started', thread_id: 'th' },
      { type: 'turn.started' },
      { type: 'item.completed', item: { id: 'i0', type: 'reasoning', text: 'Hm' } },
      {
        type: 'item.started',
        item: { id: 'i1', type: 'command_execution', command: 'ls', aggregated_output: '', status: 'in_progress' },
      },
      {
        type: 'item.completed',
        item: {
          id: 'i1',
          type: 'command_execution',
          command: 'ls',
          aggregated_output: 'a',
          exit_code: 0,
          status: 'completed',
        },
      },
      { type: 'item.completed', item: { id: 'i2', type: 'agent_message', text: 'One.' } },
      { type: 'item.updated', item: { id: 'i3', type: 'todo_list', items: [] } },
      { type: 'turn.completed', usage: { input_tokens: 20, cached_input_tokens: 8, output_tokens: 5 } },
    ];
    const expected = [
      ['assistant', 'reasoning Hm', 'shell {"command":"ls"} succeeded "a"'],
      ['assistant', 'One.'],
    ];
    const { report, session } = await imported(lines(...log));
    expect(report).toMatchObject({ format: 'codex', conversations: [{ id: 'th' }] });
    expect(shown(session.getMessages())).toEqual(expected);
    expect(session.getMessages()[1]?.usage).toEqual({ input: 20, cached: 8, output: 5 });
    const store = createMemoryStore();
    const { sessionId } = await importMessages(
      store,
      log.flatMap((one) => readCodex(one)),
    );
    expect(shown((await open(store, sessionId)).getMessages())).toEqual(expected);
  });
});

describe('a log of Gemini CLI', () => {
  const timestamp = '2026-01-01T00:00:00.000Z';
  const stream: readonly JsonObject[] = [
    { type: 'init', timestamp, session_id: 'g1', model: 'gemini-2.5-pro' },
    { type: 'message', role: 'user', content: 'List files', timestamp },
    { type: 'message', role: 'assistant', content: 'There is ', delta: true, timestamp },
    { type: 'message', role: 'assistant', content: 'one: ', delta: true, timestamp },
    { type: 'tool_use', tool_name: 'list', tool_id: 'l1', parameters: { path: '.' }, timestamp },
    { type: 'tool_result', tool_id: 'l1', status: 'success', output: 'a.txt', timestamp },
    { type: 'message', role: 'assistant', content: 'a.', delta: true, timestamp },
    { type: 'message', role: 'assistant', content: 'txt', delta: true, timestamp },
    { type: 'result', status: 'success', stats: { total_tokens: 9, input_tokens: 6, output_tokens: 3 }, timestamp },
  ];

  test('that it streamed has whole answers, as it is and through its reader', async () => {
    const expected = [
      ['user', 'List files'],
      ['assistant', 'There is one: ', 'list {"path":"."} succeeded "a.txt"'],
      ['assistant', 'a.txt'],
    ];
    const { report, session } = await imported(lines(...stream));
    expect(report).toMatchObject({ format: 'gemini-cli', conversations: [{ id: 'g1' }] });
    expect(shown(session.getMessages())).toEqual(expected);
    expect(session.getMessages()[2]).toMatchObject({ model: 'gemini-2.5-pro', usage: { input: 6, output: 3 } });
    const store = createMemoryStore();
    const { sessionId } = await importMessages(
      store,
      stream.flatMap((one) => readGeminiCli(one)),
    );
    expect(shown((await open(store, sessionId)).getMessages())).toEqual(expected);
  });

  const saved: readonly JsonObject[] = [
    { id: 'u1', timestamp, type: 'user', content: 'List' },
    { id: 'i', timestamp, type: 'info', content: 'Update available' },
    {
      id: 'a1',
      timestamp,
      type: 'gemini',
      content: 'Done',
      model: 'gemini-2.5-pro',
      thoughts: [{ subject: 'Looking', description: 'At files', timestamp }],
      tokens: { input: 10, output: 4, cached: 2, thoughts: 3, tool: 0, total: 17 },
      toolCalls: [
        {
          id: 'c1',
          name: 'list',
          args: { path: '.' },
          status: 'success',
          timestamp,
          result: [{ functionResponse: { id: 'c1', name: 'list', response: { output: 'a.txt' } } }],
        },
        { id: 'c2', name: 'run', args: {}, status: 'error', timestamp, resultDisplay: 'denied' },
      ],
    },
  ];
  const answer = [
    'assistant',
    'reasoning Looking\nAt files',
    'Done',
    'list {"path":"."} succeeded "a.txt"',
    'run {} failed "denied"',
  ];

  test('that it saved as one document has calls, thoughts and tokens', async () => {
    const document = {
      sessionId: 'g2',
      projectHash: 'h',
      startTime: timestamp,
      lastUpdated: timestamp,
      messages: saved,
    };
    const { report, session } = await imported(JSON.stringify(document, undefined, 2));
    expect(report).toMatchObject({ format: 'gemini-cli', conversations: [{ id: 'g2' }] });
    expect(shown(session.getMessages())).toEqual([['user', 'List'], answer]);
    expect(session.getMessages()[1]?.usage).toEqual({ input: 10, output: 7, cached: 2, reasoning: 3 });
    expect(report.leftOut).toEqual([{ part: 'info', reason: 'note', count: 1 }]);
  });

  test('that it saved as lines has each record as it was last, and what was rewound as a version', async () => {
    const [first = {}, , last = {}] = saved;
    const { session } = await imported(
      lines(
        { sessionId: 'g3', projectHash: 'h', startTime: timestamp, lastUpdated: timestamp },
        first,
        { ...last, toolCalls: [], content: '' },
        last,
        { id: 'u2', timestamp, type: 'user', content: [{ text: 'Again' }] },
        { $rewindTo: 'u2' },
        { id: 'u3', timestamp, type: 'user', content: [{ text: 'Otherwise' }] },
        { $set: { lastUpdated: timestamp } },
      ),
    );
    expect(shown(session.getMessages())).toEqual([['user', 'List'], answer, ['user', 'Otherwise']]);
    expect(versionsOf(session)[2]).toEqual(['Again', 'Otherwise']);
  });

  test('of a checkpoint has the contents of the API', async () => {
    const history = [
      { role: 'user', parts: [{ text: 'Look' }, { inlineData: { mimeType: 'image/png', data: 'QUJD' } }] },
      {
        role: 'model',
        parts: [
          { text: 'Hm', thought: true },
          { text: 'I look.' },
          { functionCall: { name: 'look', args: { at: 1 } } },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'look', response: { error: 'dark' } } }] },
      { role: 'model', parts: [{ text: 'Too dark.' }] },
    ];
    const { session } = await imported(JSON.stringify({ history, authType: 'x' }));
    expect(shown(session.getMessages())).toEqual([
      ['user', 'Look', 'image image/png QUJD'],
      ['assistant', 'reasoning Hm', 'I look.', 'look {"at":1} failed "dark"'],
      ['assistant', 'Too dark.'],
    ]);
  });
});

import type { Json } from 'brooklet';
import {
  mergeToolMessages,
  readClaudeCode,
  readCodex,
  readGeminiCli,
  type ToolExecution,
  type ToolResult,
  type ToolUse,
} from 'brooklet/tools';
import { concatMap, from, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';

type Piece = Json | ToolUse | ToolResult | ToolExecution;

/** The output for these lines, through a pipeline like in an application. */
function merged(
  read: (line: Json) => readonly (Json | ToolUse | ToolResult)[],
  lines: readonly Json[],
): Promise<Piece[]> {
  return lastValueFrom(from(lines).pipe(concatMap(read), mergeToolMessages(), toArray()));
}

describe('readClaudeCode', () => {
  const session = { session_id: 's', parent_tool_use_id: null };
  const init: Json = { type: 'system', subtype: 'init', ...session };
  const assistant = (...content: readonly Json[]): Json => ({
    type: 'assistant',
    message: { role: 'assistant', content },
    ...session,
  });
  const user = (content: readonly Json[], more: { readonly [key: string]: Json } = {}): Json => ({
    type: 'user',
    message: { role: 'user', content },
    ...session,
    ...more,
  });
  const edit: Json = {
    type: 'tool_use',
    id: 'toolu_1',
    name: 'Edit',
    input: { file_path: 'a.ts', old_string: 'x', new_string: 'y' },
  };

  it('merges the calls of a stream and returns all other lines unchanged', async () => {
    const end: Json = { type: 'result', subtype: 'success', is_error: false, ...session };
    const lines = [
      init,
      assistant(edit),
      user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'The file has been updated.' }]),
      end,
    ];
    const out = await merged(readClaudeCode, lines);
    expect(out).toMatchObject([
      init,
      {
        type: 'tool_execution',
        toolName: 'Edit',
        summary: 'Updated a.ts',
        details: { type: 'diff', oldContent: 'x', newContent: 'y' },
        output: 'The file has been updated.',
        isError: false,
      },
      end,
    ]);
    expect([out[0], out[2]]).toEqual([init, end]);
    expect(out[0]).toBe(init);
  });

  it('splits a line with text around calls', () => {
    const text = (words: string): Json => ({ type: 'text', text: words });
    const line = assistant(text('a'), text('b'), edit, text('c'));
    expect(readClaudeCode(line)).toEqual([
      assistant(text('a'), text('b')),
      { type: 'tool_use', id: 'toolu_1', name: 'Edit', input: { file_path: 'a.ts', old_string: 'x', new_string: 'y' } },
      assistant(text('c')),
    ]);
  });

  it('reads errors, the streams of a command, timestamps of transcripts, and sub-agents', () => {
    const transcript = { timestamp: '2025-01-24T10:00:00.000Z', parent_tool_use_id: 'toolu_0' };
    const failed: Json = { type: 'tool_result', tool_use_id: 'toolu_2', content: 'Exit code 1', is_error: true };
    expect(readClaudeCode({ type: 'assistant', message: { content: [edit] }, ...transcript })).toMatchObject([
      { timestamp: transcript.timestamp, parentToolUseId: 'toolu_0' },
    ]);
    expect(readClaudeCode(user([failed], { tool_use_result: { stdout: '', stderr: 'no' } }))).toEqual([
      {
        type: 'tool_result',
        toolUseId: 'toolu_2',
        output: 'Exit code 1',
        isError: true,
        data: { stdout: '', stderr: 'no' },
      },
    ]);
    expect(readClaudeCode(user([failed], { tool_use_result: { type: 'text', file: {} } }))[0]).not.toHaveProperty(
      'data',
    );
  });

  it('reads images and text among the blocks of a result', () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    const of = (...content: readonly Json[]): unknown =>
      readClaudeCode(user([{ type: 'tool_result', tool_use_id: '1', content }]))[0];
    expect(of({ type: 'text', text: 'a' }, { type: 'text', text: 'b' })).toMatchObject({ output: 'a\nb' });
    expect(of({ type: 'text', text: 'a' }, { type: 'image', source })).toMatchObject({
      output: [
        { type: 'text', text: 'a' },
        { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      ],
    });
    expect(of({ type: 'tool_reference' })).toMatchObject({ output: [{ type: 'tool_reference' }] });
  });

  it.each<Json>([
    null,
    'text',
    3,
    [],
    {},
    { message: 1 },
    { message: { content: 'hi' } },
    { message: { content: [null, 1] } },
  ])('returns unknown lines unchanged: %j', (line) => {
    const [first, ...more] = readClaudeCode(line);
    expect(first).toBe(line);
    expect(more).toEqual([]);
  });
});

describe('readGeminiCli', () => {
  const timestamp = '2025-10-10T12:00:00.000Z';

  it('merges the calls of a stream', async () => {
    const message: Json = { type: 'message', role: 'assistant', content: 'Reading', delta: true, timestamp };
    const out = await merged(readGeminiCli, [
      {
        type: 'tool_use',
        tool_name: 'read_file',
        tool_id: 'read-1',
        parameters: { absolute_path: '/a.ts' },
        timestamp,
      },
      message,
      {
        type: 'tool_result',
        tool_id: 'read-1',
        status: 'success',
        output: 'text',
        timestamp: '2025-10-10T12:00:02.000Z',
      },
    ]);
    expect(out).toMatchObject([
      message,
      { type: 'tool_execution', toolName: 'read_file', summary: 'Read /a.ts', durationMs: 2_000, output: 'text' },
    ]);
  });

  it('shows the message of a failure', async () => {
    const out = await merged(readGeminiCli, [
      { type: 'tool_use', tool_name: 'run_shell_command', tool_id: '1', parameters: { command: 'x' }, timestamp },
      { type: 'tool_result', tool_id: '1', status: 'error', error: { type: 'TOOL', message: 'denied' }, timestamp },
    ]);
    expect(out).toMatchObject([
      { isError: true, output: 'denied', details: { type: 'commandOutput', stderr: 'denied' } },
    ]);
  });

  it.each<Json>([null, [], { type: 'init', session_id: 's' }, { type: 'tool_use' }, { type: 'other', tool_id: '1' }])(
    'returns unknown lines unchanged: %j',
    (line) => {
      expect(readGeminiCli(line)[0]).toBe(line);
    },
  );
});

describe('readCodex', () => {
  const started = (item: Json): Json => ({ type: 'item.started', item });
  const completed = (item: Json): Json => ({ type: 'item.completed', item });

  it('merges a command with its output and exit code', async () => {
    const command = { id: 'item_1', type: 'command_execution', command: 'bash -lc ls' };
    const out = await merged(readCodex, [
      { type: 'turn.started' },
      started({ ...command, aggregated_output: '', status: 'in_progress' }),
      completed({ ...command, aggregated_output: 'docs\n', exit_code: 2, status: 'failed' }),
    ]);
    expect(out).toMatchObject([
      { type: 'turn.started' },
      {
        type: 'tool_execution',
        toolName: 'shell',
        input: { command: 'bash -lc ls' },
        output: 'docs\n',
        isError: true,
        details: { type: 'commandOutput', stdout: 'docs\n', exitCode: 2 },
      },
    ]);
  });

  it('shows items without a start: changed files and searches', async () => {
    const out = await merged(readCodex, [
      completed({ id: '1', type: 'file_change', changes: [{ path: 'a.ts', kind: 'add' }], status: 'completed' }),
      completed({ id: '2', type: 'web_search', query: 'rxjs' }),
    ]);
    expect(out).toMatchObject([
      { toolName: 'file_change', summary: 'Updated a.ts', details: { type: 'fileList', files: ['a.ts'] } },
      { toolName: 'web_search', input: { query: 'rxjs' }, summary: 'web_search completed' },
    ]);
  });

  it('reads results and errors of MCP servers', async () => {
    const call = { type: 'mcp_tool_call', server: 'files', tool: 'read_file', arguments: { path: 'a' } };
    const out = await merged(readCodex, [
      started({ id: '1', ...call, status: 'in_progress' }),
      completed({ id: '1', ...call, result: { content: [{ type: 'text', text: 'hi' }] }, status: 'completed' }),
      completed({ id: '2', ...call, error: { message: 'gone' }, status: 'failed' }),
    ]);
    expect(out).toMatchObject([
      { toolName: 'mcp__files__read_file', summary: 'Read a', output: 'hi', isError: false },
      { output: 'gone', isError: true },
    ]);
  });

  it.each<Json>([
    null,
    { type: 'thread.started', thread_id: 't' },
    started({ id: '1', type: 'agent_message', text: 'hi' }),
    { type: 'item.updated', item: { id: '1', type: 'command_execution' } },
    completed({ type: 'command_execution' }),
  ])('returns lines without a call unchanged: %j', (line) => {
    expect(readCodex(line)[0]).toBe(line);
  });
});

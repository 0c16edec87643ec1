import type { Json, JsonObject, Part } from 'brooklet';
import type { ToolDetails } from 'brooklet/core';
import { createPresenter } from 'brooklet/tools';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { seeded } from '../support/seeded.ts';

const present = createPresenter();

describe('the presenter, by tool name', () => {
  it.each<readonly [name: string, input: JsonObject, summary: string]>([
    ['Edit', { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' }, 'Updated src/a.ts'],
    ['Edit', {}, 'Updated file'],
    ['Write', { file_path: 'src/a.ts', content: 'a' }, 'Created src/a.ts'],
    ['Write', {}, 'Created file'],
    ['Read', { file_path: 'src/a.ts' }, 'Read src/a.ts'],
    ['Read', {}, 'Read file'],
    ['Bash', { command: 'ls' }, 'Bash completed'],
    ['Glob', { pattern: '*' }, 'Glob completed'],
    ['get_weather', { city: 'Paris' }, 'get_weather completed'],
    ['', {}, 'completed'],
  ])('summarizes %s with %j as %s', (name, input, summary) => {
    expect(present(name, input, 'ok', false).summary).toBe(summary);
  });

  it.each(['Edit', 'edit_file', 'editFile', 'str_replace', 'replace', 'mcp__files__edit_file', 'MULTI-EDIT'])(
    'recognizes %s as a tool that edits',
    (name) => {
      expect(present(name, { path: 'a', old_string: 'x', new_string: 'y' }, 'ok', false).summary).toBe('Updated a');
    },
  );

  it.each(['file_path', 'filePath', 'path', 'file', 'fileName', 'absolute_path', 'notebook_path', 'target_file'])(
    'finds the path in %s',
    (key) => {
      expect(present('Read', { [key]: 'a/b' }, 'text', false).summary).toBe('Read a/b');
    },
  );

  it('shows an edit as a diff, in snake and camel case', () => {
    const details: ToolDetails = { type: 'diff', filePath: 'a', oldContent: 'x', newContent: 'y' };

    expect(present('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' }, 'ok', false).details).toEqual(details);
    expect(present('edit', { filePath: 'a', oldString: 'x', newString: 'y' }, 'ok', false).details).toEqual(details);
    expect(present('replace', { path: 'a', old_str: 'x', new_str: 'y' }, 'ok', false).details).toEqual(details);
  });

  it('shows several edits of one call as one diff', () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: '' },
    ];
    expect(present('MultiEdit', { file_path: 'f', edits }, 'ok', false).details).toEqual({
      type: 'diff',
      filePath: 'f',
      oldContent: 'a\nc',
      newContent: 'b\n',
    });
  });

  it('shows a written file as a diff to the former content, if the output contains it', () => {
    const input = { file_path: 'f', content: 'new' };
    const diff = { type: 'diff', filePath: 'f', newContent: 'new' };
    expect(present('Write', input, 'ok', false).details).toEqual({ ...diff, oldContent: '' });
    expect(present('Write', input, { originalFile: 'old' }, false).details).toEqual({ ...diff, oldContent: 'old' });
  });

  it('distinguishes the three commands of the text editor', () => {
    const summaryOf = (input: JsonObject): string => present('str_replace_based_edit_tool', input, 'ok', false).summary;
    expect(summaryOf({ command: 'view', path: 'f' })).toBe('Read f');
    expect(summaryOf({ command: 'create', path: 'f', file_text: 'x' })).toBe('Created f');
    expect(summaryOf({ command: 'str_replace', path: 'f', old_str: 'x', new_str: 'y' })).toBe('Updated f');
    expect(summaryOf({})).toBe('str_replace_based_edit_tool completed');
  });

  it.each<readonly [output: Json, isError: boolean, stdout: string, stderr: string, exitCode: number]>([
    ['hello', false, 'hello', '', 0],
    [{ stdout: 'out', stderr: 'err', exitCode: 3 }, false, 'out', 'err', 3],
    [{ stdout: 'out', stderr: '', exit_code: 0 }, false, 'out', '', 0],
    [{ stdout: 'out' }, true, 'out', '', 1],
    ['Exit code 127\nno such command', true, '', 'Exit code 127\nno such command', 127],
    ['Output: x\nExit Code: 2', true, '', 'Output: x\nExit Code: 2', 2],
    ['refused', true, '', 'refused', 1],
    [{ other: true }, false, '{"other":true}', '', 0],
  ])('shows the command output %j (error: %s)', (output, isError, stdout, stderr, exitCode) => {
    for (const name of ['Bash', 'run_shell_command', 'shell', 'command']) {
      const { details } = present(name, { command: 'x' }, output, isError);
      expect(details).toEqual({ type: 'commandOutput', stdout, stderr, exitCode });
    }
  });

  it.each<readonly [name: string, output: Json, files: readonly string[] | undefined]>([
    ['Glob', 'src/a.ts\n\n  src/b.ts\n', ['src/a.ts', 'src/b.ts']],
    ['LS', ['a b', 'c'], ['a b', 'c']],
    ['Glob', { filenames: ['a', 'b'], truncated: false }, ['a', 'b']],
    ['list_directory', { files: [] }, []],
    ['Glob', 'No files found', []],
    ['Grep', 'src/a.ts\nREADME.md', ['src/a.ts', 'README.md']],
    ['Grep', 'src/a.ts:3: const a = 1;', undefined],
    ['search', [{ title: 'a page' }], undefined],
  ])('shows the output of %s, %j, as a list of files, if it is one', (name, output, files) => {
    const { details } = present(name, {}, output, false);
    expect(details?.type === 'fileList' ? details.files : undefined).toEqual(files);
  });

  it('lists the files of a patch', () => {
    const input = {
      changes: [
        { path: 'a', kind: 'add' },
        { path: 'b', kind: 'update' },
      ],
    };
    expect(present('file_change', input, 'completed', false)).toEqual({
      summary: 'Updated a, b',
      details: { type: 'fileList', files: ['a', 'b'] },
    });
  });

  it('does not report success for a failed call', () => {
    expect(present('Edit', { file_path: 'f', old_string: 'x', new_string: 'y' }, 'no match', true)).toEqual({
      summary: 'Edit failed',
      details: { type: 'text', text: 'no match' },
    });
  });
});

describe('the presenter, by the type of the output', () => {
  const image: Part = { type: 'image', mediaType: 'image/png', data: 'AAAA' };

  it.each<readonly [what: string, output: Json | readonly Part[], details: ToolDetails | undefined]>([
    ['text', 'hello', { type: 'text', text: 'hello' }],
    ['nothing', null, undefined],
    ['empty text', '', undefined],
    ['an object', { a: 1 }, { type: 'json', value: { a: 1 } }],
    ['a number', 0, { type: 'json', value: 0 }],
    ['an empty list', [], { type: 'json', value: [] }],
    ['an image among parts', [{ type: 'text', text: 'see' }, image], image as ToolDetails],
    [
      'parts of text',
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      { type: 'text', text: 'a\nb' },
    ],
    ['a list that only looks like parts', [{ type: 'invoice' }], { type: 'json', value: [{ type: 'invoice' }] }],
  ])('shows %s', (_what, output, details) => {
    expect(present('any', {}, output, false).details).toEqual(details);
  });

  it('truncates details that are too long for display', () => {
    const { details } = present('any', {}, { text: 'x'.repeat(50_000) }, false);
    expect(details?.type === 'text' && details.text).toMatch(/^\{"text":"x{100}.*… 30011 more characters$/s);
  });

  it('keeps a summary to one line of 200 characters, without control characters', () => {
    const { summary } = present('Read', { path: `a\n\u001b[31m${'b'.repeat(300)}` }, '', false);
    expect(summary).toMatch(/^Read a \[31mb+…$/);
    expect(summary).toHaveLength(200);
  });
});

describe('the registry', () => {
  it('precedes the defaults, exact names first', () => {
    const own = createPresenter({
      Read: () => ({ summary: 'mine' }),
      read: () => ({ summary: 'small' }),
      'get-weather': (input) => ({ summary: `Weather in ${JSON.stringify(input.city)}` }),
    });
    expect(own('Read', {}, 'text', false)).toEqual({ summary: 'mine', details: { type: 'text', text: 'text' } });
    expect(own('read', {}, 'text', false).summary).toBe('small');
    expect(own('getWeather', { city: 'Paris' }, 'text', false).summary).toBe('Weather in "Paris"');
  });

  it('uses the defaults if an entry throws or returns nothing', () => {
    const own = createPresenter({
      Read: () => {
        throw new Error('broken');
      },
      Write: () => undefined,
      Edit: () => ({ summary: ' \n' }),
    });
    expect(own('Read', { path: 'f' }, 'text', false).summary).toBe('Read f');
    expect(own('Write', { path: 'f' }, 'text', false).summary).toBe('Created f');
    expect(own('Edit', { path: 'f' }, 'text', false).summary).toBe('Updated f');
  });

  it('ignores names from Object.prototype', () => {
    expect(present('constructor', {}, 'x', false).summary).toBe('constructor completed');
    expect(present('__proto__', {}, 'x', false).summary).toBe('__proto__ completed');
  });
});

it('never throws, for any name, input and output, and returns the same twice', () => {
  const names = fc.oneof(fc.string(), fc.constantFrom('Edit', 'Write', 'Bash', 'Glob', 'Grep', 'file_change', 'view'));
  const key = fc.constantFrom('path', 'edits', 'changes', 'content', 'old_string', 'command', '__proto__');
  const input = fc.dictionary(key, fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(names, input, fc.jsonValue(), fc.boolean(), (name, fields, output, isError) => {
      // The result of JSON.parse is Json.
      const asJson: Json = JSON.parse(JSON.stringify(output));
      const asInput: JsonObject = JSON.parse(JSON.stringify(fields));
      const shown = present(name, asInput, asJson, isError);
      expect(shown.summary).not.toBe('');
      expect(shown.summary).not.toContain('\n');
      expect(present(name, asInput, asJson, isError)).toEqual(shown);
    }),
    seeded(300),
  );
});

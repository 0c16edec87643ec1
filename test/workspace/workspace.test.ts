import { type AgentSession, createAgent, type JsonObject, toolParts, type ToolPart } from 'brooklet';
import { evolve, initialState } from 'brooklet/core';
import { createMemoryStore, type ExportMask, maskLog } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { createWorkspaceTools, openWorkspace, previewChange, undoChange } from 'brooklet/workspace';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createGate } from '../support/gate.ts';
import { asHandle, type MemoryFolder, memoryFolder, textIn } from '../support/memory-files.ts';
import { asks, run } from '../tools/run.ts';

function toolsOf(folder: MemoryFolder, options: { readonly maxBytes?: number } = {}) {
  const [list, read, write, patch] = createWorkspaceTools({ directory: asHandle(folder), ...options });
  if (!list || !read || !write || !patch) throw new Error('a tool is missing');
  return { list, read, write, patch };
}

/** Returns the hash that `read_file` states. */
async function hashOf(folder: MemoryFolder, path: string): Promise<string> {
  const { output } = await run(toolsOf(folder).read, { path });
  return (typeof output === 'string' && /^\[hash ([\da-f]{16})\]/.exec(output)?.[1]) || '';
}

describe('openWorkspace', () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ['has no private file system', undefined],
    ['gives the page none', () => Promise.reject(new Error('UnknownError'))],
  ])('rejects with STORAGE_UNAVAILABLE where the browser %s', async (_what, getDirectory) => {
    vi.stubGlobal('navigator', { storage: { getDirectory } });
    await expect(openWorkspace()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    const [list] = createWorkspaceTools();
    await expect(list && run(list, {})).rejects.toThrow('no private file system');
  });
});

describe('createWorkspaceTools', () => {
  it('lists files with their sizes, also those in folders', async () => {
    const folder = memoryFolder({ 'a.md': 'aa', 'notes/deep/b.md': 'b' });
    const { output, presentation, needsApproval } = await run(toolsOf(folder).list, {});
    expect(output).toEqual({
      files: [
        { path: 'a.md', bytes: 2 },
        { path: 'notes/deep/b.md', bytes: 1 },
      ],
    });
    expect(presentation).toEqual({
      summary: '2 files',
      details: { type: 'fileList', files: ['a.md', 'notes/deep/b.md'] },
    });
    expect(needsApproval).toBe(false);
    expect((await run(toolsOf(folder).list, { folder: 'notes/deep' })).output).toMatchObject({
      files: [{ path: 'notes/deep/b.md' }],
    });
    await expect(run(toolsOf(folder).list, { folder: 'other' })).rejects.toThrow('no such file or folder');
  });

  it('says that a list is not complete, also where folders only are left', async () => {
    const listed = async (files: Readonly<Record<string, string>>): Promise<unknown> => {
      const [list] = createWorkspaceTools({ directory: asHandle(memoryFolder(files)), maxListed: 2 });
      return list && (await run(list, {})).output;
    };
    const note = 'There is more: name a folder.';
    expect(await listed({ a: '', b: '' })).toEqual({ files: [expect.anything(), expect.anything()] });
    expect(await listed({ a: '', b: '', c: '' })).toMatchObject({ files: [{ path: 'a' }, { path: 'b' }], note });
    expect(await listed({ 'a/x': '', 'b/x': '', 'c/x': '', 'd/x': '' })).toMatchObject({ note });
  });

  it('reads a file with its hash, in pages', async () => {
    const folder = memoryFolder({ 'a.md': '0123456789' });
    const [, read] = createWorkspaceTools({ directory: asHandle(folder), pageSize: 4 });
    if (!read) throw new Error('no tool');
    expect((await run(read, { path: 'a.md' })).output).toMatch(
      /^\[hash [\da-f]{16}\]\n0123\n\[… 6 more characters: call again with from 4\]$/,
    );
    expect((await run(read, { path: 'a.md', from: 8 })).output).toMatch(/\]\n89$/);
    await expect(run(read, { path: 'b.md' })).rejects.toThrow('There is no file "b.md"');
  });

  it('asks for each write and patch, unless the page says otherwise', async () => {
    const { write, patch } = toolsOf(memoryFolder({}));
    expect(await asks(write, { path: 'a', content: '' })).toBe(true);
    expect(await asks(patch, { path: 'a', hash: 'x', edits: [{ old_text: 'a', new_text: 'b' }] })).toBe(true);
    const [, , drafts] = createWorkspaceTools({ needsApproval: (path) => !path.startsWith('drafts/') });
    if (!drafts) throw new Error('no tool');
    expect(await asks(drafts, { path: 'drafts/a', content: '' })).toBe(false);
    expect(await asks(drafts, { path: 'a', content: '' })).toBe(true);
  });

  it('creates a file, and replaces it only by the hash of what was read', async () => {
    const folder = memoryFolder({});
    const { write } = toolsOf(folder);
    const created = await run(write, { path: 'notes/a.md', content: 'one' });
    expect(created.output).toEqual({ path: 'notes/a.md', hash: expect.any(String), bytes: 3 });
    expect(textIn(folder, 'notes/a.md')).toBe('one');
    await expect(run(write, { path: 'notes/a.md', content: 'two' })).rejects.toThrow('exists already');
    await expect(run(write, { path: 'notes/a.md', content: 'two', hash: '0123456789abcdef' })).rejects.toThrow(
      'Read it again',
    );
    await expect(run(write, { path: 'b.md', content: 'two', hash: '0123456789abcdef' })).rejects.toThrow(
      'does not exist',
    );
    expect(textIn(folder, 'notes/a.md')).toBe('one');
    const hash = await hashOf(folder, 'notes/a.md');
    const replaced = await run(write, { path: 'notes/a.md', content: 'two', hash });
    expect(replaced.output).toMatchObject({ replaced: hash });
    expect(replaced.presentation).toEqual({
      summary: 'Replaced notes/a.md',
      details: { type: 'diff', filePath: 'notes/a.md', oldContent: 'one', newContent: 'two' },
    });
    expect(textIn(folder, 'notes/a.md')).toBe('two');
  });

  it('patches by exact texts, all edits or none', async () => {
    const folder = memoryFolder({ 'a.md': 'red green blue green' });
    const { patch } = toolsOf(folder);
    const hash = await hashOf(folder, 'a.md');
    const edit = (old_text: string, new_text: string): { old_text: string; new_text: string } => ({
      old_text,
      new_text,
    });
    const patched = run(patch, { path: 'a.md', hash, edits: [edit('red', 'pink'), edit('green', 'grey')] });
    await expect(patched).rejects.toThrow('the old text of edit 2 occurs more than once');
    await expect(run(patch, { path: 'a.md', hash, edits: [edit('gold', 'x')] })).rejects.toThrow('occurs nowhere');
    expect(textIn(folder, 'a.md')).toBe('red green blue green');
    await run(patch, { path: 'a.md', hash, edits: [edit('red', 'pink'), edit('blue green', 'grey')] });
    expect(textIn(folder, 'a.md')).toBe('pink green grey');
    await expect(run(patch, { path: 'a.md', hash, edits: [edit('pink', 'red')] })).rejects.toThrow('Read it again');
  });

  it.each([
    '../a',
    '/a',
    'a/../../b',
    'a//b',
    '',
    'c:/a',
    'a\\b',
    'a/__proto__/b',
    'a\u0000',
    './a',
    'a/.',
    `${'a/'.repeat(20)}b`,
  ])('refuses the path %j and touches nothing', async (path) => {
    const folder = memoryFolder({ 'a.md': 'a' });
    const { read, write, list } = toolsOf(folder);
    await expect(run(write, { path, content: 'x' })).rejects.toThrow(/path|refused/);
    await expect(run(read, { path })).rejects.toThrow(/path|refused/);
    if (path !== '') await expect(run(list, { folder: path })).rejects.toThrow('path');
    expect([...folder.all.keys()]).toEqual(['a.md']);
  });

  it('reads and writes no binary and no large file', async () => {
    const folder = memoryFolder({
      'a.bin': new Uint8Array([0xff, 0xfe, 0]),
      'nul.txt': 'a\0b',
      'big.txt': 'x'.repeat(11),
    });
    const { read, write } = toolsOf(folder, { maxBytes: 10 });
    await expect(run(read, { path: 'a.bin' })).rejects.toThrow('binary');
    await expect(run(read, { path: 'nul.txt' })).rejects.toThrow('binary');
    await expect(run(write, { path: 'a.bin', content: 'x', hash: 'h' })).rejects.toThrow('binary');
    await expect(run(read, { path: 'big.txt' })).rejects.toThrow('more than 10');
    await expect(run(write, { path: 'new.txt', content: 'é'.repeat(6) })).rejects.toThrow('12 bytes, more than 10');
  });

  it('states why the browser refuses', async () => {
    const folder = memoryFolder({ 'a.md': 'a' });
    const { write } = toolsOf(folder);
    const file = await folder.getFileHandle('a.md');
    file.failure = 'NotAllowedError';
    const hash = await hashOf(folder, 'a.md');
    await expect(run(write, { path: 'a.md', content: 'b', hash })).rejects.toThrow('the person has to allow it');
    await expect(run(write, { path: 'a.md/b', content: 'b' })).rejects.toThrow('a folder of the path is a file');
  });

  it('leaves no new file that could not be written, and keeps an old one', async () => {
    const folder = memoryFolder({ 'a.md': 'a' });
    const hash = await hashOf(folder, 'a.md');
    const open = folder.getFileHandle.bind(folder);
    folder.getFileHandle = async (name, options) =>
      Object.assign(await open(name, options), { failure: 'QuotaExceededError' });
    const { write, list } = toolsOf(folder);
    await expect(run(write, { path: 'b.md', content: 'b' })).rejects.toThrow('the disk is full');
    await expect(run(write, { path: 'a.md', content: 'b', hash })).rejects.toThrow('the disk is full');
    expect((await run(list, {})).output).toEqual({ files: [{ path: 'a.md', bytes: 1 }] });
  });

  it('writes nothing once a call is cancelled: while its file is read, and while it waits for another change', async () => {
    const folder = memoryFolder({ 'a.md': 'one' });
    const { write, patch } = toolsOf(folder);
    const hash = await hashOf(folder, 'a.md');
    const edits = [{ old_text: 'one', new_text: 'two' }];
    const file = await folder.getFileHandle('a.md');
    const read = file.getFile.bind(file);
    for (const [tool, input] of [
      [write, { path: 'a.md', content: 'two', hash }],
      [patch, { path: 'a.md', hash, edits }],
    ] as const) {
      const leaving = new AbortController();
      file.getFile = async () => {
        leaving.abort(new Error('cancelled'));
        return read();
      };
      await expect(run(tool, input, { signal: leaving.signal })).rejects.toThrow('cancelled');
    }
    const [gate, begun, leaving] = [createGate(), createGate(), new AbortController()];
    file.getFile = async () => {
      begun.open();
      await gate.opened;
      return read();
    };
    const first = run(write, { path: 'a.md', content: 'first' }).catch(() => {});
    await begun.opened;
    const waiting = run(write, { path: 'a.md', content: 'second', hash }, { signal: leaving.signal });
    leaving.abort(new Error('cancelled'));
    const told = waiting.catch((thrown: unknown) => thrown);
    gate.open();
    await first;
    expect(await told).toMatchObject({ message: 'cancelled' });
    expect(textIn(folder, 'a.md')).toBe('one');
    const created = new AbortController();
    created.abort(new Error('cancelled'));
    await expect(run(write, { path: 'b.md', content: 'b' }, { signal: created.signal })).rejects.toThrow('cancelled');
    expect(textIn(folder, 'b.md')).toBeUndefined();
  });

  it('lets one of two tabs win that change the same version', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 8 }), async (order) => {
        const folder = memoryFolder({ 'a.md': 'start' });
        const hash = await hashOf(folder, 'a.md');
        const tabs = [0, 1, 2, 3].map(() => toolsOf(folder));
        const results = await Promise.allSettled(
          order.map((tab, index) => {
            const { write, patch } = tabs[tab] ?? toolsOf(folder);
            return index % 2 === 0
              ? run(write, { path: 'a.md', content: `by ${index}`, hash })
              : run(patch, { path: 'a.md', hash, edits: [{ old_text: 'start', new_text: `by ${index}` }] });
          }),
        );
        const winners = results.flatMap(({ status }, index) => (status === 'fulfilled' ? index : []));
        expect(winners).toHaveLength(1);
        expect(textIn(folder, 'a.md')).toBe(`by ${winners[0]}`);
      }),
      { numRuns: 50 },
    );
  });
});

/** A session in which the model changes files, and a person approves everything. */
async function converse(
  folder: MemoryFolder,
  calls: readonly (readonly [string, JsonObject])[],
  store = createMemoryStore(),
): Promise<AgentSession> {
  const client = createScriptedClient([
    ...calls.map(([name, input]) => [reply.call(name, input)]),
    [reply.text('Done.')],
  ]);
  const agent = createAgent({ client, store, tools: createWorkspaceTools({ directory: asHandle(folder) }) });
  const session = await agent.openSession(agent.createSession());
  const sent = session.send('Go.');
  for (const _call of calls) {
    await expect.poll(() => session.getStatus(), { interval: 1 }).toBe('waiting');
    const waiting = callsOf(session).find(({ status }) => status === 'awaiting-approval');
    if (waiting) await session.approve(waiting.callId);
  }
  await sent;
  return session;
}

function callsOf(session: AgentSession): readonly ToolPart[] {
  return session.getMessages().flatMap(toolParts);
}

describe('a change in a session', () => {
  it('is taken back from the log alone, newest first, also from an imported log', async () => {
    const folder = memoryFolder({ 'a.md': '\uFEFFone\r\ntwo', 'notes/b.md': 'b' });
    const hash = await hashOf(folder, 'a.md');
    const session = await converse(folder, [
      ['write_file', { path: 'new.md', content: 'new' }],
      ['write_file', { path: 'a.md', content: 'two two', hash }],
    ]);
    const directory = asHandle(folder);
    const second = await hashOf(folder, 'a.md');
    const patched = await converse(folder, [
      [
        'patch_file',
        {
          path: 'a.md',
          hash: second,
          edits: [
            { old_text: 'two two', new_text: 'xx' },
            { old_text: 'xx', new_text: '' },
          ],
        },
      ],
    ]);
    expect(textIn(folder, 'a.md')).toBe('');

    const [created, replaced] = callsOf(session);
    const [patch] = callsOf(patched);
    if (!created || !replaced || !patch) throw new Error('a call is missing');
    expect(replaced).toMatchObject({ status: 'succeeded', output: { replaced: hash } });
    expect(JSON.stringify(replaced.output)).not.toContain('one');

    await expect(undoChange(replaced, { directory })).rejects.toThrow('Read it again');
    expect(await undoChange(patch, { directory })).toEqual({ path: 'a.md', isRemoved: false });
    expect(textIn(folder, 'a.md')).toBe('two two');
    const reloaded: ToolPart = JSON.parse(JSON.stringify(replaced));
    await undoChange(reloaded, { directory });
    expect(await hashOf(folder, 'a.md')).toBe(hash);
    expect(await undoChange(created, { directory })).toEqual({ path: 'new.md', isRemoved: true });
    expect(textIn(folder, 'new.md')).toBeUndefined();
    await expect(undoChange(created, { directory })).rejects.toThrow('does not exist');
  });

  it('is not taken back once the wait for another change of the file is called off', async () => {
    const folder = memoryFolder({ 'a.md': 'one' });
    const [directory, hash] = [asHandle(folder), await hashOf(folder, 'a.md')];
    const session = await converse(folder, [['write_file', { path: 'a.md', content: 'two', hash }]]);
    const [call = expect.unreachable()] = callsOf(session);
    const [gate, begun, leaving] = [createGate(), createGate(), new AbortController()];
    const file = await folder.getFileHandle('a.md');
    const read = file.getFile.bind(file);
    file.getFile = async () => {
      begun.open();
      await gate.opened;
      return read();
    };
    const first = run(toolsOf(folder).write, { path: 'a.md', content: 'first' }).catch(() => 'refused');
    await begun.opened;
    const undone = undoChange(call, { directory, signal: leaving.signal });
    const last = undoChange(call, { directory });
    leaving.abort(new Error('called off'));
    // At once: what holds the file may be a tab that is frozen.
    await expect(undone).rejects.toThrow('called off');
    expect(textIn(folder, 'a.md')).toBe('two');
    gate.open();
    expect(await first).toBe('refused');
    expect(await last).toEqual({ path: 'a.md', isRemoved: false });
    expect(textIn(folder, 'a.md')).toBe('one');
  });

  it('is not taken back where the log lost what was there', async () => {
    const folder = memoryFolder({ 'a.md': 'one' });
    const hash = await hashOf(folder, 'a.md');
    const session = await converse(folder, [['write_file', { path: 'a.md', content: 'two', hash }]]);
    const [call] = callsOf(session);
    if (!call) throw new Error('no call');
    const { details: _details, ...masked } = call;
    await expect(undoChange(masked, { directory: asHandle(folder) })).rejects.toThrow('The log does not contain');
    await expect(undoChange({ ...call, status: 'failed' }, { directory: asHandle(folder) })).rejects.toThrow(
      'changed no file',
    );
    expect(textIn(folder, 'a.md')).toBe('two');
  });

  it.each<[mask: string, ExportMask]>([
    ['the old content', { patterns: [/one/] }],
    ['a part of the old content', { patterns: [/n/] }],
    ['the old content and the new one', { patterns: [/one|two/] }],
    ['the hash of the old content', { patterns: [/[\da-f]{16}/] }],
    ['the path', { patterns: [/a\.md/] }],
    ['outputs of tools', { toolOutputs: true }],
    ['everything', { patterns: [/./] }],
  ])('is not taken back by a log that masks %s: the file stays as it is', async (_what, mask) => {
    for (const name of ['write_file', 'patch_file']) {
      const folder = memoryFolder({ 'a.md': 'one and one more' });
      const input = { path: 'a.md', hash: await hashOf(folder, 'a.md') };
      const edits = [{ old_text: 'one and', new_text: 'two and' }];
      const change = name === 'write_file' ? { content: 'two and one more' } : { edits };
      const store = createMemoryStore();
      const session = await converse(folder, [[name, { ...input, ...change }]], store);
      const after = textIn(folder, 'a.md');
      expect(after).toBe('two and one more');
      await session.flushed();
      const { events = [] } = (await store.read(session.id)) ?? {};
      const { messages } = maskLog(events, mask).reduce(evolve, initialState(session.id));
      const [call = expect.unreachable()] = messages.flatMap(toolParts);
      await expect(undoChange(call, { directory: asHandle(folder) })).rejects.toThrow(Error);
      expect([...folder.all.keys()]).toEqual(['a.md']);
      expect(textIn(folder, 'a.md')).toBe(after);
    }
  });

  it('is shown as a diff before it is approved', async () => {
    const folder = memoryFolder({ 'a.md': 'one' });
    const hash = await hashOf(folder, 'a.md');
    const call: ToolPart = {
      type: 'tool',
      callId: 'c',
      name: 'write_file',
      status: 'awaiting-approval',
      inputText: '',
    };
    const directory = asHandle(folder);
    expect(await previewChange({ ...call, input: { path: 'a.md', content: 'two', hash } }, { directory })).toEqual({
      type: 'diff',
      filePath: 'a.md',
      oldContent: 'one',
      newContent: 'two',
    });
    const edits = [{ old_text: 'one', new_text: 'two' }];
    expect(await previewChange({ ...call, name: 'patch_file', input: { path: 'a.md', hash, edits } })).toMatchObject({
      oldContent: 'one',
      newContent: 'two',
    });
    expect(await previewChange({ ...call, name: 'other', input: {} })).toBeUndefined();
  });

  it('comes back through any edits that could be made', async () => {
    const words = fc
      .array(fc.constantFrom('a', 'b', 'ab', '\n', 'é', '😀'), { maxLength: 12 })
      .map((list) => list.join(''));
    await fc.assert(
      fc.asyncProperty(words, words, words, async (text, old_text, new_text) => {
        const folder = memoryFolder({ f: text });
        const { patch } = toolsOf(folder);
        const input = { path: 'f', hash: await hashOf(folder, 'f'), edits: [{ old_text, new_text }] };
        const ran = await run(patch, input).catch(() => undefined);
        if (ran === undefined) {
          expect(textIn(folder, 'f')).toBe(text);
          return;
        }
        const call = { type: 'tool', callId: 'c', name: 'patch_file', status: 'succeeded', inputText: '' } as const;
        await undoChange({ ...call, input, output: ran.output }, { directory: asHandle(folder) });
        expect(textIn(folder, 'f')).toBe(text);
      }),
      { numRuns: 200 },
    );
  });
});

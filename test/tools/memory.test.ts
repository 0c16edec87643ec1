import 'fake-indexeddb/auto';
import type { Tool } from 'brooklet';
import { createMemoryNotes, memoryTools } from 'brooklet/tools';
import { describe, expect, it } from 'vitest';
import { run } from './run.ts';

function named(tools: readonly Tool[], name: string): Tool {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no ${name}`);
  return tool;
}

describe('memoryTools', () => {
  it('remembers for all sessions of an agent, in one browser', async () => {
    const agent = `agent-${crypto.randomUUID()}`;
    await run(named(memoryTools({ agent }), 'remember'), { text: 'The user sails on Tuesdays.' });
    const { output } = await run(named(memoryTools({ agent }), 'read_memory'), {});
    expect(output).toEqual({ memories: [{ id: 1, text: 'The user sails on Tuesdays.' }], total: 1 });
  });

  it('separates agents', async () => {
    const id = crypto.randomUUID();
    await run(named(memoryTools({ agent: `one-${id}` }), 'remember'), { text: 'A secret.' });
    const { output } = await run(named(memoryTools({ agent: `two-${id}` }), 'read_memory'), {});
    expect(output).toEqual({ memories: [], total: 0 });
  });

  it('finds entries by words, newest first, and returns at most one page', async () => {
    const tools = memoryTools({ agent: 'a', store: createMemoryNotes(), pageSize: 30 });
    for (const text of ['red boats', 'blue boats', 'red cars', 'Red BOATS again']) {
      await run(named(tools, 'remember'), { text });
    }
    const found = await run(named(tools, 'read_memory'), { words: 'boats red' });
    expect(found.output).toEqual({
      memories: [
        { id: 4, text: 'Red BOATS again' },
        { id: 1, text: 'red boats' },
      ],
      total: 2,
    });
    const all = await run(named(tools, 'read_memory'), {});
    expect(all.output).toMatchObject({ memories: [{ id: 4 }, { id: 3 }], total: 4 });
  });

  it('deletes an entry, and reports an unknown one', async () => {
    const tools = memoryTools({ agent: 'a', store: createMemoryNotes() });
    await run(named(tools, 'remember'), { text: 'Not true any more.' });
    expect((await run(named(tools, 'forget'), { id: 1 })).output).toEqual({ forgotten: 1 });
    await expect(run(named(tools, 'forget'), { id: 1 })).rejects.toThrow(
      'There is no memory with the id 1: read_memory lists the ids.',
    );
  });
});

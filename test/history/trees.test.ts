import fc from 'fast-check';
import type { SessionStore } from 'brooklet';
import { createMemoryStore, importHistory } from 'brooklet/storage';
import { expect, test } from 'vitest';
import { seeded } from '../support/seeded.ts';
import { conversation, said } from './samples/chatgpt.ts';
import { open } from './stage.ts';

const root = 'client-created-root';

/** A conversation whose nodes have these parents: the number of an earlier node. */
function treeOf(parents: readonly number[], count: number, current: number): string {
  const nodes = parents.slice(0, count).map((parent, index) => {
    // A user's message is a message of its own; replies may be joined.
    const message = said(`n${index}`, 'user', `Words ${index}`, { at: 1_700_000_000 + index });
    return [message, index === 0 || parent % (index + 1) === index ? root : `n${parent % (index + 1)}`] as const;
  });
  return JSON.stringify([conversation('c', nodes, `n${current % count}`)]);
}

function parentsOf(parents: readonly number[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    parents.map((parent, index) => [
      `n${index}`,
      index === 0 || parent % (index + 1) === index ? '' : `n${parent % (index + 1)}`,
    ]),
  );
}

/** The message before each message of a session, in the conversation that is shown and in all versions. */
async function storedParents(store: SessionStore): Promise<Readonly<Record<string, string>>> {
  const session = await open(store, 'chatgpt-c');
  const { messages, alternatives } = session.getState();
  const found: [string, string][] = [];
  for (const { after, messages: version } of [{ after: '', messages }, ...alternatives])
    version.forEach(({ id }, index) => found.push([id, version[index - 1]?.id ?? after]));
  expect(new Set(found.map(([id]) => id)).size).toBe(found.length);
  return Object.fromEntries(found);
}

/** Ids from the first message to this one. */
function pathTo(parents: Readonly<Record<string, string>>, id: string): readonly string[] {
  const before = parents[id] ?? '';
  return before === '' ? [id] : [...pathTo(parents, before), id];
}

const parentsArbitrary = fc.array(fc.nat(), { minLength: 1, maxLength: 25 });

test('any tree becomes a session in which each message follows the one that it follows there', async () => {
  await fc.assert(
    fc.asyncProperty(parentsArbitrary, fc.nat(), async (parents, current) => {
      const store = createMemoryStore();
      await importHistory(store, treeOf(parents, parents.length, current));
      const expected = parentsOf(parents);
      expect(await storedParents(store)).toEqual(expected);
      const shown = (await open(store, 'chatgpt-c')).getMessages().map(({ id }) => id);
      const path = pathTo(expected, `n${current % parents.length}`);
      expect(shown.slice(0, path.length)).toEqual(path);
    }),
    seeded(400),
  );
});

test('a tree that grows from import to import is the same in the end, and is never written in vain', async () => {
  await fc.assert(
    fc.asyncProperty(parentsArbitrary, fc.array(fc.nat(), { maxLength: 4 }), async (parents, cuts) => {
      const store = createMemoryStore();
      const counts = cuts.map((cut) => 1 + (cut % parents.length)).toSorted((one, other) => one - other);
      for (const count of [...counts, parents.length]) await importHistory(store, treeOf(parents, count, count - 1));
      expect(await storedParents(store)).toEqual(parentsOf(parents));
      const before = await store.read('chatgpt-c');
      const again = await importHistory(store, treeOf(parents, parents.length, 0));
      expect(again.conversations[0]?.result).toBe('unchanged');
      expect(await store.read('chatgpt-c')).toEqual(before);
    }),
    seeded(400),
  );
});

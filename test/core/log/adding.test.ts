import { createAgent, type Message } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { expect, test } from 'vitest';
import { createManualClient, settled } from '../../support/manual-client.ts';

function stage() {
  const agent = createAgent({ client: createManualClient(), store: createMemoryStore() });
  const session = agent.getSession(agent.createSession()) ?? expect.unreachable();
  return session;
}

/** The number of elements that are copied out of arrays during `work`. */
function copiedWhile(work: () => void): number {
  let copied = 0;
  const real = Array.prototype[Symbol.iterator];
  function counting(this: unknown[]): unknown {
    copied += this.length;
    return Reflect.apply(real, this, []);
  }
  Reflect.set(Array.prototype, Symbol.iterator, counting);
  try {
    work();
  } finally {
    Reflect.set(Array.prototype, Symbol.iterator, real);
  }
  return copied;
}

test('a history that grows message by message copies a constant number of elements per message, at any length', () => {
  const add = (count: number): number => {
    const session = stage();
    const copied = copiedWhile(() => {
      for (let index = 0; index < count; index++) session.addMessage({ id: `m${index}`, role: 'user', content: 'x' });
    });
    expect(session.getMessages()).toHaveLength(count);
    return copied;
  };
  const [few, many] = [add(200), add(2_000)];
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThan(20 * few);
});

/** The number of elements that are added to sets during `work`. */
function collectedWhile(work: () => void): number {
  let collected = 0;
  const real = Reflect.get(Set.prototype, 'add');
  function counting(this: unknown, element: unknown): unknown {
    collected += 1;
    return Reflect.apply(real, this, [element]);
  }
  Reflect.set(Set.prototype, 'add', counting);
  try {
    work();
  } finally {
    Reflect.set(Set.prototype, 'add', real);
  }
  return collected;
}

test('a history that grows while somebody subscribes collects a constant number of ids per message, at any length', () => {
  const add = (count: number): number => {
    const session = stage();
    session.messages$.subscribe();
    return collectedWhile(() => {
      for (let index = 0; index < count; index++)
        void session.addMessage({ id: `m${index}`, role: 'user', content: 'x' });
    });
  };
  const [few, many] = [add(200), add(2_000)];
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThan(20 * few);
});

test('an added message is readable at once by every getter, and its id is taken at once', () => {
  const session = stage();
  for (const id of ['a', 'b', 'c']) {
    session.addMessage({ id, role: 'user', content: id });
    expect(session.getMessages().at(-1)?.id).toBe(id);
    expect(() => session.addMessage({ id, role: 'user', content: id })).toThrow('already');
  }
  session.addMessage({ id: 'd', role: 'user', content: 'd' });
  expect(() => session.addMessage({ id: 'd', role: 'user', content: 'd' })).toThrow('already');
  session.updateMessage('d', (message) => ({ ...message, content: [] }));
  session.clear();
  session.addMessage({ id: 'd', role: 'user', content: 'd' });
  expect(session.getMessages()).toHaveLength(1);
});

test('a subscriber is notified of each message at once, and a late subscriber receives all messages', async () => {
  const session = stage();
  for (const id of ['a', 'b']) session.addMessage({ id, role: 'user', content: id });
  const seen: (readonly Message[])[] = [];
  const lengths = (): readonly number[] => seen.map(({ length }) => length);
  session.messages$.subscribe((messages) => seen.push(messages));
  expect(lengths()).toEqual([2]);
  for (const id of ['c', 'd']) session.addMessage({ id, role: 'user', content: id });
  expect(lengths()).toEqual([2, 3, 4]);
  await settled();
  expect(lengths()).toEqual([2, 3, 4]);
});

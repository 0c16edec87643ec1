import { extractTextContent } from 'brooklet';
import { evolve, initialState } from 'brooklet/core';
import fc from 'fast-check';
import { createFaultyStore, type FaultyStore } from '../../support/faulty-store.ts';
import { settled } from '../../support/manual-client.ts';
import { twoTabs } from '../../support/tabs.ts';

/** What happens next: a tab adds a message, or time passes in both. The answer of the first tab's write may be lost. */
const move = fc.oneof(
  fc.record({ by: fc.constant('first' as const), isLost: fc.boolean() }),
  fc.record({ by: fc.constant('second' as const) }),
  fc.record({ by: fc.constant('clock' as const), ms: fc.constantFrom(100, 1_000) }),
);

/** Two tabs add messages, and answers of one tab's writes are lost: each message is stored once, and both tabs show the same. */
export const lostAnswersAreFound = fc.asyncProperty(
  fc.array(fc.tuple(move, fc.constantFrom(0, 3, 300)), { minLength: 3, maxLength: 12, size: 'max' }),
  async (moves) => {
    let faulty: FaultyStore | undefined;
    const { a, b, first, second, browser, id } = await twoTabs({
      spoil: (store) => (faulty = createFaultyStore(store)).store,
    });
    const added: string[] = [];
    for (const [its, turns] of moves) {
      if (its.by === 'clock') for (const { ports } of [first, second]) ports.pass(its.ms);
      else {
        if (its.by === 'first') faulty?.arm(its.isLost ? ['lied'] : []);
        const content = `word ${added.length}`;
        added.push(content);
        (its.by === 'first' ? a : b).addMessage({ role: 'user', content });
      }
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    }
    faulty?.heal();
    for (let round = 0; round < 6; round++) {
      for (const { ports } of [first, second]) ports.pass(10_000);
      await settled();
    }
    const stored = ((await browser.store.read(id))?.events ?? []).reduce(evolve, initialState(id));
    for (const { messages } of [stored, a.getState(), b.getState()]) {
      const texts = messages.map((message) => extractTextContent(message));
      if (texts.toSorted().join() !== added.toSorted().join())
        throw new Error(`${added.join()} was said, and there is ${texts.join()}`);
    }
    if (JSON.stringify(a.getMessages()) !== JSON.stringify(b.getMessages()))
      throw new Error('the tabs show two orders');
  },
);

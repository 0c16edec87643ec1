import type { SessionEvent } from '../../core/model/event.ts';
import type { Behaviour } from './behaviour.ts';
import { same } from './expect.ts';
import { addSession, messageAt, summaryOf, seqsOf, textAt, textsAt, writeOf } from './sample.ts';

export const reading: readonly Behaviour[] = [
  {
    name: 'reads undefined for a missing session',
    check: async (store) => same(await store.read('missing'), undefined, 'read'),
  },
  {
    name: 'reads the summary and the events as they were written',
    async check(store) {
      await addSession(store, 'a', 3, { title: 'Größe 🦊', usage: { input: 1, output: 2, cached: 1, reasoning: 1 } });
      const head = summaryOf('a', 3, { title: 'Größe 🦊', usage: { input: 1, output: 2, cached: 1, reasoning: 1 } });
      same(await store.read('a'), { summary: head, events: textsAt(1, 3) }, 'read');
    },
  },
  {
    name: 'reads the events of several writes in the order of seq',
    async check(store) {
      await addSession(store, 'a', 2);
      await store.write(writeOf('a', 2, textsAt(3, 12)));
      await store.write(writeOf('a', 12, [textAt(100), textAt(1_000_000_000)]));
      same(await seqsOf(store, 'a'), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 100, 1_000_000_000], 'order');
    },
  },
  {
    name: 'reads only the events after a seq',
    async check(store) {
      await addSession(store, 'a', 12);
      same(await seqsOf(store, 'a', 9), [10, 11, 12], 'after 9');
      same(
        await seqsOf(store, 'a', 0),
        textsAt(1, 12).map(({ seq }) => seq),
        'after 0',
      );
    },
  },
  {
    name: 'reads the summary where no event is after a seq',
    async check(store) {
      await addSession(store, 'a', 3);
      same(await store.read('a', { after: 3 }), { summary: summaryOf('a', 3), events: [] }, 'after the last');
      same(await store.read('a', { after: Infinity }), { summary: summaryOf('a', 3), events: [] }, 'after everything');
    },
  },
  {
    name: 'keeps sessions apart whose ids have the same beginning',
    async check(store) {
      const ids = ['a', 'a\u0000', 'a ', 'a1', 'a,1', 'b', 'A'];
      for (const [index, id] of ids.entries()) await addSession(store, id, index + 1);
      for (const [index, id] of ids.entries()) same((await seqsOf(store, id))?.length, index + 1, JSON.stringify(id));
    },
  },
  {
    name: 'accepts any string as an id: empty, __proto__, constructor, emoji, control characters, half an emoji',
    async check(store) {
      const ids = [
        '',
        '__proto__',
        'constructor',
        'toString',
        '👩‍👩‍👧',
        '../\\"\n\u202e',
        '\ud83d',
        '\ude00',
        'x'.repeat(1000),
      ];
      for (const [index, id] of ids.entries()) await addSession(store, id, index + 1);
      for (const [index, id] of ids.entries()) {
        const stored = await store.read(id);
        same([stored?.summary.id, stored?.events.length], [id, index + 1], JSON.stringify(id));
      }
      same((await store.list()).sessions.length, ids.length, 'listed');
    },
  },
  {
    name: 'keeps every character of a text: NUL, line separators, half an emoji',
    async check(store) {
      const text = '\u0000\u2028\u2029\ufeff\ud83d x \ude00\r\n\u202e👩‍👩‍👧';
      await store.write(writeOf('a', 0, [textAt(1, text)]));
      same((await store.read('a'))?.events, [textAt(1, text)], 'events');
    },
  },
  {
    name: 'keeps keys named __proto__ and constructor inside an event',
    async check(store) {
      const event: SessionEvent = JSON.parse(
        `{"type":"call.ended","callId":"c","outcome":"succeeded","seq":1,"at":1,"v":1,
          "output":{"__proto__":{"polluted":true},"constructor":{"prototype":1},"deep":[{"__proto__":null}]}}`,
      );
      await store.write(writeOf('a', 0, [event]));
      same((await store.read('a'))?.events, [event], 'events');
      same(Reflect.get({}, 'polluted'), undefined, 'a plain object');
    },
  },
  {
    name: 'keeps events of unknown types and versions',
    async check(store) {
      const event: SessionEvent = JSON.parse('{"type":"moon.landed","seq":1,"at":1,"v":99,"crew":[null,1.5,"x"]}');
      await store.write(writeOf('a', 0, [event]));
      same((await store.read('a'))?.events, [event], 'events');
    },
  },
  {
    name: 'keeps an event of 1 MB',
    async check(store) {
      const event = textAt(1, 'häß'.repeat(350_000));
      await store.write(writeOf('a', 0, [event]));
      same((await store.read('a'))?.events, [event], 'events');
    },
  },
  {
    name: 'keeps 10,000 events of one write in order',
    async check(store) {
      await addSession(store, 'a', 10_000);
      same((await store.read('a'))?.events, textsAt(1, 10_000), 'events');
    },
  },
  {
    name: 'reads the last events of a session where it offers `readLatest`',
    async check(store) {
      await addSession(store, 'long', 5_000);
      await addSession(store, 'short', 3);
      for (const [id, count] of Object.entries({ long: 5_000, short: 3, missing: 0 })) {
        const events = (await store.readLatest?.(id)) ?? [];
        same(events, textsAt(count - events.length + 1, count), id);
      }
    },
  },
  {
    name: 'describes missing events as damage: the first, one between, the last, all of them; and reads the others',
    needs: 'persistence',
    async check(store) {
      const all = [1, 2, 3, 4].map((seq) => messageAt(seq));
      const lost = { first: [1, 1], between: [2, 3], last: [4, 4], all: [1, 4] } as const;
      for (const [id, [from, to]] of Object.entries(lost)) {
        await store.write(writeOf(id, 0, all));
        same((await store.read(id))?.damage, undefined, `damage of ${id} before`);
        await store.write(writeOf(id, 4, [], { replaces: [[from, to]] }));
        const { damage, events = [] } = (await store.read(id)) ?? {};
        same([typeof damage, events.length], ['string', 4 - (to - from + 1)], id);
        same(typeof (await store.read(id, { after: from - 1 }))?.damage, 'string', `${id}, after ${from - 1}`);
        same((await store.read(id, { after: to }))?.damage, undefined, `${id}, after ${to}`);
      }
    },
  },
  {
    name: 'is not affected by changes to the arrays of a write or a read',
    async check(store) {
      const events = textsAt(1, 3);
      await store.write(writeOf('a', 0, events));
      events.length = 0;
      const given: unknown = (await store.read('a'))?.events;
      if (Array.isArray(given) && !Object.isFrozen(given)) given.length = 0;
      same(await seqsOf(store, 'a'), [1, 2, 3], 'stored');
    },
  },
];

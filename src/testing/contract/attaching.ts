import { eventVersion, type SessionEvent } from '../../core/model/event.ts';
import type { Part } from '../../core/model/message.ts';
import type { Behaviour } from './behaviour.ts';
import { same } from './expect.ts';
import { addSession, messageAt, seqsOf, textAt, textsAt, writeOf } from './sample.ts';

const image = (size: number, letter: string = 'A'): Part => ({
  type: 'image',
  mediaType: 'image/png',
  data: letter.repeat(size),
  name: 'a.png',
});

function endedAt(seq: number, output: string): SessionEvent {
  return { type: 'call.ended', callId: `c${seq}`, outcome: 'succeeded', output, seq, at: 1000 + seq, v: eventVersion };
}

/** A store may keep big values apart from their events; reads return the events unchanged. */
export const attaching: readonly Behaviour[] = [
  {
    name: 'reads attachments and outputs of any size in place, with keys in their order',
    async check(store) {
      const events = [
        messageAt(1, { type: 'text', text: 'Look' }, image(10), image(100_000), image(100_000, 'B')),
        endedAt(2, 'x'.repeat(200_000)),
        textAt(3),
        messageAt(4, image(100_000)),
      ];
      await store.write(writeOf('a', 0, events));
      const read = (await store.read('a'))?.events;
      same(read, events, 'events');
      if (JSON.stringify(read) !== JSON.stringify(events)) throw new Error('The keys are in another order.');
    },
  },
  {
    name: 'reads attachments of the events after a seq',
    async check(store) {
      await store.write(writeOf('a', 0, [messageAt(1, image(50_000)), messageAt(2, image(50_000, 'B'))]));
      same((await store.read('a', { after: 1 }))?.events, [messageAt(2, image(50_000, 'B'))], 'after 1');
    },
  },
  {
    name: 'keeps an attachment that two sessions share when one of them is removed',
    async check(store) {
      const events = [messageAt(1, image(50_000))];
      await store.write(writeOf('a', 0, events));
      await store.write(writeOf('b', 0, events));
      await store.remove('a');
      await addSession(store, 'a', 2);
      same((await store.read('b'))?.events, events, 'the other');
      same(await seqsOf(store, 'a'), [1, 2], 'the id used again');
    },
  },
  {
    name: 'stores writes in order, with attachments or without',
    async check(store) {
      await addSession(store, 'a', 1);
      await Promise.all([
        store.write(writeOf('a', 1, [messageAt(2, image(300_000))])),
        store.write(writeOf('a', 2, [textAt(3)])),
        store.write(writeOf('a', 3, [messageAt(4, image(300_000, 'B'))])),
        store.write(writeOf('a', 4, [messageAt(5, image(300_000))])),
      ]);
      same(
        (await store.read('a'))?.events,
        [
          textAt(1),
          messageAt(2, image(300_000)),
          textAt(3),
          messageAt(4, image(300_000, 'B')),
          messageAt(5, image(300_000)),
        ],
        'events',
      );
    },
  },
  {
    name: 'replaces events with attachments',
    async check(store) {
      await store.write(writeOf('a', 0, [messageAt(1, image(50_000)), messageAt(2, image(50_000, 'B'))]));
      await store.write(writeOf('a', 2, textsAt(1, 3), { replaces: [[0, 2]] }));
      same((await store.read('a'))?.events, textsAt(1, 3), 'events');
    },
  },
];

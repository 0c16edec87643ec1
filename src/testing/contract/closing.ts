import { lastValueFrom } from 'rxjs';
import { AgentError } from '../../core/error.ts';
import type { Behaviour } from './behaviour.ts';
import { outcomeOf, same } from './expect.ts';
import { addSession, textAt, writeOf } from './sample.ts';

export const closing: readonly Behaviour[] = [
  {
    name: 'rejects every verb with a storage error once it is closed',
    async check(store) {
      await addSession(store, 'a', 1);
      store.close();
      const verbs = [store.list(), store.read('a'), store.write(writeOf('a', 1, [textAt(2)])), store.remove('a')];
      const thrown = await Promise.all(verbs.map(outcomeOf));
      same(
        thrown.map((error) => error instanceof AgentError && error.type),
        verbs.map(() => 'STORAGE'),
        'errors',
      );
    },
  },
  {
    name: 'can be closed twice, and before its first use',
    check: async (store) => {
      store.close();
      store.close();
    },
  },
  {
    name: 'completes changes$ when it is closed',
    async check(store) {
      const ended = lastValueFrom(store.changes$, { defaultValue: 'nothing' });
      store.close();
      same(await ended, 'nothing', 'last change');
    },
  },
  {
    name: 'settles a write that was pending when it was closed',
    async check(store) {
      await addSession(store, 'a', 1);
      const write = outcomeOf(store.write(writeOf('a', 1, [textAt(2)])));
      store.close();
      const thrown = await write;
      same(thrown === undefined || thrown instanceof AgentError, true, 'stored, or an AgentError');
    },
  },
];

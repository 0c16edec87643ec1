import type { SessionStore } from '../../core/model/store.ts';
import type { Behaviour } from './behaviour.ts';
import { same } from './expect.ts';
import { summaryOf, messageAt, pagesOf, addSessionWithText, textAt, writeOf } from './sample.ts';

async function found(store: SessionStore, search: string): Promise<readonly string[]> {
  return (await store.list({ search })).sessions.map(({ id }) => id);
}

export const searching: readonly Behaviour[] = [
  {
    name: 'finds sessions by their title and their messages, the newest first',
    needs: 'searching',
    async check(store) {
      await addSessionWithText(store, 'a', 'The otter swims', { title: 'Animals', updatedAt: 1 });
      await addSessionWithText(store, 'b', 'Nothing here', { title: 'Otters', updatedAt: 3 });
      await addSessionWithText(store, 'c', 'The fox runs', { title: 'Foxes', updatedAt: 2 });
      same(await found(store, 'otter'), ['b', 'a'], 'otter');
      same(await found(store, 'fox'), ['c'], 'fox');
      same(await found(store, 'bear'), [], 'bear');
    },
  },
  {
    name: 'finds all words of a search as parts of words, in either case and any order',
    needs: 'searching',
    async check(store) {
      await addSessionWithText(store, 'a', 'Der Große FUCHS läuft', { title: '', updatedAt: 2 });
      await addSessionWithText(store, 'b', 'ein fuchs', { title: '', updatedAt: 1 });
      same(await found(store, '  fuchs  '), ['a', 'b'], 'case and spaces');
      same(await found(store, 'läuf uchs'), ['a'], 'pieces');
      same(await found(store, '.*'), [], 'no pattern');
    },
  },
  {
    name: 'finds words in texts without spaces, and wide letters by narrow ones',
    needs: 'searching',
    async check(store) {
      await addSessionWithText(store, 'a', '今日は東京へ行きます', { updatedAt: 2 });
      await addSessionWithText(store, 'b', '我昨天去了北京，ＡＢＣ', { updatedAt: 1 });
      same(await found(store, '東京'), ['a'], 'Japanese');
      same(await found(store, '北京 abc'), ['b'], 'Chinese, wide letters');
      same(await found(store, '京'), ['a', 'b'], 'one letter');
    },
  },
  {
    name: 'finds changes since the last search, and no removed session',
    needs: 'searching',
    async check(store) {
      await addSessionWithText(store, 'a', 'first', { title: '' });
      same([await found(store, 'first'), await found(store, 'second')], [['a'], []], 'before');
      const events = [messageAt(2, { type: 'text', text: 'second' })];
      await store.write(writeOf('a', 1, events, { summary: summaryOf('a', 2, { title: 'third' }) }));
      same([await found(store, 'first second'), await found(store, 'third')], [['a'], ['a']], 'after');
      await store.remove('a');
      same([await found(store, 'first'), await found(store, 'third')], [[], []], 'removed');
      await addSessionWithText(store, 'a', 'fourth', { title: '' });
      same([await found(store, 'first'), await found(store, 'fourth')], [[], ['a']], 'a new session');
    },
  },
  {
    name: 'returns matches page by page, each session once',
    needs: 'searching',
    async check(store) {
      for (let index = 0; index < 130; index++)
        await addSessionWithText(store, `s${index}`, index % 3 === 0 ? 'otter' : 'fox', {
          title: '',
          updatedAt: index,
        });
      const pages = await pagesOf(store, 10, { search: 'otter' });
      const expected = Array.from({ length: 44 }, (_, index) => `s${129 - 3 * index}`);
      same(pages.flat(), expected, 'ids');
      if (pages.some((page) => page.length > 10)) throw new Error('A page has more rows than its limit.');
    },
  },
  {
    name: 'lists everything for an empty search',
    needs: 'searching',
    async check(store) {
      await addSessionWithText(store, 'a', 'x');
      same([await found(store, ''), await found(store, '  ')], [['a'], ['a']], 'list');
    },
  },
  {
    name: 'finds a session by its title whose events cannot be reduced',
    needs: 'searching',
    async check(store) {
      await store.write(
        writeOf('a', 0, [JSON.parse('{"type":"message.added","message":7,"seq":1,"at":1,"v":1}'), textAt(2)]),
      );
      await addSessionWithText(store, 'b', 'otter');
      same([await found(store, 'otter'), await found(store, 'session')], [['b'], ['a', 'b']], 'found');
    },
  },
];

import { extractTextContent, type SessionEvent } from 'brooklet';
import { evolve, initialState } from 'brooklet/core';
import { exportSession, importSessions } from 'brooklet/storage';
import fc from 'fast-check';
import { settled } from '../../support/manual-client.ts';
import { twoTabs } from '../../support/tabs.ts';

/** Messages of a log of one text each, after the first event. */
function messagesOf(texts: readonly string[]): readonly SessionEvent[] {
  return texts.map((text, index) => ({
    type: 'message.added',
    message: { id: `${text}${index}`, role: 'user', content: [{ type: 'text', text }], timestamp: 1 },
    seq: 2 + index,
    at: 1,
    v: 2,
  }));
}

const textsFrom = (word: string) => fc.nat({ max: 5 }).map((count) => Array.from({ length: count }, () => word));

/** Two tabs on one session whose log is replaced, by a shorter or longer one, while one of them may have unsaved words: both show the new log. */
export const replacedLogsAreReadWhole = fc.asyncProperty(
  textsFrom('old'),
  textsFrom('new'),
  fc.boolean(),
  async (old, fresh, isWriting) => {
    const { a, b, browser, id } = await twoTabs();
    for (const content of old) a.addMessage({ role: 'user', content });
    await a.flushed();
    await settled();
    const stored = await browser.store.read(id);
    const [begin] = stored?.events ?? [];
    if (stored === undefined || begin === undefined) throw new Error('Nothing is stored.');
    const file = exportSession({ ...stored, events: [begin, ...messagesOf(fresh)] });
    if (isWriting) a.addMessage({ role: 'user', content: 'mine' });
    const { problems } = await importSessions(browser.store, file, { onConflict: 'replace' });
    await a.flushed().catch(() => {});
    await settled();
    // The import is refused where the word was stored first.
    if (problems.length > 0) return;
    const kept = ((await browser.store.read(id))?.events ?? []).reduce(evolve, initialState(id));
    const expected = kept.messages.map((message) => extractTextContent(message));
    if (expected.slice(0, fresh.length).join() !== fresh.join()) throw new Error(`${expected.join()} is stored`);
    for (const session of [a, b]) {
      const shown = session.getMessages().map((message) => extractTextContent(message));
      if (shown.join() !== expected.join())
        throw new Error(`${shown.join()} is shown, and ${expected.join()} is stored`);
    }
  },
);

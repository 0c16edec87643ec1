import { eventVersion, type SessionEvent } from '../../core/model/event.ts';
import type { ListOptions, SessionSummary, SessionStore, SessionWrite } from '../../core/model/store.ts';
import type { Part } from '../../core/model/message.ts';

/** An event of a given place in the log. */
export function textAt(seq: number, text = `text ${seq}`): SessionEvent {
  return { type: 'text.delta', text, seq, at: 1000 + seq, v: eventVersion };
}

/** A message of a person. */
export function messageAt(seq: number, ...content: readonly Part[]): SessionEvent {
  const message = { id: `m${seq}`, role: 'user', content, timestamp: 1000 + seq } as const;
  return { type: 'message.added', message, seq, at: 1000 + seq, v: eventVersion };
}

/** A session of which somebody said this. */
export async function say(
  store: SessionStore,
  sessionId: string,
  text: string,
  head: Partial<SessionSummary> = {},
): Promise<void> {
  const events = [messageAt(1, { type: 'text', text })];
  await store.write(writeOf(sessionId, 0, events, { summary: headOf(sessionId, 1, head) }));
}

/** `[from, to]`, both included */
export function textsAt(from: number, to: number): SessionEvent[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => textAt(from + index));
}

export function headOf(id: string, seq: number, more: Partial<SessionSummary> = {}): SessionSummary {
  return {
    id,
    title: `Session ${id}`,
    createdAt: 1000,
    updatedAt: 1000 + seq,
    status: 'idle',
    messageCount: seq,
    usage: { input: 2 * seq, output: seq },
    seq,
    ...more,
  };
}

/** A write of `events` upon `expects`, with the head that goes with it. */
export function writeOf(
  sessionId: string,
  expectedSeq: number,
  events: readonly SessionEvent[],
  more: Partial<SessionWrite> = {},
): SessionWrite {
  const summary = headOf(sessionId, events.at(-1)?.seq ?? expectedSeq);
  return { sessionId, expectedSeq, events, summary, durability: 'relaxed', ...more };
}

/** Writes a new session of `count` events. */
export async function begin(
  store: SessionStore,
  sessionId: string,
  count = 3,
  head: Partial<SessionSummary> = {},
): Promise<void> {
  await store.write(writeOf(sessionId, 0, textsAt(1, count), { summary: headOf(sessionId, count, head) }));
}

/** `seq` of all stored events; `undefined` where there is no session. */
export async function seqsOf(
  store: SessionStore,
  sessionId: string,
  after?: number,
): Promise<readonly number[] | undefined> {
  const stored = await store.read(sessionId, after === undefined ? {} : { after });
  return stored?.events.map(({ seq }) => seq);
}

/** Ids page by page. */
export async function pagesOf(
  store: SessionStore,
  limit?: number,
  options: ListOptions = {},
): Promise<readonly (readonly string[])[]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({
      ...options,
      ...(limit !== undefined && { limit }),
      ...(cursor !== undefined && { cursor }),
    });
    pages.push(page.sessions.map(({ id }) => id));
    cursor = page.cursor;
    if (pages.length > 10_000) throw new Error('list: the cursor never comes to an end.');
  } while (cursor !== undefined);
  return pages;
}

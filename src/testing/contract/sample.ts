import { eventVersion, type SessionEvent } from '../../core/model/event.ts';
import type { ListOptions, SessionSummary, SessionStore, SessionWrite } from '../../core/model/store.ts';
import type { Part } from '../../core/model/message.ts';

/** A text event at a `seq`. */
export function textAt(seq: number, text = `text ${seq}`): SessionEvent {
  return { type: 'text.delta', text, seq, at: 1000 + seq, v: eventVersion };
}

/** A user message at a `seq`. */
export function messageAt(seq: number, ...content: readonly Part[]): SessionEvent {
  const message = { id: `m${seq}`, role: 'user', content, timestamp: 1000 + seq } as const;
  return { type: 'message.added', message, seq, at: 1000 + seq, v: eventVersion };
}

/** Writes a new session of one user message. */
export async function addSessionWithText(
  store: SessionStore,
  sessionId: string,
  text: string,
  summary: Partial<SessionSummary> = {},
): Promise<void> {
  const events = [messageAt(1, { type: 'text', text })];
  await store.write(writeOf(sessionId, 0, events, { summary: summaryOf(sessionId, 1, summary) }));
}

/** Text events from one `seq` to another, both included. */
export function textsAt(from: number, to: number): SessionEvent[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => textAt(from + index));
}

export function summaryOf(id: string, seq: number, more: Partial<SessionSummary> = {}): SessionSummary {
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

/** A write of `events` that expects `expectedSeq`, with the summary of the last event. */
export function writeOf(
  sessionId: string,
  expectedSeq: number,
  events: readonly SessionEvent[],
  more: Partial<SessionWrite> = {},
): SessionWrite {
  const summary = summaryOf(sessionId, events.at(-1)?.seq ?? expectedSeq);
  return { sessionId, expectedSeq, events, summary, durability: 'relaxed', ...more };
}

/** Writes a new session of `count` text events. */
export async function addSession(
  store: SessionStore,
  sessionId: string,
  count = 3,
  summary: Partial<SessionSummary> = {},
): Promise<void> {
  await store.write(writeOf(sessionId, 0, textsAt(1, count), { summary: summaryOf(sessionId, count, summary) }));
}

/** Resolves with the `seq` of all stored events, or with `undefined` where there is no session. */
export async function seqsOf(
  store: SessionStore,
  sessionId: string,
  after?: number,
): Promise<readonly number[] | undefined> {
  const stored = await store.read(sessionId, after === undefined ? {} : { after });
  return stored?.events.map(({ seq }) => seq);
}

/** Resolves with the ids of all pages of the list. */
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
    if (pages.length > 10_000) throw new Error('list: 10,000 pages, and still a cursor.');
  } while (cursor !== undefined);
  return pages;
}

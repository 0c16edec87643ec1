import { latestMessages } from '../core/model/latest-messages.ts';
import type { Message } from '../core/model/message.ts';
import type { SessionStore } from '../core/model/store.ts';

/** Returns the last messages of a long session; `undefined` for a short one, and where they cannot be read. Never rejects. */
export async function readLatest(
  store: SessionStore | undefined,
  sessionId: string,
): Promise<readonly Message[] | undefined> {
  try {
    const messages = latestMessages(sessionId, (await store?.readLatest?.(sessionId)) ?? []);
    return messages.length > 0 ? messages : undefined;
  } catch {
    // Who opens the session finds what is damaged.
    return undefined;
  }
}

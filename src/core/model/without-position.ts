import type { SessionEvent } from './event.ts';

/** Returns what identifies an event when its position changes. The numbers of a log change when events of another device come before. */
export function withoutPosition<T extends Pick<SessionEvent, 'seq' | 'since'>>(event: T): Omit<T, 'seq' | 'since'> {
  const { seq: _seq, since: _since, ...content } = event;
  return content;
}

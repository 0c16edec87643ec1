import type { AgentSession } from 'brooklet';

/** Returns the id of the first message that the model still sees in full; `undefined` if no message was compacted. */
export function firstSeenId(session: AgentSession): string | undefined {
  const compacted = session.getContext()?.foldedMessages ?? 0;
  return compacted === 0 ? undefined : session.getMessages()[compacted]?.id;
}

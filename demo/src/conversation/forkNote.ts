import type { Agent, AgentSession, JsonObject } from 'brooklet';

/** Where a conversation comes from. */
export interface Fork {
  readonly id: string;
  readonly title: string;
}

/** Stores in a fork where it comes from. Never rejects: the fork is there without the note, too. */
export async function noteFork(agent: Pick<Agent, 'openSession'>, copyId: string, from: AgentSession): Promise<void> {
  try {
    const copy = await agent.openSession(copyId);
    const { title, metadata } = copy.getState();
    copy.setMetadata({ forkedFrom: title, ...metadata, forkedFromId: from.id });
  } catch {
    // Another tab may have removed it meanwhile.
  }
}

/** Reads where a conversation comes from; `undefined` for one that is no fork. A file from elsewhere may contain anything. */
export function readFork({ forkedFrom, forkedFromId }: JsonObject = {}): Fork | undefined {
  return typeof forkedFromId === 'string' && typeof forkedFrom === 'string'
    ? { id: forkedFromId, title: forkedFrom.slice(0, 200) }
    : undefined;
}

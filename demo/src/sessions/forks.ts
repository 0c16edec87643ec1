import type { Agent } from 'brooklet';

/** Returns the agent with a note in each fork: the title and the id of what it was forked from. A fork is not archived, nor pinned. */
export function withForkNote<AppAgent extends Agent>(agent: AppAgent): AppAgent {
  return {
    ...agent,
    async forkSession(sessionId, options) {
      const copyId = await agent.forkSession(sessionId, options);
      // The fork is stored, whether the note is or not.
      await note(agent, copyId, sessionId).catch(() => {});
      return copyId;
    },
  } satisfies AppAgent;
}

async function note(agent: Agent, copyId: string, forkedFromId: string): Promise<void> {
  const copy = await agent.openSession(copyId);
  const { metadata: { archived: _archived, pinned: _pinned, ...metadata } = {}, title } = copy.getState();
  copy.setMetadata({ ...metadata, forkedFrom: title, forkedFromId });
}

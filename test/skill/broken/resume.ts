import type { Agent } from 'brooklet';

/** Reads only the first page of the list. */
export async function finishInterrupted(agent: Agent): Promise<number> {
  const { sessions = [] } = (await agent.store?.list()) ?? {};
  const interrupted = sessions.filter(({ status }) => status === 'interrupted');
  for (const { id } of interrupted) {
    const session = await agent.openSession(id);
    await session.resume();
    await session.close();
  }
  return interrupted.length;
}

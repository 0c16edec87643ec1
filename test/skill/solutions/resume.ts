import type { Agent, SessionSummary } from 'brooklet';

export async function finishInterrupted(agent: Agent): Promise<number> {
  const interrupted: SessionSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await agent.store?.list(cursor === undefined ? {} : { cursor });
    interrupted.push(...(page?.sessions.filter(({ status }) => status === 'interrupted') ?? []));
    cursor = page?.cursor;
  } while (cursor !== undefined);

  for (const { id } of interrupted) {
    const session = await agent.openSession(id);
    await session.resume();
    await session.close();
  }
  return interrupted.length;
}

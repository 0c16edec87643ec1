import { exportSession } from 'brooklet/storage';

await session.flushed();
const stored = await agent.store?.read(session.id);
if (stored) console.log(exportSession(stored));

declare const agent: Agent;
declare const session: AgentSession;

// What the sample leaves to its page.
import type { Agent, AgentSession } from 'brooklet';

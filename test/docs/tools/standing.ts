const { standing } = session.getState(); // for this session: [{ name, verdict, reason?, who?, at, binding }]
session.revokeDecision('pay');

const everywhere = await agent.listDecisions(); // for all sessions of the agent
await agent.revokeDecision('read_calendar');

declare const session: AgentSession;
declare const agent: Agent;

// What the sample leaves to its page.
import type { Agent, AgentSession } from 'brooklet';

export { everywhere, standing };

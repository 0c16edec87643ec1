const { approvalRules } = session.getState(); // for this session: [{ name, verdict, reason?, userName?, at, toolVersion }]
session.revokeApprovalRule('pay');

const everywhere = await agent.listApprovalRules(); // for all sessions of the agent
await agent.revokeApprovalRule('read_calendar');

declare const session: AgentSession;
declare const agent: Agent;

// What the sample leaves to its page.
import type { Agent, AgentSession } from 'brooklet';

export { everywhere, approvalRules as standing };

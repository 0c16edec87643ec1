import type { AgentSession } from 'brooklet';
import { from } from 'solid-js';

export const createMessages = (session: AgentSession) => from(session.messages$, session.getMessages());

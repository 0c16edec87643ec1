session.events$.subscribe((event) => console.log(event.seq, event.type, event));

declare const session: AgentSession;

// What the sample leaves to its page.
import type { AgentSession } from 'brooklet';

const waiting = session.send('And on Sunday?', { whenBusy: 'queue' });

const { queue } = session.getState(); // [{ message, mode }], oldest first
if (queue[0]) session.unqueue(queue[0].message.id);

const { outcome } = await waiting; // cancelled: the message was removed from the queue

declare const session: AgentSession;

// What the sample leaves to its page.
import type { AgentSession } from 'brooklet';

export { outcome };

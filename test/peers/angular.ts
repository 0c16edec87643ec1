import { toSignal } from '@angular/core/rxjs-interop';
import type { AgentSession } from 'brooklet';

export const messagesOf = (session: AgentSession) => toSignal(session.messages$, { initialValue: session.getMessages() });

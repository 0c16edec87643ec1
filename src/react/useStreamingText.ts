import { extractTextContent } from '../core/model/message.ts';
import type { AgentSession } from '../core/session/session.ts';
import { useObservable } from './useObservable.ts';

/** Returns the text of the reply that is arriving, as far as it has arrived; `undefined` while no reply is arriving. */
export function useStreamingText(session: AgentSession | undefined): string | undefined {
  return useObservable(session?.messages$, () => {
    const last = session?.getMessages().at(-1);
    return last?.status === 'streaming' ? extractTextContent(last) : undefined;
  });
}

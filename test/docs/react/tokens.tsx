import type { AgentSession } from 'brooklet';
import { useObservable } from 'brooklet/react';

function Tokens({ session }: { session: AgentSession }) {
  const { usage } = useObservable(session.state$, session.getState);
  return <small>{usage.input + usage.output} tokens</small>;
}

export { Tokens };

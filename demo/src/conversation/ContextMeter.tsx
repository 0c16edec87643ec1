import type { AgentSession } from 'brooklet';
import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';

/** How much of the model's context window is in use. Rendered when the percentage changes, not on every chunk. */
export function ContextMeter({ session }: { readonly session: AgentSession }): ReactElement | null {
  const percent = useObservable(session.context$, () => {
    const { tokens, usable } = session.getContext() ?? {};
    return tokens === undefined || usable === undefined
      ? undefined
      : Math.min(100, Math.round((tokens / usable) * 100));
  });
  if (percent === undefined) return null;
  return (
    <meter
      className={percent < 85 ? 'context-meter' : 'context-meter full'}
      style={{ backgroundSize: `${percent}% 100%` }}
      min={0}
      max={100}
      value={percent}
      title={`${percent} % of the model’s context window is in use. When it is full, older messages are summed up for the model.`}
      aria-label="Context in use"
    >
      {percent} %
    </meter>
  );
}

import type { AgentSession } from 'brooklet';
import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';

/** How full the model's window is. Rendered when the number changes, not with each word. */
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
      title={`${percent} % of the model’s window is in use. Older messages are summed up for the model when it is full.`}
      aria-label="Context in use"
    >
      {percent} %
    </meter>
  );
}

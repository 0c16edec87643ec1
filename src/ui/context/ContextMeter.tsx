import { type ReactElement, useCallback, useId, useState } from 'react';
import type { AgentSession } from '../../index.ts';
import { useObservable } from '../../react/index.ts';
import { part } from '../base/part.ts';
import { useListLabels } from '../labels/LabelsContext.ts';
import { contextEnglish } from '../labels/context-english.ts';
import { ContextPanel } from './ContextPanel.tsx';
import type { ContextMeterProps } from './props.ts';

/**
 * How much of the model's context window the next request uses; a press shows of what it consists, what happens next, and what can be done.
 * Shows nothing below `showAbove`, and where no context window is known.
 *
 *     <ContextMeter session={chat.session} />
 */
export function ContextMeter(props: ContextMeterProps): ReactElement | null {
  const { session, showAbove = 0.5, compacts = true, labels, className } = props;
  const words = useListLabels('context', contextEnglish, labels);
  // Rendered when the percentage changes, not on every chunk.
  const percent = useObservable(session?.context$, () => percentOf(session));
  const [opener, setOpener] = useState<HTMLElement>();
  const id = useId();
  const leave = useCallback(() => setOpener(undefined), []);
  // What the person has opened stays, also after a compaction.
  if (!session || percent === undefined || (percent <= showAbove * 100 && !opener)) return null;
  return (
    <span {...part('context-meter', className, percent >= 85 ? 'full' : 'room')}>
      <button
        type="button"
        className="bk-button"
        data-state="quiet"
        aria-haspopup="dialog"
        aria-expanded={opener !== undefined}
        aria-controls={opener && id}
        aria-label={words.label(percent)}
        title={words.title}
        onClick={({ currentTarget }) => setOpener(opener ? undefined : currentTarget)}
      >
        <svg className="bk-ring" viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="10" cy="10" r="8" />
          <circle cx="10" cy="10" r="8" pathLength="100" strokeDasharray={`${percent} 100`} />
        </svg>
        <span>{words.percent(percent)}</span>
      </button>
      {opener && (
        <ContextPanel
          id={id}
          session={session}
          percent={percent}
          compacts={compacts}
          opener={opener}
          onClose={() => {
            leave();
            opener.focus();
          }}
          onLeave={leave}
          words={words}
        />
      )}
    </span>
  );
}

/** Of the usable window, from 0 to 100. */
function percentOf(session: AgentSession | undefined): number | undefined {
  const { tokens, usable } = session?.getContext() ?? {};
  if (tokens === undefined || usable === undefined || !(usable > 0)) return undefined;
  return Math.min(100, Math.round((tokens / usable) * 100));
}

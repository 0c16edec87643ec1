import { type KeyboardEvent, type ReactElement, useState } from 'react';
import { type AgentSession, toAgentError } from '../../index.ts';
import { useContextReport, useObservable } from '../../react/index.ts';
import { CloseButton } from '../base/CloseButton.tsx';
import { usePageEffect } from '../base/usePageEffect.ts';
import { usePopover } from '../base/usePopover.ts';
import type { ContextLabels } from '../labels/context-english.ts';
import { Compactions, Pinned, Totals, Zones } from './Report.tsx';

interface ContextPanelProps {
  readonly id: string;
  readonly session: AgentSession;
  /** Of the context window, in use. */
  readonly percent: number;
  readonly compacts: boolean;
  readonly opener: HTMLElement;
  /** Closes and returns the focus. */
  readonly onClose: () => void;
  /** Closes; the focus is elsewhere. */
  readonly onLeave: () => void;
  readonly words: ContextLabels;
}

/** What the model reads with the next message, what happens when it is full, and what can be done. */
export function ContextPanel(props: ContextPanelProps): ReactElement | null {
  const { id, session, percent, compacts, opener, onClose, onLeave, words } = props;
  const popover = usePopover(opener, onLeave);
  const report = useContextReport(session);
  const status = useObservable(session.status$, () => session.getStatus());
  const [isCompacting, setIsCompacting] = useState(false);
  const [problem, setProblem] = useState<string>();
  usePageEffect(() => popover.current?.querySelector<HTMLElement>('button')?.focus(), [popover]);
  const { tokens = 0, usable = 0, trigger = usable, isPaused = false, failure } = report ?? {};

  const attempt = (action: () => unknown): void => {
    setProblem(undefined);
    void Promise.resolve()
      .then(action)
      .catch((thrown: unknown) => setProblem(toAgentError(thrown).message));
  };
  const canCompact = !isCompacting && status === 'idle';
  const compact = (): void => {
    if (!canCompact) return;
    setIsCompacting(true);
    attempt(async () => {
      const { error } = await session.compact().finally(() => setIsCompacting(false));
      setProblem(error?.message);
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };

  const next = !compacts
    ? words.never
    : isPaused
      ? words.paused
      : tokens >= trigger
        ? words.nextNow
        : words.next(trigger - tokens);
  return (
    <div
      ref={popover}
      id={id}
      role="dialog"
      aria-label={words.title}
      className="bk-popover bk-context"
      onKeyDown={onKeyDown}
    >
      <div className="bk-context-head">
        <p>
          <strong>{words.used(percent)}</strong> {words.of(tokens, usable)}
        </p>
        <CloseButton label={words.close} onClick={onClose} />
      </div>
      {report && <Zones report={report} words={words} />}
      <p className="bk-hint">
        {words.explained} {next}
      </p>
      {report && (
        <>
          <Totals report={report} words={words} />
          <Compactions
            report={report}
            onUndo={(compactionId) => attempt(() => session.restoreContext(compactionId))}
            words={words}
          />
          <Pinned
            session={session}
            report={report}
            onUnpin={(messageId) => attempt(() => session.pin(messageId, false))}
            words={words}
          />
        </>
      )}
      {(problem ?? failure) && (
        <p className="bk-bad" role="alert">
          {words.failure} {problem ?? failure?.message}
        </p>
      )}
      <button type="button" className="bk-button" aria-disabled={!canCompact} onClick={compact}>
        {isCompacting ? words.compacting : words.compactNow}
      </button>
    </div>
  );
}

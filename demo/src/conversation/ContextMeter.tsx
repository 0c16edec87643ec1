import type { AgentSession } from 'brooklet';
import { useObservable } from 'brooklet/react';
import { lazy, type ReactElement, Suspense, useId, useState } from 'react';
import { useTexts } from '../texts/useTexts.ts';

const ContextPanel = lazy(async () => ({ default: (await import('./ContextPanel.tsx')).ContextPanel }));

/** How much of the model's context window is in use; a click shows what is in it. Rendered when the percentage changes, not on every chunk. */
export function ContextMeter({ session }: { readonly session: AgentSession }): ReactElement | null {
  const { context: words } = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const percent = useObservable(session.context$, () => {
    const { tokens, usable } = session.getContext() ?? {};
    return tokens === undefined || usable === undefined
      ? undefined
      : Math.min(100, Math.round((tokens / usable) * 100));
  });
  if (percent === undefined) return null;
  return (
    <>
      <button
        type="button"
        className="quiet context-button"
        aria-label={words.label(percent)}
        title={words.title}
        popoverTarget={id}
      >
        <span
          className={percent < 85 ? 'context-meter' : 'context-meter full'}
          style={{ backgroundSize: `${percent}% 100%` }}
        />
        <span>{percent} %</span>
      </button>
      <section
        id={id}
        popover="auto"
        className="popover context-panel"
        aria-label={words.title}
        onToggle={(event) => setIsOpen(event.newState === 'open')}
      >
        {isOpen && (
          <Suspense>
            <ContextPanel session={session} percent={percent} />
          </Suspense>
        )}
      </section>
    </>
  );
}

import type { ReactElement } from 'react';
import { BrookScene } from '../ui/Brook.tsx';
import { useTexts } from '../texts/useTexts.ts';

/** The start of a conversation, in the place of its messages: what shows those is loaded meanwhile. */
export function Welcome(): ReactElement {
  const { conversation, welcome: words } = useTexts();
  return (
    <div className="bk-thread" data-state="empty">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
      <section className="bk-scroller" tabIndex={0} aria-label={conversation.label}>
        <div className="bk-column">
          <section className="welcome" aria-label={words.label}>
            <BrookScene />
            <h2>{words.title}</h2>
            <p>{words.text}</p>
          </section>
        </div>
      </section>
    </div>
  );
}

import type { ReactElement } from 'react';
import { BrookScene } from '../ui/Brook.tsx';
import { useTexts } from '../texts/useTexts.ts';

/** The start of a conversation. */
export function Welcome(): ReactElement {
  const { welcome: words } = useTexts();
  return (
    <section className="welcome" aria-label={words.label}>
      <BrookScene />
      <h2>{words.title}</h2>
      <p>{words.text}</p>
    </section>
  );
}

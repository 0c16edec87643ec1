import { type ReactElement, useCallback, useEffect, useRef } from 'react';
import { useLabels } from '../labels/useLabels.ts';
import type { AnnouncerProps } from '../props.ts';
import { narrate } from './narrate.ts';
import { SayContext, useSay, silent } from './say.ts';

/** ms after which a sentence leaves the page: a screen reader has it by then, and a search in the page must not find it. */
const lifetime = 8_000;

/**
 * Lets a screen reader read what happens in a session, each sentence of an answer when it is complete. Shows nothing, and is the only live
 * region: what the parts within it have to say goes through it, too. Within another one it uses the region of that one.
 */
export function Announcer({ session, labels, children }: AnnouncerProps): ReactElement {
  const announcer = useLabels('announcer', labels);
  const { title } = useLabels('tool', undefined);
  // In the page before its first sentence: otherwise that sentence is not read.
  const region = useRef<HTMLDivElement>(null);
  const outer = useSay();
  const isWithin = outer !== silent;
  const sayHere = useCallback((text: string) => {
    if (text === '' || !region.current) return;
    const sentence = document.createElement('p');
    sentence.textContent = text;
    region.current.append(sentence);
    setTimeout(() => sentence.remove(), lifetime);
  }, []);
  const say = isWithin ? outer : sayHere;
  useEffect(
    () => (session ? narrate(session, { announcer, title }, say) : undefined),
    [session, announcer, title, say],
  );
  if (isWithin) return <>{children}</>;
  return (
    <SayContext.Provider value={say}>
      {children}
      <div ref={region} className="bk-hidden" data-part="announcer" aria-live="polite" aria-relevant="additions" />
    </SayContext.Provider>
  );
}

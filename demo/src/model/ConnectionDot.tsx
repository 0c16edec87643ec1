import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import type { Connection } from './connection.ts';
import { health } from './health.ts';
import { useTexts } from '../texts/useTexts.ts';

/** Whether the chosen model can answer, as far as it is known: a colour, and a word where something is wrong. */
export function ConnectionDot({ connection }: { readonly connection: Connection }): ReactElement {
  const { connection: words } = useTexts();
  const found = useObservable(health.value$, health.get);
  const state = connection.kind === 'model' ? found : connection.kind;
  const problem = state === 'refused' || state === 'unreachable' ? words.health[state] : undefined;
  return (
    <>
      <span className={`dot ${state}`} title={problem} />
      {problem !== undefined && <span className="visually-hidden">{problem}: </span>}
    </>
  );
}

import type { AgentError } from 'brooklet';
import type { ReactElement } from 'react';
import { textFor } from '../texts/textFor.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';

/** Why a device could not be connected, in the words of the interface. */
export function Problem({
  error,
  isPin = false,
}: {
  readonly error: AgentError;
  readonly isPin?: boolean;
}): ReactElement {
  const { devices: words } = useAllTexts();
  const text =
    isPin && error.code === 'AUTHENTICATION_FAILED' ? words.problems.wrongPin : textFor(words.problems, error.code);
  return (
    <p className="hint bad" role="alert">
      {text ?? error.message}
    </p>
  );
}

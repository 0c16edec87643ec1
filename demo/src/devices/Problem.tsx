import type { AgentError } from 'brooklet';
import { type ReactElement, useEffect, useRef } from 'react';
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
  const paragraph = useRef<HTMLParagraphElement>(null);
  // The form may be longer than its dialog.
  useEffect(() => {
    // Newer browsers return a promise, which is no clean-up.
    paragraph.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  const text =
    isPin && error.code === 'AUTHENTICATION_FAILED' ? words.problems.wrongPin : textFor(words.problems, error.code);
  return (
    <p ref={paragraph} className="hint bad" role="alert">
      {text ?? error.message}
    </p>
  );
}

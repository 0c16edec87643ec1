import { type ReactElement, useEffect, useState } from 'react';
import { Icon } from './Icon.tsx';

/** Copies the text that `getText` returns at the time of the click. */
export function CopyButton({
  label,
  getText,
}: {
  readonly label: string;
  readonly getText: () => string;
}): ReactElement {
  const [result, setResult] = useState<'copied' | 'failed'>();

  useEffect(() => {
    if (result === undefined) return undefined;
    const timer = setTimeout(() => setResult(undefined), 1600);
    return () => clearTimeout(timer);
  }, [result]);

  const copy = (): void => {
    // Missing in an insecure context.
    const clipboard: Clipboard | undefined = navigator.clipboard;
    if (clipboard === undefined) {
      setResult('failed');
      return;
    }
    clipboard.writeText(getText()).then(
      () => setResult('copied'),
      () => setResult('failed'),
    );
  };

  return (
    <button type="button" className="quiet small" aria-label={label} title={label} onClick={copy}>
      <Icon name={result === 'copied' ? 'check' : 'copy'} />
      <span aria-live="polite" className="copy-result">
        {result === 'copied' && 'Copied'}
        {result === 'failed' && 'Could not copy'}
      </span>
    </button>
  );
}

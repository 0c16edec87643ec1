import { type ReactElement, useEffect, useState } from 'react';
import { useTexts } from '../texts/useTexts.ts';
import { announce } from './announce.ts';
import { Icon } from './Icon.tsx';

/** Copies the text that `getText` returns at the time of the click. */
export function CopyButton({
  label,
  getText,
}: {
  readonly label: string;
  readonly getText: () => string;
}): ReactElement {
  const { conversation: words } = useTexts();
  const [result, setResult] = useState<'copied' | 'failed'>();

  useEffect(() => {
    if (result === undefined) return undefined;
    const timer = setTimeout(() => setResult(undefined), 1600);
    return () => clearTimeout(timer);
  }, [result]);

  const finish = (how: 'copied' | 'failed'): void => {
    setResult(how);
    announce(how === 'copied' ? words.copied : words.notCopied);
  };

  const copy = (): void => {
    // Missing in an insecure context.
    const clipboard: Clipboard | undefined = navigator.clipboard;
    if (clipboard === undefined) {
      finish('failed');
      return;
    }
    clipboard.writeText(getText()).then(
      () => finish('copied'),
      () => finish('failed'),
    );
  };

  return (
    <button type="button" className="quiet small" aria-label={label} title={label} onClick={copy}>
      <Icon name={result === 'copied' ? 'check' : 'copy'} />
      <span className="copy-result">
        {result === 'copied' && words.copied}
        {result === 'failed' && words.notCopied}
      </span>
    </button>
  );
}

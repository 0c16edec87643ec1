import { type ReactElement, useEffect, useState } from 'react';
import { Icon } from './Icon.tsx';

/** Copies what `getText` gives at the moment of the click. */
export function CopyButton({
  label,
  getText,
}: {
  readonly label: string;
  readonly getText: () => string;
}): ReactElement {
  const [said, setSaid] = useState<'copied' | 'refused'>();

  useEffect(() => {
    if (said === undefined) return undefined;
    const timer = setTimeout(() => setSaid(undefined), 1600);
    return () => clearTimeout(timer);
  }, [said]);

  const copy = (): void => {
    // Not there in an insecure context.
    const clipboard: Clipboard | undefined = navigator.clipboard;
    if (clipboard === undefined) {
      setSaid('refused');
      return;
    }
    clipboard.writeText(getText()).then(
      () => setSaid('copied'),
      () => setSaid('refused'),
    );
  };

  return (
    <button type="button" className="quiet small" aria-label={label} title={label} onClick={copy}>
      <Icon name={said === 'copied' ? 'check' : 'copy'} />
      <span aria-live="polite" className="copy-said">
        {said === 'copied' && 'Copied'}
        {said === 'refused' && 'The browser refused'}
      </span>
    </button>
  );
}

import { type ReactElement, useEffect, useState } from 'react';
import { useSay } from '../notice/say.ts';
import type { Labels } from '../labels/english.ts';
import { useLabels } from '../labels/useLabels.ts';
import { Icon } from './Icon.tsx';

interface CopyButtonProps {
  readonly label: string;
  /** Called at the click. */
  readonly getText: () => string;
  readonly labels?: Partial<Labels['copy']> | undefined;
}

/** ms for which the result is shown. */
const shown = 1_600;

/** Copies the text that `getText` returns at the time of the click. */
export function CopyButton({ label, getText, labels }: CopyButtonProps): ReactElement {
  const words = useLabels('copy', labels);
  const say = useSay();
  const [result, setResult] = useState<'copied' | 'failed'>();

  useEffect(() => {
    if (result === undefined) return undefined;
    const timer = setTimeout(() => setResult(undefined), shown);
    return () => clearTimeout(timer);
  }, [result]);

  const finish = (how: 'copied' | 'failed'): void => {
    setResult(how);
    say(words[how]);
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
    <button
      type="button"
      className="bk-icon-button"
      data-state={result}
      aria-label={label}
      title={label}
      onClick={copy}
    >
      <Icon name={result === 'copied' ? 'check' : 'copy'} />
      {result !== undefined && <span>{words[result]}</span>}
    </button>
  );
}

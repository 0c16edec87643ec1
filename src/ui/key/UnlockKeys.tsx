import { type ReactElement, useRef } from 'react';
import { useObservable } from '../../react/index.ts';
import { part } from '../base/part.ts';
import { useFocusAfter } from '../base/useFocusAfter.ts';
import { useListLabels } from '../labels/LabelsContext.ts';
import { keyEnglish } from '../labels/key-english.ts';
import type { UnlockKeysProps } from './props.ts';
import { UnlockForm } from './UnlockForm.tsx';

/**
 * Unlocks the stored keys of a vault by passphrase or passkey, or erases them: for `onLocked` of `createVault`, where no key is to be entered.
 * `KeyField` shows the same while its vault is locked. With an empty `labels.locked` the page says what is locked.
 *
 *     <UnlockKeys vault={vault} onUnlocked={() => void session.resume()} />
 */
export function UnlockKeys({ vault, onUnlocked, onErase, labels, className }: UnlockKeysProps): ReactElement {
  const words = useListLabels('key', keyEnglish, labels);
  const { locks } = useObservable(vault.state$, vault.getState);
  const root = useRef<HTMLDivElement>(null);
  useFocusAfter(root);
  return (
    <div {...part('key-field', className)} ref={root} role="group" aria-label={words.unlock}>
      <UnlockForm vault={vault} locks={locks} onUnlocked={onUnlocked} onErase={onErase} words={words} />
    </div>
  );
}

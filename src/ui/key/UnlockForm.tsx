import { type ReactElement, useId, useRef, useState } from 'react';
import type { Vault, VaultState } from '../../keys/index.ts';
import type { KeyLabels } from '../labels/key-english.ts';
import { PasswordField } from './PasswordField.tsx';
import { ProblemText } from './ProblemText.tsx';
import { takeText } from './typedKey.ts';
import { type Problem, toVaultProblem } from './verdict.ts';

const noop = (): void => {};

interface UnlockFormProps {
  readonly vault: Vault;
  readonly locks: VaultState['locks'];
  readonly onUnlocked?: (() => void) | undefined;
  /** In the place of `vault.forget`. */
  readonly onErase?: (() => Promise<void>) | undefined;
  /** Leaves the stored keys locked, and takes one for this tab. */
  readonly onTabOnly?: (() => void) | undefined;
  readonly words: KeyLabels;
}

/** Unlocks the stored keys by passphrase or passkey, or erases them. */
export function UnlockForm(props: UnlockFormProps): ReactElement {
  const { vault, locks, onUnlocked, onTabOnly, words } = props;
  const onErase = props.onErase ?? vault.forget;
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [isErasing, setIsErasing] = useState(false);
  const passphrase = useRef<HTMLInputElement>(null);
  const problemId = useId();

  const run = (action: () => Promise<void>, then = onUnlocked): void => {
    if (isBusy) return;
    setIsBusy(true);
    setProblem(undefined);
    action().then(
      () => {
        setIsBusy(false);
        then?.();
      },
      (thrown: unknown) => {
        setIsBusy(false);
        setProblem(toVaultProblem(thrown, words.problems));
        passphrase.current?.focus();
      },
    );
  };

  return (
    <form
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isErasing) run(() => vault.unlock(takeText(passphrase)));
      }}
    >
      {words.locked !== '' && (
        <p>
          <strong>{words.locked}.</strong> {words.lockedText}
        </p>
      )}
      {isErasing ? (
        <>
          <p role="alert">{words.eraseText}</p>
          <ProblemText id={problemId} problem={problem} />
          <div className="bk-buttons">
            <button
              key="erase"
              type="button"
              className="bk-button"
              data-state="danger"
              onClick={() => run(onErase, noop)}
            >
              {words.erase}
            </button>
            <button key="cancel" type="button" className="bk-button" onClick={() => setIsErasing(false)}>
              {words.cancel}
            </button>
          </div>
        </>
      ) : (
        <>
          <PasswordField
            field={passphrase}
            label={words.passphrase}
            autoComplete="current-password"
            isInvalid={problem?.of === 'passphrase'}
            describedBy={problem && problemId}
          />
          <ProblemText id={problemId} problem={problem} />
          <div className="bk-buttons">
            <button key="unlock" type="submit" className="bk-button" data-state="primary" aria-disabled={isBusy}>
              {isBusy ? words.unlocking : words.unlock}
            </button>
            {locks.includes('passkey') && (
              <button
                key="passkey"
                type="button"
                className="bk-button"
                aria-disabled={isBusy}
                onClick={() => run(vault.unlockWithPasskey)}
              >
                {words.usePasskey}
              </button>
            )}
            {onTabOnly && (
              <button key="tab" type="button" className="bk-button" data-state="quiet" onClick={onTabOnly}>
                {words.useTabOnly}
              </button>
            )}
            <button
              key="forgotten"
              type="button"
              className="bk-button"
              data-state="quiet"
              onClick={() => setIsErasing(true)}
            >
              {words.forgotten}
            </button>
          </div>
        </>
      )}
    </form>
  );
}

import type { ReactElement, ReactNode } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { ValidForm } from '../ui/ValidForm.tsx';
import { reasonOf, type VaultAction } from './useVaultAction.ts';

interface VaultFormProps {
  readonly action: Pick<VaultAction, 'isBusy' | 'error'>;
  readonly label?: string;
  /** Not called while the action is under way. */
  readonly onSubmit: () => void;
  /** The buttons. */
  readonly verbs: ReactNode;
  readonly children: ReactNode;
}

/** A form for an action of the vault: its fields, why the action failed, and its buttons. */
export function VaultForm({ action, label, onSubmit, verbs, children }: VaultFormProps): ReactElement {
  const { keys: words } = useAllTexts();
  const { isBusy, error } = action;
  return (
    <ValidForm className="unlock" aria-label={label} onSubmit={() => !isBusy && onSubmit()}>
      {children}
      {error && (
        <p className="hint bad" role="alert">
          {reasonOf(error, words)}
        </p>
      )}
      <div className="notice-verbs">{verbs}</div>
    </ValidForm>
  );
}

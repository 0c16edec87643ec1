import { UnlockKeys } from 'brooklet/ui';
import type { ReactElement } from 'react';
import { encryption, storeEncryption } from '../base/encryption.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { vault } from './vault.ts';
import '../styles/keys.css';

interface UnlockFormProps {
  /** The name of the button. Default: Unlock. */
  readonly label?: string;
  readonly onUnlocked?: () => void;
}

/** Unlocks the keys of this page, or erases them: with encrypted conversations for good. What is locked is said around it. */
export function UnlockForm({ label, onUnlocked }: UnlockFormProps): ReactElement {
  const { encryption: words } = useAllTexts();
  const isEncrypted = encryption !== 'off';
  return (
    <UnlockKeys
      vault={vault}
      onUnlocked={onUnlocked}
      onErase={isEncrypted ? eraseEncrypted : undefined}
      labels={{
        locked: '',
        ...(label !== undefined && { unlock: label }),
        ...(isEncrypted && { eraseText: words.eraseText }),
      }}
    />
  );
}

async function eraseEncrypted(): Promise<void> {
  await vault.forget();
  storeEncryption('off');
  location.reload();
}

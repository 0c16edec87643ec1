import { encryptStored } from 'brooklet/encryption';
import type { ReactElement } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { ChangeStored } from './ChangeStored.tsx';
import { codec } from './codec.ts';
import { storeEncryption } from '../base/encryption.ts';

/** Encrypts the conversations that were stored before. */
export function Encrypting({ onDone }: { readonly onDone: () => void }): ReactElement {
  const { encryption: words } = useAllTexts();
  return (
    <ChangeStored
      title={words.encryptingTitle}
      failed={words.failed}
      work={(options) => encryptStored(codec, options)}
      onDone={() => {
        storeEncryption('on');
        onDone();
      }}
    />
  );
}

import type { AgentError } from 'brooklet';
import { decryptStored } from 'brooklet/encryption';
import type { ReactElement } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { ChangeStored } from './ChangeStored.tsx';
import { codec } from './codec.ts';
import { GateNotice } from './GateNotice.tsx';
import { storeEncryption } from '../base/encryption.ts';

/** Decrypts the stored conversations. Then the page loads again, with a store that does not encrypt. */
export function Decrypting(): ReactElement {
  const { encryption: words } = useAllTexts();
  return (
    <ChangeStored
      title={words.decryptingTitle}
      failed={words.decryptFailed}
      work={(options) => decryptStored(codec, options)}
      onDone={finish}
      renderError={(error) => (isLeftover(error) ? <LeftoverScreen /> : undefined)}
    />
  );
}

function finish(): void {
  storeEncryption('off');
  location.reload();
}

/** Whether everything is decrypted but what was encrypted with another key, which cannot be read anyway. */
function isLeftover({ code, retryable }: AgentError): boolean {
  return code === 'STORAGE_LOCKED' && !retryable;
}

function LeftoverScreen(): ReactElement {
  const { encryption: words } = useAllTexts();
  return <GateNotice title={words.leftoverTitle} text={words.leftoverText} verb={words.goOn} onVerb={finish} />;
}

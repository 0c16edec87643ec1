import { type ReactElement, useRef, useState } from 'react';
import { takeText } from '../keys/passphrase.ts';
import { needsUnlocking, useVault } from '../keys/vault.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { ValidForm } from '../ui/ValidForm.tsx';
import { DeviceName } from './AddressForm.tsx';
import { forgetArrivedCode, getArrivedCode } from './arrival.ts';
import { accept } from './connect.ts';
import { Field } from './Field.tsx';
import { Problem } from './Problem.tsx';
import { useAction } from './useAction.ts';

/** Connects this device by a code of another one. */
export function CodeForm(): ReactElement {
  const { devices: words } = useAllTexts();
  const vault = useVault();
  const { isBusy, error, run } = useAction();
  const [device, setDevice] = useState('');
  const code = useRef<HTMLInputElement>(null);
  const pin = useRef<HTMLInputElement>(null);

  const onSubmit = (): void => {
    const [text, typed] = [code.current?.value ?? '', takeText(pin)];
    run(async () => {
      await accept(text, typed, device.trim());
      forgetArrivedCode();
    });
  };

  return (
    <ValidForm className="device-form" aria-label={words.byCode} onSubmit={onSubmit}>
      <Field label={words.code} hint={words.codeHint}>
        {(described) => (
          <input
            ref={code}
            type="password"
            required
            autoComplete="off"
            spellCheck={false}
            defaultValue={getArrivedCode()}
            {...described}
          />
        )}
      </Field>
      <Field label={words.pin}>
        {() => <input ref={pin} type="password" inputMode="numeric" required autoComplete="off" spellCheck={false} />}
      </Field>
      <DeviceName value={device} onChange={setDevice} />
      {error && <Problem error={error} isPin />}
      <div className="buttons">
        <button type="submit" className="primary" disabled={needsUnlocking(vault)} aria-disabled={isBusy}>
          {isBusy ? words.connecting : words.connect}
        </button>
      </div>
      {vault.status === 'memory' && <p className="hint">{words.keepHint}</p>}
    </ValidForm>
  );
}

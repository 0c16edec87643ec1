import { Segments } from 'brooklet/ui';
import { type ReactElement, useRef, useState } from 'react';
import { leastPassphrase, takeText } from '../keys/passphrase.ts';
import { needsUnlocking, useVault } from '../keys/vault.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { ValidForm } from '../ui/ValidForm.tsx';
import { connect } from './connect.ts';
import { type Engine, isUserName, problemWith, type SignInKind } from '../base/engine.ts';
import { Field } from './Field.tsx';
import { Problem } from './Problem.tsx';
import { useAction } from './useAction.ts';

/** Connects this device by the address of the engine. With `known`, asks for the secrets of an engine only. */
export function AddressForm({ known }: { readonly known?: Engine }): ReactElement {
  const { devices: words } = useAllTexts();
  const vault = useVault();
  const { isBusy, error, run } = useAction();
  const [form, setForm] = useState({ url: '', user: '', device: '', ...known });
  const [signIn, setSignIn] = useState<SignInKind>(known?.signIn ?? 'password');
  const [isTried, setIsTried] = useState(false);
  // Uncontrolled: React would write a controlled value into the DOM's attributes.
  const credential = useRef<HTMLInputElement>(null);
  const passphrase = useRef<HTMLInputElement>(null);
  const address = form.url.trim();
  const addressProblem = isTried ? problemWith(address) : undefined;
  const userProblem = isTried && !isUserName(form.user.trim());
  const isLocked = needsUnlocking(vault);

  const onSubmit = (): void => {
    setIsTried(true);
    const chosen: Engine = { url: address, user: form.user.trim(), device: form.device.trim(), signIn };
    if (problemWith(chosen.url) !== undefined || !isUserName(chosen.user) || isBusy) return;
    const [secret, phrase] = [takeText(credential), takeText(passphrase)];
    run(() => connect(chosen, secret, phrase));
  };

  return (
    <ValidForm className="device-form" aria-label={known ? words.again : words.connect} onSubmit={onSubmit}>
      {known ? (
        <p className="hint">{words.againText}</p>
      ) : (
        <>
          <Field label={words.address} problem={addressProblem && words.addressProblems[addressProblem]}>
            {(described) => (
              <input
                type="text"
                inputMode="url"
                autoComplete="off"
                spellCheck={false}
                required
                placeholder="wss://nats.example.com"
                value={form.url}
                onChange={({ target }) => setForm({ ...form, url: target.value })}
                {...described}
              />
            )}
          </Field>
          <Field label={words.user} problem={userProblem ? words.userProblem : undefined}>
            {(described) => (
              <input
                type="text"
                autoComplete="username"
                spellCheck={false}
                required
                value={form.user}
                onChange={({ target }) => setForm({ ...form, user: target.value })}
                {...described}
              />
            )}
          </Field>
          <Segments
            legend={words.signIn}
            options={[
              { value: 'password', label: words.password },
              { value: 'token', label: words.token },
            ]}
            value={signIn}
            onChange={setSignIn}
          />
        </>
      )}
      <Field label={words[signIn]}>
        {() => <input ref={credential} type="password" required autoComplete="off" spellCheck={false} />}
      </Field>
      <Field label={words.passphrase} hint={words.passphraseHint}>
        {(described) => (
          <input
            ref={passphrase}
            type="password"
            required
            minLength={leastPassphrase}
            autoComplete="off"
            spellCheck={false}
            {...described}
          />
        )}
      </Field>
      {!known && <DeviceName value={form.device} onChange={(device) => setForm({ ...form, device })} />}
      {error && <Problem error={error} />}
      <div className="buttons">
        <button type="submit" className="primary" disabled={isLocked} aria-disabled={isBusy}>
          {isBusy ? words.connecting : known ? words.again : words.connect}
        </button>
      </div>
      {vault.status === 'memory' && <p className="hint">{words.keepHint}</p>}
    </ValidForm>
  );
}

/** The field for the name of this device. */
export function DeviceName({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (device: string) => void;
}): ReactElement {
  const { devices: words } = useAllTexts();
  return (
    <Field label={words.device} hint={words.deviceHint}>
      {(described) => (
        <input
          type="text"
          autoComplete="off"
          required
          maxLength={60}
          pattern=".*\S.*"
          placeholder={words.deviceExample}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          {...described}
        />
      )}
    </Field>
  );
}

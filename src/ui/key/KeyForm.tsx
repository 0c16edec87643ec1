import { type ReactElement, useId, useRef, useState } from 'react';
import { toAgentError } from '../../index.ts';
import type { VaultState } from '../../keys/index.ts';
import type { Provider } from '../../llm/providers/index.ts';
import type { KeyLabels } from '../labels/key-english.ts';
import { NewPassphrase, type NewPassphraseFields } from './NewPassphrase.tsx';
import { Keep } from './Keep.tsx';
import { PasswordField } from './PasswordField.tsx';
import { ProblemText } from './ProblemText.tsx';
import type { KeyFieldProps } from './props.ts';
import { type Saved, saveKey } from './saveKey.ts';
import { canBeKey, releaseTo, takeText, trimKey } from './typedKey.ts';
import { useKeyTest } from './useKeyTest.ts';
import type { Problem } from './verdict.ts';

/** Characters that a passphrase has at least. */
const leastPassphrase = 8;

interface KeyFormProps extends Pick<
  KeyFieldProps,
  'vault' | 'keep' | 'test' | 'request' | 'userName' | 'renderFields'
> {
  readonly provider: Provider;
  readonly baseURL: string;
  readonly origin: string;
  readonly keyId: string;
  readonly state: VaultState;
  /** `isTested`: whether the key has passed a test. */
  readonly onSaved: (saved: Saved & { readonly isTested: boolean }) => void;
  /** Leaves the key as it is. */
  readonly onCancel: (() => void) | undefined;
  readonly words: KeyLabels;
}

/** Takes a key, tests it if the page asks for that, and keeps it. The key is in its field until then, so that a refused one can be corrected. */
export function KeyForm(props: KeyFormProps): ReactElement {
  const { provider, baseURL, origin, keyId, vault, test = false, request, userName, state, onSaved, onCancel } = props;
  const { renderFields, words } = props;
  const { locks, keys } = state;
  const [keep, setKeep] = useState(vault ? (props.keep ?? (locks.length > 0 ? 'device' : 'tab')) : 'tab');
  const [isSaving, setIsSaving] = useState(false);
  const tester = useKeyTest({ provider, baseURL, test, request, words });
  const { problem, setProblem } = tester;
  const busy = tester.isTesting ? 'testing' : isSaving ? 'saving' : undefined;
  const [withPasskey, setWithPasskey] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const first = useRef<HTMLInputElement>(null);
  const again = useRef<HTMLInputElement>(null);
  // React Compiler would keep an object in which a hook is called.
  const phrases: NewPassphraseFields = { first, again };
  const problemId = useId();
  const needsKey = provider.keysURL !== undefined;
  const isNewVault = keep === 'device' && vault !== undefined && locks.length === 0;

  /** Releases what is typed, when it is needed. */
  const releaseTyped = (asking: string): Promise<string> =>
    releaseTo(origin, trimKey(field.current?.value ?? ''))(asking);
  const refuse = (name: keyof KeyLabels['problems'], of: Problem['of'] = 'key'): void => {
    setProblem({ text: words.problems[name], of, mayUse: false });
    (of === 'passphrase' ? phrases.first : field).current?.focus();
  };
  const findFault = (key: string): (() => void) | undefined => {
    if (key === '' && needsKey) return () => refuse('empty');
    if (key !== '' && !canBeKey(key)) return () => refuse('characters');
    const phrase = phrases.first.current?.value ?? '';
    if (!isNewVault || key === '') return undefined;
    if (phrase.length < leastPassphrase) return () => refuse('short', 'passphrase');
    return phrase === phrases.again.current?.value ? undefined : () => refuse('different', 'passphrase');
  };

  const submit = async (isTested: boolean): Promise<void> => {
    const key = trimKey(field.current?.value ?? '');
    const fault = findFault(key);
    if (busy || fault) return fault?.();
    setProblem(undefined);
    if (test !== false && !isTested) {
      const found = await tester.run(key);
      if (found === 'key') field.current?.focus();
      if (found !== 'passed') return;
    }
    setIsSaving(true);
    const passphrase = phrases.first.current?.value ?? '';
    const passkeyOf = withPasskey ? (userName ?? location.host) : undefined;
    const saving = saveKey({
      provider,
      baseURL,
      origin,
      keyId,
      key,
      keep,
      vault,
      locks,
      passphrase,
      passkeyOf,
    });
    const outcome = await saving.then(
      (saved) => ({ saved }),
      (thrown: unknown) => ({ error: toAgentError(thrown) }),
    );
    setIsSaving(false);
    if ('error' in outcome) return setProblem({ text: outcome.error.message, of: 'other', mayUse: false });
    for (const one of [field, phrases.first, phrases.again]) takeText(one);
    onSaved({ ...outcome.saved, isTested: test !== false && !isTested });
  };

  const describedBy = problem && problemId;
  return (
    <form
      // Otherwise the browser keeps what was typed in a file of its own.
      autoComplete="off"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(false);
      }}
    >
      {provider.pages === 'refused' && baseURL === provider.baseURL && <p className="bk-hint">{words.noPages}</p>}
      <PasswordField
        field={field}
        label={words.field(provider.name)}
        autoComplete="off"
        placeholder={needsKey ? words.paste : words.optional}
        isInvalid={problem?.of === 'key'}
        describedBy={describedBy}
        onChange={() => setProblem(undefined)}
      />
      {provider.keysURL !== undefined && (
        <p className="bk-hint">
          <a href={provider.keysURL} target="_blank" rel="noreferrer noopener">
            {words.getKey(provider.name)}
          </a>
        </p>
      )}
      {/* oxlint-disable-next-line react/refs -- the field is read when a request needs the key, not while it is rendered */}
      {renderFields?.(releaseTyped)}
      {vault && <Keep keep={keep} onKeep={setKeep} words={words} />}
      {isNewVault && (
        <NewPassphrase
          fields={phrases}
          others={keys.filter(({ id }) => id !== keyId).length}
          isInvalid={problem?.of === 'passphrase'}
          describedBy={describedBy}
          withPasskey={withPasskey}
          onPasskey={setWithPasskey}
          words={words}
        />
      )}
      <ProblemText id={problemId} problem={problem} />
      <div className="bk-buttons">
        <button type="submit" className="bk-button" data-state="primary" aria-disabled={busy !== undefined}>
          {busy === undefined ? (test === false ? words.use : words.testAndUse) : words[busy]}
        </button>
        {busy === 'testing' && (
          <button type="button" className="bk-button" onClick={tester.stop}>
            {words.cancel}
          </button>
        )}
        {problem?.mayUse && busy === undefined && (
          <button type="button" className="bk-button" onClick={() => void submit(true)}>
            {words.useAnyway}
          </button>
        )}
        {onCancel && busy === undefined && (
          <button type="button" className="bk-button" data-state="quiet" onClick={onCancel}>
            {words.cancel}
          </button>
        )}
      </div>
    </form>
  );
}

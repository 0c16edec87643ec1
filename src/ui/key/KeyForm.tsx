import { type ReactElement, useEffect, useId, useRef, useState } from 'react';
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
import { testKey } from './testKey.ts';
import { canBeKey, takeText, trimKey } from './typedKey.ts';
import { type Problem, toVerdict } from './verdict.ts';

/** Characters that a passphrase has at least. */
const leastPassphrase = 8;

interface KeyFormProps extends Pick<KeyFieldProps, 'vault' | 'keep' | 'test' | 'request' | 'userName'> {
  readonly provider: Provider;
  readonly baseURL: string;
  readonly origin: string;
  readonly keyId: string;
  readonly state: VaultState;
  readonly onSaved: (saved: Saved) => void;
  /** Leaves the key as it is. */
  readonly onCancel: (() => void) | undefined;
  readonly words: KeyLabels;
}

/** Takes a key, tests it if the page asks for that, and keeps it. The key is in its field until then, so that a refused one can be corrected. */
export function KeyForm(props: KeyFormProps): ReactElement {
  const { provider, baseURL, origin, keyId, vault, test = false, request, userName, state, onSaved, onCancel } = props;
  const { words } = props;
  const { locks, keys } = state;
  const [keep, setKeep] = useState(vault ? (props.keep ?? (locks.length > 0 ? 'device' : 'tab')) : 'tab');
  const [busy, setBusy] = useState<'testing' | 'saving'>();
  const [problem, setProblem] = useState<Problem>();
  const [withPasskey, setWithPasskey] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const first = useRef<HTMLInputElement>(null);
  const again = useRef<HTMLInputElement>(null);
  // React Compiler would keep an object in which a hook is called.
  const phrases: NewPassphraseFields = { first, again };
  const testing = useRef<AbortController>(undefined);
  const problemId = useId();
  useEffect(() => () => testing.current?.abort(), []);
  const needsKey = provider.keysURL !== undefined;
  const isNewVault = keep === 'device' && vault !== undefined && locks.length === 0;

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

  const isRefused = async (key: string): Promise<boolean> => {
    const controller = new AbortController();
    testing.current = controller;
    setBusy('testing');
    return isRefusedBy(key, controller.signal).finally(() => setBusy(undefined));
  };
  const isRefusedBy = async (key: string, signal: AbortSignal): Promise<boolean> => {
    const model = typeof test === 'string' ? test : undefined;
    const tested = testKey({ provider, baseURL, key, model, request, signal });
    const failure = await tested.then(() => undefined, toAgentError);
    if (signal.aborted) return true;
    if (failure === undefined) return false;
    const { noAnswer } = provider;
    const verdict = await toVerdict(failure, { baseURL, noAnswer, request }, words.verdicts);
    if (signal.aborted) return true;
    setProblem(verdict);
    if (verdict.of === 'key') field.current?.focus();
    return true;
  };
  const submit = async (isTested: boolean): Promise<void> => {
    const key = trimKey(field.current?.value ?? '');
    const fault = findFault(key);
    if (busy || fault) return fault?.();
    setProblem(undefined);
    if (test !== false && !isTested && (await isRefused(key))) return;
    setBusy('saving');
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
    setBusy(undefined);
    if ('error' in outcome) return setProblem({ text: outcome.error.message, of: 'other', mayUse: false });
    for (const one of [field, phrases.first, phrases.again]) takeText(one);
    onSaved(outcome.saved);
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
          <button type="button" className="bk-button" onClick={() => testing.current?.abort()}>
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

import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { fallback$, type Fallback as Choice, getFallback, setFallback } from '../connection.ts';

const choices: readonly { readonly value: Choice; readonly label: string }[] = [
  { value: 'none', label: 'None: show the error' },
  { value: 'browser', label: 'This browser’s built-in model' },
  { value: 'offline', label: 'The offline demo model (a script)' },
];

/** Chooses the model that answers if the chosen model cannot, after the retries. Takes effect at once. */
export function Fallback(): ReactElement {
  const chosen = useObservable(fallback$, getFallback);
  return (
    <fieldset>
      <legend>If the model cannot answer</legend>
      <p className="hint">A request that fails temporarily is repeated up to three times. After that:</p>
      <label>
        <span>Answer with</span>
        <select
          value={chosen}
          onChange={({ target }) => {
            const choice = choices.find(({ value }) => value === target.value);
            if (choice) setFallback(choice.value);
          }}
        >
          {choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </fieldset>
  );
}

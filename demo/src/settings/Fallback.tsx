import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { fallback$, type Fallback as Choice, getFallback, setFallback } from '../model/connection.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';

/** Chooses the model that answers if the chosen model cannot, after the retries. Takes effect at once. */
export function Fallback(): ReactElement {
  const { settings: words } = useAllTexts();
  const chosen = useObservable(fallback$, getFallback);
  const choices: readonly { readonly value: Choice; readonly label: string }[] = [
    { value: 'none', label: words.fallbackNone },
    { value: 'browser', label: words.fallbackBrowser },
    { value: 'offline', label: words.fallbackOffline },
  ];
  return (
    <fieldset>
      <legend>{words.fallback}</legend>
      <p className="hint">{words.fallbackHint}</p>
      <label>
        <span>{words.fallbackWith}</span>
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

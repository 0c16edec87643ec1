import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { getStandIn, setStandIn, type StandIn as Choice, standIn$ } from '../connection.ts';

const choices: readonly { readonly value: Choice; readonly label: string }[] = [
  { value: 'none', label: 'Nobody: say what went wrong' },
  { value: 'browser', label: 'This browser’s own model' },
  { value: 'offline', label: 'The offline demo (a script)' },
];

/** Who answers where the model cannot, after it was asked again. Takes effect at once. */
export function StandIn(): ReactElement {
  const chosen = useObservable(standIn$, getStandIn);
  return (
    <fieldset>
      <legend>If it cannot answer</legend>
      <p className="hint">A request that fails for the moment is made again by itself, three times. After that:</p>
      <label>
        <span>Stand-in</span>
        <select
          value={chosen}
          onChange={({ target }) => {
            const choice = choices.find(({ value }) => value === target.value);
            if (choice) setStandIn(choice.value);
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

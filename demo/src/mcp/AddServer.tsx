import { type ReactElement, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { AddressForm } from '../ui/AddressForm.tsx';
import { Icon } from '../ui/Icon.tsx';
import { type AddressProblem, addServer, problemWith } from './servers.ts';
import { suggestions } from './suggestions.ts';

/** Adds a server by its address, or one of a few suggestions. */
export function AddServer({ onAdded }: { readonly onAdded: (name: string) => void }): ReactElement {
  const { mcp: words } = useAllTexts();
  const [problem, setProblem] = useState<AddressProblem>();

  const add = (address: string): boolean => {
    const found = problemWith(address);
    setProblem(found);
    if (found === undefined) onAdded(addServer(address));
    return found === undefined;
  };

  return (
    <>
      <AddressForm
        label={words.address}
        placeholder="https://mcp.example.com/mcp"
        action={words.add}
        problem={problem && words.addressProblems[problem]}
        onAdd={add}
        onChange={() => setProblem(undefined)}
      />
      <details className="suggested">
        <summary>
          <Icon name="chevron" />
          {words.suggested}
        </summary>
        <p className="hint">{words.suggestedHint}</p>
        <ul aria-label={words.suggested}>
          {suggestions.map(({ title, url: address, about, needsAccount }) => (
            <li key={address}>
              <span className="rule-text">
                {title}
                <small>
                  {words.about[about]}
                  {needsAccount && ` ${words.needsAccount}`}
                </small>
              </span>
              <button
                type="button"
                aria-label={words.addSuggested(title)}
                disabled={problemWith(address) === 'present'}
                onClick={() => add(address)}
              >
                {problemWith(address) === 'present' ? words.added : words.add}
              </button>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

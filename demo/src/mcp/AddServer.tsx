import { type ReactElement, type SubmitEvent, useId, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { type AddressProblem, addServer, problemWith } from './servers.ts';
import { suggestions } from './suggestions.ts';

/** Adds a server by its address, or one of a few suggestions. */
export function AddServer({ onAdded }: { readonly onAdded: (name: string) => void }): ReactElement {
  const { mcp: words } = useAllTexts();
  const [url, setUrl] = useState('');
  const [problem, setProblem] = useState<AddressProblem>();
  const problemId = useId();

  const add = (address: string): void => {
    const found = problemWith(address);
    setProblem(found);
    if (found !== undefined) return;
    onAdded(addServer(address));
    setUrl('');
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    add(url.trim());
  };

  return (
    <>
      <form className="add-row" onSubmit={onSubmit}>
        <label className="stacked grow">
          <span>{words.address}</span>
          <input
            type="text"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://mcp.example.com/mcp"
            value={url}
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : problemId}
            onChange={(event) => {
              setUrl(event.target.value);
              setProblem(undefined);
            }}
          />
        </label>
        <button type="submit" className="primary" disabled={url.trim() === ''}>
          {words.add}
        </button>
      </form>
      {problem !== undefined && (
        <p id={problemId} className="hint bad" role="alert">
          {words.addressProblems[problem]}
        </p>
      )}
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

import type { ReactElement } from 'react';
import { Icon } from '../ui/Icon.tsx';
import { useTexts } from '../texts/useTexts.ts';

interface SuggestionsProps {
  readonly isOffline: boolean;
  readonly onPick: (text: string) => void;
}

/** Prompts to start with. The offline model also has a drawer with more, and one with its failures. */
export function Suggestions({ isOffline, onPick }: SuggestionsProps): ReactElement {
  const { welcome: words } = useTexts();
  return (
    <div className="suggestions">
      <ul className="prompts" aria-label={words.suggestions}>
        {Object.values(words.prompts).map(({ text, hint }) => (
          <li key={text}>
            <button type="button" onClick={() => onPick(text)}>
              <span>{text}</span>
              <small>{hint}</small>
            </button>
          </li>
        ))}
      </ul>
      {isOffline && (
        <div className="drawers">
          <Drawer
            title={words.more}
            prompts={Object.values(words.morePrompts).map((text) => ({ text }))}
            onPick={onPick}
          />
          <Drawer
            title={words.theatre}
            text={words.theatreText}
            prompts={Object.values(words.failures)}
            onPick={onPick}
          />
        </div>
      )}
    </div>
  );
}

interface DrawerProps {
  readonly title: string;
  readonly text?: string;
  readonly prompts: readonly { readonly text: string; readonly hint?: string }[];
  readonly onPick: (text: string) => void;
}

/** Closed until the user opens it; opening one closes the other. */
function Drawer({ title, text, prompts, onPick }: DrawerProps): ReactElement {
  return (
    <details className="drawer" name="suggestions">
      <summary>
        <Icon name="chevron" />
        {title}
      </summary>
      {text !== undefined && <p className="hint">{text}</p>}
      <ul aria-label={title}>
        {prompts.map((prompt) => (
          <li key={prompt.text}>
            <button type="button" title={prompt.hint} onClick={() => onPick(prompt.text)}>
              {prompt.text}
              {prompt.hint !== undefined && <small>{prompt.hint}</small>}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

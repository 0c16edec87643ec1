import { isComposing } from 'brooklet/ui';
import type { ReactElement, RefObject } from 'react';
import { ariaKeys, keyCaps, keys } from '../shell/keys.ts';
import { useTexts } from '../texts/useTexts.ts';
import { Icon } from '../ui/Icon.tsx';

interface SearchFieldProps {
  readonly ref: RefObject<HTMLInputElement | null>;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Searches titles and messages while the user types. Escape clears the field. */
export function SearchField({ ref, value, onChange }: SearchFieldProps): ReactElement {
  const { sessions: words } = useTexts();
  return (
    <search className="search">
      <Icon name="search" />
      <input
        ref={ref}
        type="search"
        aria-label={words.search}
        aria-keyshortcuts={ariaKeys(keys.search)}
        placeholder={words.search}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '' || isComposing(event.nativeEvent)) return;
          event.preventDefault();
          event.stopPropagation();
          onChange('');
        }}
      />
      {value === '' ? (
        <kbd aria-hidden="true">{keyCaps(keys.search).join(' ')}</kbd>
      ) : (
        <button type="button" className="quiet small" aria-label={words.clearSearch} onClick={() => onChange('')}>
          <Icon name="close" />
        </button>
      )}
    </search>
  );
}

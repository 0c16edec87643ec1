import type { KeyboardEvent, ReactElement } from 'react';
import { CloseButton } from './CloseButton.tsx';
import { Glyph } from './Glyph.tsx';
import { isComposing } from './isComposing.ts';

interface SearchFieldProps {
  readonly label: string;
  readonly clearLabel: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Called at a key that the field does not use. */
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  /** The key of the page that moves the focus here. */
  readonly keyOfPage?: string | undefined;
}

/** Searches while the person types. Escape clears the field. */
export function SearchField(props: SearchFieldProps): ReactElement {
  const { label, clearLabel, value, onChange, onKeyDown, keyOfPage } = props;
  return (
    <div className="bk-search" role="search">
      <Glyph name="search" />
      <input
        type="search"
        aria-label={label}
        aria-keyshortcuts={keyOfPage}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        dir={value === '' ? undefined : 'auto'}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (event.key !== 'Escape' || value === '') {
            onKeyDown?.(event);
            return;
          }
          event.preventDefault();
          event.stopPropagation();
          onChange('');
        }}
      />
      {value === '' && keyOfPage !== undefined && <kbd aria-hidden="true">{keyOfPage}</kbd>}
      {value !== '' && <CloseButton label={clearLabel} onClick={() => onChange('')} />}
    </div>
  );
}

import { isComposing } from 'brooklet/ui';
import type { ReactElement } from 'react';
import { useTexts } from '../texts/useTexts.ts';

interface TitleFieldProps {
  readonly title: string;
  /** Called once, with the new title, or without one where nothing has changed. */
  readonly onDone: (title: string | undefined) => void;
}

/** Edits a title in its place. Enter and leaving the field accept, Escape rejects. */
export function TitleField({ title, onDone }: TitleFieldProps): ReactElement {
  const { sessions: words } = useTexts();
  const accept = (text: string): void => {
    const trimmed = text.trim();
    onDone(trimmed === '' || trimmed === title ? undefined : trimmed);
  };
  return (
    <input
      aria-label={words.title}
      defaultValue={title}
      maxLength={120}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked to type here
      autoFocus
      onFocus={(event) => event.target.select()}
      onBlur={(event) => accept(event.target.value)}
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return;
        // The blur accepts the text.
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        event.currentTarget.value = title;
        event.currentTarget.blur();
      }}
    />
  );
}

import { type ReactElement, useEffect, useRef } from 'react';
import { isComposing } from '../base/isComposing.ts';

interface TitleFieldProps {
  readonly title: string;
  readonly label: string;
  /** Called once, with the new title, or without one where nothing has changed. `byKey`: the focus is still here. */
  readonly onDone: (title: string | undefined, byKey: boolean) => void;
}

/** Characters of a title. */
const maxTitle = 200;

/** Edits a title in its place. Enter and leaving the field accept, Escape rejects; an empty title changes nothing. */
export function TitleField({ title, label, onDone }: TitleFieldProps): ReactElement {
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  const finish = (text: string, byKey: boolean): void => {
    if (isDone.current) return;
    isDone.current = true;
    const trimmed = text.trim();
    onDone(trimmed === '' || trimmed === title ? undefined : trimmed, byKey);
  };
  return (
    <input
      ref={field}
      className="bk-title-field"
      dir="auto"
      aria-label={label}
      autoComplete="off"
      defaultValue={title}
      maxLength={maxTitle}
      onBlur={(event) => finish(event.target.value, false)}
      onKeyDown={(event) => {
        // No key is for the list around the field.
        event.stopPropagation();
        if (isComposing(event.nativeEvent) || (event.key !== 'Enter' && event.key !== 'Escape')) return;
        event.preventDefault();
        finish(event.key === 'Enter' ? event.currentTarget.value : title, true);
      }}
    />
  );
}

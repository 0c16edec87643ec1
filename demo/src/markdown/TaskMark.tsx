import type { ReactElement } from 'react';
import { useTexts } from '../texts/useTexts.ts';

/** The box of a task in a list: a picture, since nobody can check it. */
export function TaskMark({ isDone }: { readonly isDone: boolean }): ReactElement {
  const { markdown: words } = useTexts();
  return (
    <span
      className={isDone ? 'task-mark done' : 'task-mark'}
      role="img"
      aria-label={isDone ? words.done : words.notDone}
    />
  );
}

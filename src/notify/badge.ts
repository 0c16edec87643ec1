import type { NotifyPorts } from './ports.ts';

/** The number of notices before the title of the page: "(2) Title". */
export interface Badge {
  add(): void;
  clear(): void;
  /** The title of the page, without the number. */
  plain(): string;
}

/** What the page sets as its title meanwhile stays: only the number is taken away. */
export function createBadge({ getTitle, setTitle }: Pick<NotifyPorts, 'getTitle' | 'setTitle'>): Badge {
  let count = 0;

  function plain(): string {
    const mark = `(${count}) `;
    const title = getTitle();
    return count > 0 && title.startsWith(mark) ? title.slice(mark.length) : title;
  }

  function show(next: number): void {
    const title = plain();
    count = next;
    const marked = count > 0 ? `(${count}) ${title}` : title;
    if (marked !== getTitle()) setTitle(marked);
  }

  return { add: () => show(count + 1), clear: () => show(0), plain };
}

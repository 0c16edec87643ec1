import type { ReactElement, ReactNode } from 'react';
import { useTexts } from '../texts/useTexts.ts';

/** A table that scrolls by itself when it is wider than the column. */
export function Table({ children }: { readonly children: ReactNode }): ReactElement {
  const { markdown: words } = useTexts();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
    <section className="table-scroll" tabIndex={0} aria-label={words.table}>
      <table>{children}</table>
    </section>
  );
}

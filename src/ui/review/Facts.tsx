import type { ReactElement, ReactNode } from 'react';

/** Names with their values, side by side. */
export function Facts({ children }: { readonly children: ReactNode }): ReactElement {
  return <dl className="bk-facts">{children}</dl>;
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}

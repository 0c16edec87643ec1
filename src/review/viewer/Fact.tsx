/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from 'preact';

interface FactProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

/** One line of a list of facts. */
export function Fact({ name, children }: FactProps): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

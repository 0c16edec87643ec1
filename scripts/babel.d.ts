/** What the scripts use of Babel, which brings no types. */
declare module '@babel/core' {
  export function transformAsync(
    code: string,
    options: object,
  ): Promise<{ readonly code?: string; readonly map?: object } | null>;

  interface Place {
    readonly line: number;
    readonly column: number;
  }

  /** A node of the syntax tree: what scripts/mutate/refusals.mjs reads of the kinds that it knows. */
  export interface Node {
    readonly type: string;
    readonly loc?: { readonly start: Place; readonly end: Place } | null;
    readonly name?: string;
    readonly operator?: string;
    readonly value?: unknown;
    readonly id?: Node | null;
    readonly init?: Node | null;
    readonly key?: Node;
    readonly test?: Node;
    readonly consequent?: Node;
    readonly alternate?: Node | null;
    readonly argument?: Node | null;
    readonly expression?: Node;
    readonly callee?: Node;
    readonly property?: Node;
    readonly elements?: readonly unknown[];
    readonly body?: Node | readonly Node[];
    readonly returnType?: { readonly typeAnnotation?: Node } | null;
  }

  export interface Path {
    readonly node: Node;
    readonly parent: Node;
  }

  export function parseSync(code: string, options: object): Node | null;
  export function traverse(tree: Node | null, visitors: Readonly<Record<string, (path: Path) => void>>): void;
}

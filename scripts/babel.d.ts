/** What scripts/react-compiler.mjs uses of Babel, which brings no types. */
declare module '@babel/core' {
  export function transformAsync(
    code: string,
    options: object,
  ): Promise<{ readonly code?: string; readonly map?: object } | null>;
}

/** The values of a page without types: whatever a caller passes. */
export const untyped = (value: unknown): never => value as never;

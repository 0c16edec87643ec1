/** A promise that the test resolves. */
export function createGate(): {
  readonly opened: Promise<void>;
  readonly open: () => void;
  readonly fail: (error: unknown) => void;
} {
  let open = (): void => {};
  let fail = (_error: unknown): void => {};
  const opened = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { opened, open, fail };
}

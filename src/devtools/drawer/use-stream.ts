import { useEffect, useState } from 'react';
import type { Observable } from 'rxjs';

/**
 * Returns the last value of a stream; that of the stream before until the first one.
 *
 * @param create returns the stream; called again when one of the `inputs` changes
 */
export function useStream<T>(create: () => Observable<T>, initial: T, inputs: readonly unknown[]): T {
  const [value, setValue] = useState(initial);
  useEffect(() => {
    const subscription = create().subscribe((next) => setValue(() => next));
    return () => subscription.unsubscribe();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the caller names what the stream depends on
  }, inputs);
  return value;
}

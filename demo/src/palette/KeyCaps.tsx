import type { ReactElement } from 'react';
import { type Combination, keyCaps } from '../base/shortcuts.ts';

/** A combination of keys, as the keyboard labels them. */
export function KeyCaps({ keys }: { readonly keys: Combination }): ReactElement {
  return (
    <span className="key-caps">
      {keyCaps(keys).map((cap) => (
        <kbd key={cap}>{cap}</kbd>
      ))}
    </span>
  );
}

/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { messageOf } from '../../core/error.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { toTest } from '../../testing/replay/to-test.ts';

/** Copies a test that replays the session. */
export function CopyTest({ events }: { readonly events: readonly SessionEvent[] }): VNode {
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    setSaid('');
    try {
      await navigator.clipboard.writeText(toTest(events));
      setSaid('Copied');
    } catch (error) {
      setSaid(`Not copied: ${messageOf(error)}`);
    }
  };
  return (
    <>
      <button type="button" disabled={events.length === 0} onClick={() => void copy()}>
        Copy as test
      </button>
      <span class="hint" role="status">
        {said}
      </span>
    </>
  );
}

import { type ReactElement, useState } from 'react';
import { messageOf } from '../../core/error.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { toTest } from '../../review/replay/to-test.ts';
import { useDrawerTexts } from './texts/use-drawer-texts.ts';

/** Copies a test that replays the session. */
export function CopyTest({ events }: { readonly events: readonly SessionEvent[] }): ReactElement {
  const texts = useDrawerTexts();
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    setSaid('');
    try {
      await navigator.clipboard.writeText(toTest(events));
      setSaid(texts.copied);
    } catch (error) {
      setSaid(texts.notCopied(messageOf(error)));
    }
  };
  return (
    <>
      <button type="button" className="bk-button" disabled={events.length === 0} onClick={() => void copy()}>
        {texts.copyTest}
      </button>
      <span className="bk-hint" role="status">
        {said}
      </span>
    </>
  );
}

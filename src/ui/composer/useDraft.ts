import { useRef, useState } from 'react';
import { usePageEffect } from '../base/usePageEffect.ts';

/** The text that a person writes. */
export interface Draft {
  readonly text: string;
  readonly set: (text: string) => void;
  /** Removes a text that was sent. What was typed since stays. */
  readonly clear: (sent: string) => void;
}

/** Returns the draft: the page's own, where it passes `value`, else that of the field. */
export function useDraft(value: string | undefined, onValue: ((value: string) => void) | undefined): Draft {
  const [own, setOwn] = useState('');
  const text = value ?? own;
  const latest = useRef(text);
  // Before the next event: a message can be sent in the frame in which it was pasted.
  usePageEffect(() => void (latest.current = text));
  const set = (next: string): void => {
    latest.current = next;
    setOwn(next);
    onValue?.(next);
  };
  return {
    text,
    set,
    clear: (sent) => {
      const { current: now } = latest;
      if (now.startsWith(sent)) set(now.slice(sent.length).trimStart());
    },
  };
}

import { useEffect, useRef, useState } from 'react';

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
  useEffect(() => void (latest.current = text));
  const set = (next: string): void => {
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

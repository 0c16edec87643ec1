import { useAgent } from 'brooklet/react';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { isConnected } from '../model/outliving.ts';
import { eraseAll } from './eraseAll.ts';

/** Erases everything of this page after one more question. */
export function EraseEverything(): ReactElement {
  const { storage: words, common } = useAllTexts();
  const agent = useAgent();
  const [phase, setPhase] = useState<'closed' | 'asking' | 'erasing'>('closed');
  const [left, setLeft] = useState<readonly string[]>([]);
  const cancel = useRef<HTMLButtonElement>(null);
  const opener = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (phase === 'asking') cancel.current?.focus();
  }, [phase]);

  const erase = async (): Promise<void> => {
    setPhase('erasing');
    // A worker has conversations and keys in its memory.
    if (isConnected(agent)) await agent.disconnect({ everywhere: true }).catch(() => {});
    const names = await eraseAll();
    if (names.length > 0) {
      setLeft(names);
      setPhase('asking');
      return;
    }
    // The page begins anew: what it has in memory is gone, too.
    location.assign(location.pathname);
  };

  const close = (): void => {
    setPhase('closed');
    setLeft([]);
    // The button comes back with the next render.
    requestAnimationFrame(() => opener.current?.focus());
  };

  if (phase === 'closed')
    return (
      <div className="with-button">
        <p className="hint">{words.eraseHint}</p>
        <button ref={opener} type="button" className="danger" onClick={() => setPhase('asking')}>
          {words.erase}
        </button>
      </div>
    );
  return (
    <div className="unlock">
      <p role="alert">{left.length > 0 ? words.eraseLeft(left.join(', ')) : words.eraseText}</p>
      <div className="notice-verbs">
        <button ref={cancel} type="button" onClick={close} disabled={phase === 'erasing'}>
          {common.cancel}
        </button>
        <button type="button" className="danger" onClick={() => void erase()} disabled={phase === 'erasing'}>
          {words.erase}
        </button>
      </div>
    </div>
  );
}

import { type ReactElement, useContext } from 'react';
import { visible } from '../../base/visible.ts';
import { useReviewTexts } from '../reviewTexts.ts';
import { TreeContext } from './TreeContext.ts';

interface OpenBelowProps {
  /** The session of the call; missing where the call has none. */
  readonly sessionId: string | undefined;
  /** The name of the tool. */
  readonly name: string;
}

/** The button that opens the session of a call; nothing for a call without one. A damaged log may name a session above: that one is not opened below itself. */
export function OpenBelow({ sessionId, name }: OpenBelowProps): ReactElement | null {
  const { tree: words } = useReviewTexts();
  const tree = useContext(TreeContext);
  if (tree === undefined || sessionId === undefined) return null;
  if (tree.path.includes(sessionId)) return <p className="bk-hint">{words.above}</p>;
  return (
    <button
      type="button"
      className="bk-button bk-open-below"
      data-opens={sessionId}
      aria-label={words.openOf(visible(name))}
      onClick={() => tree.open(sessionId)}
    >
      {words.open}
    </button>
  );
}

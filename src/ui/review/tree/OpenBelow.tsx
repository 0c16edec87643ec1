import { type ReactElement, useContext } from 'react';
import type { ToolPart } from '../../../core/model/index.ts';
import { visible } from '../../base/visible.ts';
import { titleOfCall } from '../../call/titleOfCall.ts';
import { useLabels } from '../../labels/useLabels.ts';
import { useReviewTexts } from '../reviewTexts.ts';
import { TreeContext } from './TreeContext.ts';

interface OpenBelowProps {
  /** The session of the call; missing where the call has none. */
  readonly sessionId: string | undefined;
  readonly call: Pick<ToolPart, 'name' | 'handoff'>;
}

/** The button that opens the session of a call; nothing for a call without one. A damaged log may name a session above: that one is not opened below itself. */
export function OpenBelow({ sessionId, call }: OpenBelowProps): ReactElement | null {
  const { tree: words } = useReviewTexts();
  const tool = useLabels('tool', undefined);
  const tree = useContext(TreeContext);
  if (tree === undefined || sessionId === undefined) return null;
  if (tree.path.includes(sessionId)) return <p className="bk-hint">{words.above}</p>;
  return (
    <button
      type="button"
      className="bk-button bk-open-below"
      data-opens={sessionId}
      aria-label={words.openOf(visible(titleOfCall(tool, call)))}
      onClick={() => tree.open(sessionId)}
    >
      {words.open}
    </button>
  );
}

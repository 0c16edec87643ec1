import type { ReactElement } from 'react';
import { useReviewTexts } from '../reviewTexts.ts';
import type { PathSession, Tree } from './useTree.ts';

/** The path from the root of the tree to the session that is shown: each session above is a button. Nothing where there is none above. */
export function TreePath({ path, goUp }: Pick<Tree, 'path' | 'goUp'>): ReactElement | null {
  const { tree: words } = useReviewTexts();
  if (path.length < 2) return null;
  return (
    <nav className="bk-tree-path" aria-label={words.path}>
      <ol>
        {path.map((one, index) => (
          <li key={one.id}>
            <Crumb one={one} isShown={index === path.length - 1} onGo={() => goUp(one.id)} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface CrumbProps {
  readonly one: PathSession;
  readonly isShown: boolean;
  readonly onGo: () => void;
}

function Crumb({ one: { session, error }, isShown, onGo }: CrumbProps): ReactElement {
  const { tree: words, board } = useReviewTexts();
  const title = session?.review.stateAt(Infinity).title;
  const name = session ? title || board.untitled : error === undefined ? words.opening : words.gone;
  if (isShown) return <bdi aria-current="page">{name}</bdi>;
  if (session === undefined) return <bdi className="bk-hint">{name}</bdi>;
  return (
    <button type="button" className="bk-moment-link" onClick={onGo}>
      <bdi>{name}</bdi>
    </button>
  );
}

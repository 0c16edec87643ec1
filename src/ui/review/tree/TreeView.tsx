import { type ReactElement, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useObservable } from '../../../react/index.ts';
import type { Review } from '../../../review/index.ts';
import type { ElementRef } from '../../base/ElementRef.ts';
import { usePageEffect } from '../../base/usePageEffect.ts';
import { Board } from '../Board.tsx';
import type { ReviewViewName, ReviewViewProps, ShownProps } from '../props.ts';
import { NoSession } from './NoSession.tsx';
import { TreeContext, type TreeEnv } from './TreeContext.ts';
import { TreePath } from './TreePath.tsx';
import { type Tree, useTree } from './useTree.ts';

type TreeViewProps = ShownProps & {
  /** The review of `log`. */
  readonly root: Review;
};

/** The session of a tree that is shown, and the path to it. Without `openSession` it is that of `log`. */
export function TreeView(props: TreeViewProps): ReactElement {
  const { root, openSession, onSession, onAnnotate, ...rest } = props;
  const tree = useTree(root, openSession);
  const { path, shown, open } = tree;
  const { id, session, error } = shown;
  const review = session?.review;
  const view = useObservable(review?.view$, () => review?.getView());
  useEffect(() => () => review?.pause(), [review]);
  useNotice({ id, review, isBelow: review !== root, onSession });
  const { frame, noteMove } = useFocus(shown);
  // That of `log` is one place: a page may show another log in it.
  const place = review === root ? 'root' : `below ${id}`;
  /** The view that the person has chosen in each place. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, ReviewViewName>>(new Map());
  const onView = useCallback(
    (name: ReviewViewName) =>
      setChosen((before) => (before.get(place) === name ? before : new Map([...before, [place, name]]))),
    [place],
  );

  const env = useMemo((): TreeEnv | undefined => {
    if (openSession === undefined) return undefined;
    const ids = path.map((one) => one.id);
    return {
      openSession,
      path: ids,
      open(sessionId) {
        // A damaged log may name a session above.
        if (ids.includes(sessionId)) return;
        noteMove();
        open(sessionId);
      },
    };
  }, [openSession, path, open, noteMove]);
  const goUp: Tree['goUp'] = (sessionId) => {
    noteMove(path[path.findIndex((one) => one.id === sessionId) + 1]?.id);
    tree.goUp(sessionId);
  };
  const above = path.at(-2);
  const onUp = above && (above.session ?? above.error) !== undefined ? () => goUp(above.id) : undefined;
  const crumbs = <TreePath path={path} goUp={goUp} />;

  if (session === undefined || review === undefined || view === undefined)
    return <NoSession frame={frame} className={rest.className} path={crumbs} error={error} onBack={onUp} />;
  // The session of `log` is the page's: its notes, and whether it runs.
  const own = review === root ? {} : { annotations: session.annotations, isLive: session.isLive };
  return (
    <TreeContext.Provider value={env}>
      <Board
        {...rest}
        {...own}
        key={place}
        onAnnotate={onAnnotate && ((change) => onAnnotate(change, id))}
        review={review}
        view={view}
        frame={frame}
        path={crumbs}
        onUp={onUp}
        chosen={chosen.get(place)}
        onView={onView}
      />
    </TreeContext.Provider>
  );
}

interface Notice extends Pick<ReviewViewProps, 'onSession'> {
  readonly id: string;
  readonly review: Review | undefined;
  /** Whether it is another session than that of `log`, whose review the page has. */
  readonly isBelow: boolean;
}

/** Notifies the page of the session that is shown, once the person has moved to another one, and of each review of one below. */
function useNotice({ id, review, isBelow, onSession }: Notice): void {
  const noticed = useRef({ id, review });
  useEffect(() => {
    const { current: before } = noticed;
    if (before.id === id && (before.review === review || !isBelow)) return;
    noticed.current = { id, review };
    onSession?.({ sessionId: id, review });
  }, [id, review, isBelow, onSession]);
}

interface Focus {
  readonly frame: ElementRef<HTMLDivElement>;
  /** The person moves: `from` is the session below from which they return. */
  readonly noteMove: (from?: string) => void;
}

/** Moves the focus with the person: to the title of the session that is opened, and back to the button that has opened one. */
function useFocus({ id, session, error }: Tree['shown']): Focus {
  const frame = useRef<HTMLDivElement>(null);
  const move = useRef<{ readonly from: string | undefined }>(undefined);
  const isReady = session !== undefined || error !== undefined;
  usePageEffect(() => {
    if (move.current === undefined) return;
    const { from } = move.current;
    // The title may be that of a session that is still read: the next one takes the focus again.
    if (isReady) move.current = undefined;
    const buttons = [...(frame.current?.querySelectorAll<HTMLElement>('[data-opens]') ?? [])];
    const place = buttons.find(({ dataset }) => dataset.opens === from) ?? frame.current?.querySelector('h1');
    place?.focus();
  }, [id, isReady]);
  const noteMove = useCallback((from?: string) => void (move.current = { from }), []);
  return { frame, noteMove };
}

import type { AgentSession } from 'brooklet';
import { useAgent, useObservable } from 'brooklet/react';
import { type ReactElement, useEffect, useState } from 'react';
import { callHref } from '../base/route.ts';
import { useTexts } from '../texts/useTexts.ts';
import { Icon } from '../ui/Icon.tsx';

/** Above a conversation that a call has started: the conversations above, each a link to the call that leads here. */
export function PartOf({ session }: { readonly session: AgentSession }): ReactElement | null {
  const { message: words, common } = useTexts();
  const path = useObservable(session.state$, () => session.getState().path);
  const titles = useTitles(path?.map(({ sessionId }) => sessionId) ?? []);
  if (path === undefined) return null;
  return (
    <nav className="fork-note part-of" aria-label={words.above}>
      <Icon name="branch" />
      <span>{words.partOf}</span>
      <ol>
        {path.map(({ sessionId, callId }) => {
          const title = titles.get(sessionId);
          if (title === undefined) return <li key={sessionId}>…</li>;
          return (
            <li key={sessionId}>
              {title === 'gone' ? (
                words.goneAbove
              ) : (
                <a href={callHref(sessionId, callId)}>
                  <bdi>{title.text === '' ? common.untitled : title.text}</bdi>
                </a>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

type Title = 'gone' | { readonly text: string };

/** Returns the titles of stored sessions, as they are now; no entry until one is read. */
function useTitles(ids: readonly string[]): ReadonlyMap<string, Title> {
  const { store } = useAgent();
  const [titles, setTitles] = useState<ReadonlyMap<string, Title>>(new Map());
  const key = JSON.stringify(ids);
  useEffect(() => {
    let isOver = false;
    const wanted: readonly string[] = JSON.parse(key);
    const read = async (id: string): Promise<void> => {
      // Without the events. What cannot be read cannot be opened either.
      const stored = await store?.read(id, { after: Infinity }).catch(() => undefined);
      const title: Title = stored ? { text: stored.summary.title } : 'gone';
      if (!isOver) setTitles((before) => new Map([...before, [id, title]]));
    };
    const changes = store?.changes$.subscribe((id) => void (wanted.includes(id) && read(id)));
    for (const id of wanted) void read(id);
    return () => {
      isOver = true;
      changes?.unsubscribe();
    };
  }, [store, key]);
  return titles;
}

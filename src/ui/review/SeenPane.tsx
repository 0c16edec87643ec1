import { type ReactElement, useContext, useMemo, useRef, useState } from 'react';
import { extractTextContent, type Message, type SessionState, type ToolPart } from '../../core/model/index.ts';
import { usePageEffect } from '../base/usePageEffect.ts';
import { useLabels } from '../labels/useLabels.ts';
import { MessageRow } from '../thread/MessageRow.tsx';
import { type Place, placesOf } from '../thread/places.ts';
import { type Row, toRows } from '../thread/rows.ts';
import { StepGroup } from '../thread/StepGroup.tsx';
import { ThreadContext } from '../thread/threadContext.ts';
import { Pane } from './Pane.tsx';
import { useReviewTexts } from './reviewTexts.ts';
import { seenThread, withoutClocks } from './seen.tsx';
import { TreeContext } from './tree/TreeContext.ts';

/** Steps are one row; a call whose session can be opened stays in view. */
const hasSession = ({ session }: ToolPart): boolean => session !== undefined;

/** Messages that are rendered at first. */
const pageSize = 30;

/** The conversation as the person saw it, in the parts of a chat. */
export function SeenPane({ state }: { readonly state: SessionState }): ReactElement {
  const { seen: words } = useReviewTexts();
  const thread = useLabels('thread', undefined);
  const [size, setSize] = useState(pageSize);
  const body = useRef<HTMLDivElement>(null);
  const messages = useMemo(() => state.messages.filter(({ role }) => role !== 'system'), [state.messages]);
  const hidden = Math.max(0, messages.length - size);
  const shown = useMemo(() => messages.slice(hidden), [messages, hidden]);
  const places = useMemo(() => placesOf(shown), [shown]);
  const hasTree = useContext(TreeContext) !== undefined;
  const rows = useMemo(() => toRows(shown, hasTree ? hasSession : undefined), [shown, hasTree]);

  usePageEffect(() => {
    if (body.current) body.current.scrollTop = body.current.scrollHeight;
  }, [state]);

  const renderMessage = (message: Message, key: number): ReactElement | null => {
    const place = places.get(message.id);
    // A forged log may have two messages with one id.
    return place === undefined ? null : (
      <li key={key} className="bk-row">
        <SeenMessage message={message} place={place} isLast={message === messages.at(-1)} />
      </li>
    );
  };
  const renderRow = (row: Row, key: number): ReactElement | null => {
    if (row.kind === 'message') return renderMessage(row.message, hidden + key);
    const { steps } = row;
    return (
      <li key={hidden + key} className="bk-row">
        <StepGroup steps={steps} labels={thread} renderSteps={() => steps.messages.map(renderMessage)} />
      </li>
    );
  };

  return (
    <Pane name="seen" title={words.title} body={body} shows={state}>
      {hidden > 0 && (
        <button type="button" className="bk-more" onClick={() => setSize(size + pageSize)}>
          {words.earlier(hidden)}
        </button>
      )}
      {messages.length === 0 && <p className="bk-hint">{words.nothing}</p>}
      <ThreadContext.Provider value={seenThread}>
        <ol className="bk-messages bk-seen">{rows.map(renderRow)}</ol>
      </ThreadContext.Provider>
      {state.queue.map(({ message }, index) => (
        <p key={index} className="bk-hint" dir="auto">
          {words.queued(extractTextContent(message))}
        </p>
      ))}
      {state.run?.error && state.run.outcome === 'failed' && <p className="bk-bad">{state.run.error.message}</p>}
    </Pane>
  );
}

interface SeenMessageProps {
  readonly message: Message;
  readonly place: Place;
  readonly isLast: boolean;
}

function SeenMessage({ message, place, isLast }: SeenMessageProps): ReactElement {
  const shown = useMemo(() => withoutClocks(message), [message]);
  return <MessageRow message={shown} isLast={isLast} {...place} />;
}

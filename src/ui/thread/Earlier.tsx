import { type ComponentType, memo, type ReactElement, useEffect, useRef } from 'react';
import { extractTextContent, type Message } from '../../core/model/index.ts';
import { useLabels } from '../labels/useLabels.ts';

interface EarlierProps {
  readonly messages: readonly Message[];
  /** Messages at the start that no row shows. */
  readonly count: number;
}

/** Characters of a message that the browser searches and prints. */
const maxText = 20_000;

/**
 * The texts of the messages that no row shows, each hidden until the browser's search finds something in it: the browser shows it then. A hidden
 * one is neither laid out nor read by a screen reader. All of them are printed.
 */
export const Earlier: ComponentType<EarlierProps> = memo(function Earlier({
  messages,
  count,
}: EarlierProps): ReactElement {
  const list = useRef<HTMLDivElement>(null);
  const { leftOut } = useLabels('markdown', undefined);
  useEffect(() => {
    // React knows `hidden` as a flag only. What was found stays shown.
    for (const row of list.current?.children ?? [])
      if (row.hasAttribute('hidden')) row.setAttribute('hidden', 'until-found');
  });
  return (
    <div ref={list} className="bk-earlier">
      {messages.slice(0, count).map((message) => (
        <p key={message.id} dir="auto" hidden>
          {textOf(message, leftOut)}
        </p>
      ))}
    </div>
  );
}, isSame);

function textOf(message: Message, leftOut: (characters: number) => string): string {
  const text = extractTextContent(message);
  return text.length <= maxText ? text : `${text.slice(0, maxText)}… ${leftOut(text.length - maxText)}`;
}

/** Messages only change at the end of a conversation: the list is rendered again when its ends are others. */
function isSame(one: EarlierProps, other: EarlierProps): boolean {
  return (
    one.count === other.count &&
    one.messages[0] === other.messages[0] &&
    one.messages[one.count - 1] === other.messages[other.count - 1]
  );
}

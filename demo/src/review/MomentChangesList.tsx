import type { Message, ToolPart } from 'brooklet';
import { messageText } from 'brooklet/core';
import { compareMoments, type ListChanges, type Review } from 'brooklet/review';
import { type ReactElement, useMemo } from 'react';
import { Fact, Facts } from './Facts.tsx';
import { formatCount } from './format.ts';
import { TextChange } from './TextChange.tsx';

interface MomentChangesListProps {
  readonly review: Review;
  readonly from: number;
  readonly to: number;
}

/** What differs between two moments. The earlier one is always the first. */
export function MomentChangesList({ review, from, to }: MomentChangesListProps): ReactElement {
  const { messages, calls, tokens } = useMemo(
    () => compareMoments(review.stateAt(Math.min(from, to)), review.stateAt(Math.max(from, to))),
    [review, from, to],
  );
  return (
    <>
      <Facts>
        <Fact name="Messages">{countsOf(messages)}</Fact>
        <Fact name="Tool calls">{countsOf(calls)}</Fact>
        <Fact name="Tokens used">
          {formatCount(tokens.input)} in, {formatCount(tokens.output)} out
        </Fact>
      </Facts>
      <Changes title="Messages" changes={messages} textOf={textOfMessage} />
      <Changes title="Tool calls" changes={calls} textOf={textOfCall} />
    </>
  );
}

function countsOf({ added, removed, changed }: ListChanges<unknown>): string {
  const counts = [
    added.length > 0 && `${added.length} added`,
    removed.length > 0 && `${removed.length} removed`,
    changed.length > 0 && `${changed.length} changed`,
  ].filter((count) => count !== false);
  return counts.join(', ') || 'the same';
}

const textOfMessage = (message: Message): string => `${message.role}: ${messageText(message)}`;

function textOfCall({ name, status, inputText, output }: ToolPart): string {
  const result = output === undefined ? '' : `\n${typeof output === 'string' ? output : JSON.stringify(output)}`;
  return `${name} ${inputText}\n${status}${result}`;
}

interface ChangesProps<Item> {
  readonly title: string;
  readonly changes: ListChanges<Item>;
  readonly textOf: (item: Item) => string;
}

function Changes<Item>({ title, changes, textOf }: ChangesProps<Item>): ReactElement | null {
  const { added, removed, changed } = changes;
  if (added.length + removed.length + changed.length === 0) return null;
  return (
    <section className="changes" aria-label={title}>
      <h3>{title}</h3>
      {removed.map((item, index) => (
        <TextChange key={`removed ${index}`} before={textOf(item)} />
      ))}
      {changed.map(({ before, after }, index) => (
        <TextChange key={`changed ${index}`} before={textOf(before)} after={textOf(after)} />
      ))}
      {added.map((item, index) => (
        <TextChange key={`added ${index}`} after={textOf(item)} />
      ))}
    </section>
  );
}

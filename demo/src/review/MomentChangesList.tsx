import type { Message, ToolPart } from 'brooklet';
import { messageText } from 'brooklet/core';
import { compareMoments, type ListChanges, type Review } from 'brooklet/review';
import { type ReactElement, useMemo } from 'react';
import type { ReviewTexts } from '../texts/en/review.ts';
import { useReviewTexts } from '../texts/reviewTexts.ts';
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
  const texts = useReviewTexts();
  const { compare: words } = texts;
  const { messages, calls, tokens } = useMemo(
    () => compareMoments(review.stateAt(Math.min(from, to)), review.stateAt(Math.max(from, to))),
    [review, from, to],
  );
  return (
    <>
      <Facts>
        <Fact name={words.messages}>{countsOf(messages, words)}</Fact>
        <Fact name={words.calls}>{countsOf(calls, words)}</Fact>
        <Fact name={words.tokensUsed}>
          {texts.tokenCounts(formatCount(texts, tokens.input), formatCount(texts, tokens.output))}
        </Fact>
      </Facts>
      <Changes title={words.messages} changes={messages} textOf={textOfMessage} />
      <Changes title={words.calls} changes={calls} textOf={textOfCall} />
    </>
  );
}

function countsOf({ added, removed, changed }: ListChanges<unknown>, words: ReviewTexts['compare']): string {
  const counts = [
    added.length > 0 && words.added(added.length),
    removed.length > 0 && words.removed(removed.length),
    changed.length > 0 && words.changed(changed.length),
  ].filter((count) => count !== false);
  return counts.join(', ') || words.same;
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

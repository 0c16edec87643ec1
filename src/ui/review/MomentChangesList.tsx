import { type ReactElement, useMemo } from 'react';
import type { ToolPart } from '../../core/model/index.ts';
import { compareMoments, type ListChanges, type Review } from '../../review/index.ts';
import { describeMessage } from './describeMessage.ts';
import { Fact, Facts } from './Facts.tsx';
import { type ReviewTexts, useReviewTexts, wordFor } from './reviewTexts.ts';
import { TextChange } from './TextChange.tsx';

interface MomentChangesListProps {
  readonly review: Review;
  readonly from: number;
  readonly to: number;
}

/** What differs between two moments. The earlier one is always the first. */
export function MomentChangesList({ review, from, to }: MomentChangesListProps): ReactElement {
  const texts = useReviewTexts();
  const { compare: words, facts, formats } = texts;
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
          {facts.tokenCounts(formats.count(tokens.input), formats.count(tokens.output))}
        </Fact>
      </Facts>
      <Changes title={words.messages} changes={messages} textOf={(message) => describeMessage(message, texts)} />
      <Changes title={words.calls} changes={calls} textOf={(call) => describeCall(call, texts)} />
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

function describeCall({ name, status, inputText, output }: ToolPart, { statuses }: ReviewTexts): string {
  const result = output === undefined ? '' : `\n${typeof output === 'string' ? output : JSON.stringify(output)}`;
  return `${name} ${inputText}\n${wordFor(statuses, status)}${result}`;
}

interface ChangesProps<Item> {
  readonly title: string;
  readonly changes: ListChanges<Item>;
  readonly textOf: (item: Item) => string;
}

/** Changes of each sort that are shown: a longer list would block the page. */
const most = 200;

function Changes<Item>({ title, changes, textOf }: ChangesProps<Item>): ReactElement | null {
  const { board: words } = useReviewTexts();
  const { added, removed, changed } = changes;
  const count = added.length + removed.length + changed.length;
  if (count === 0) return null;
  const shown = [removed, changed, added].reduce((sum, { length }) => sum + Math.min(length, most), 0);
  return (
    <section className="bk-changes" aria-label={title}>
      <h3>{title}</h3>
      {removed.slice(0, most).map((item, index) => (
        <TextChange key={`removed ${index}`} before={textOf(item)} />
      ))}
      {changed.slice(0, most).map(({ before, after }, index) => (
        <TextChange key={`changed ${index}`} before={textOf(before)} after={textOf(after)} />
      ))}
      {added.slice(0, most).map((item, index) => (
        <TextChange key={`added ${index}`} after={textOf(item)} />
      ))}
      {count > shown && <p className="bk-hint">{words.notShown(count - shown)}</p>}
    </section>
  );
}

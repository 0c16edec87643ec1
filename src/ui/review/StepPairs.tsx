import { messageText } from '../../core/model/index.ts';
import type { SessionChanges, StepPair } from '../../review/index.ts';
import { type ReactElement, useState } from 'react';
import { Card } from './Card.tsx';
import { describeMessage } from './describeMessage.ts';
import { Fact, Facts } from './Facts.tsx';
import { type ReviewTexts, useReviewTexts } from './reviewTexts.ts';
import { TextChange } from './TextChange.tsx';

interface StepPairsProps {
  readonly changes: SessionChanges;
  /** Title of the other session. */
  readonly title: string;
}

/** Steps that are rendered at first. */
const pageSize = 50;

/** The steps of two sessions, side by side, from the first that differs. */
export function StepPairs({ changes, title }: StepPairsProps): ReactElement {
  const texts = useReviewTexts();
  const { compare: words, facts, formats } = texts;
  const [shown, setShown] = useState(pageSize);
  const { steps, firstDifference, tokens } = changes;
  const different = steps.filter(({ isSame }) => !isSame);
  return (
    <>
      <Facts>
        <Fact name={words.comparedWith}>{title}</Fact>
        <Fact name={words.firstDifference}>
          {firstDifference === undefined ? words.noDifference : words.atStep(firstDifference + 1)}
        </Fact>
        <Fact name={words.differing}>{words.of(different.length, steps.length)}</Fact>
        <Fact name={words.tokens}>{facts.tokenCounts(formats.count(tokens.input), formats.count(tokens.output))}</Fact>
      </Facts>
      <ol className="bk-listing">
        {different.slice(0, shown).map((pair) => (
          <Pair key={pair.index} pair={pair} />
        ))}
      </ol>
      {different.length > shown && (
        <button type="button" className="bk-more" onClick={() => setShown(shown + pageSize)}>
          {words.more(different.length)}
        </button>
      )}
    </>
  );
}

function Pair({ pair }: { readonly pair: StepPair }): ReactElement {
  const texts = useReviewTexts();
  const { compare: words, time } = texts;
  const { index, before, after, request } = pair;
  return (
    <Card seq={before?.seq} title={time.step(index + 1)} hint={reasonOf(pair, words)}>
      {request?.parameters.map(({ name, before: was, after: is }) => (
        <TextChange
          key={name}
          before={`${name}: ${JSON.stringify(was) ?? words.notSent}`}
          after={`${name}: ${JSON.stringify(is) ?? words.notSent}`}
        />
      ))}
      {request?.dropped.map((message, place) => (
        <TextChange key={`dropped ${place}`} before={describeMessage(message, texts)} />
      ))}
      {request?.added.map((message, place) => (
        <TextChange key={`added ${place}`} after={describeMessage(message, texts)} />
      ))}
      {before?.answer && after?.answer && messageText(before.answer) !== messageText(after.answer) && (
        <TextChange before={messageText(before.answer)} after={messageText(after.answer)} />
      )}
    </Card>
  );
}

function reasonOf({ before, after, request }: StepPair, words: ReviewTexts['compare']): string {
  if (!before) return words.onlyOther;
  if (!after) return words.onlyThis;
  const isRequestSame =
    request !== undefined && request.added.length + request.dropped.length === 0 && request.tools.changed.length === 0;
  return isRequestSame ? words.otherAnswer : words.otherRequest;
}

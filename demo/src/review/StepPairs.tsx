import { messageText } from 'brooklet/core';
import type { SessionChanges, StepPair } from 'brooklet/review';
import { type ReactElement, useState } from 'react';
import type { ReviewTexts } from '../texts/en/review.ts';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { Fact, Facts } from './Facts.tsx';
import { formatCount } from './format.ts';
import { MomentLink } from './MomentLink.tsx';
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
  const { compare: words } = texts;
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
        <Fact name={words.tokens}>
          {texts.tokenCounts(formatCount(texts, tokens.input), formatCount(texts, tokens.output))}
        </Fact>
      </Facts>
      <ol className="listing">
        {different.slice(0, shown).map((pair) => (
          <Pair key={pair.index} pair={pair} />
        ))}
      </ol>
      {different.length > shown && (
        <button type="button" onClick={() => setShown(shown + pageSize)}>
          {words.more(different.length)}
        </button>
      )}
    </>
  );
}

function Pair({ pair }: { readonly pair: StepPair }): ReactElement {
  const { compare: words, step } = useReviewTexts();
  const { index, before, after, request } = pair;
  return (
    <li className="card">
      <header className="card-top">
        <h3>{before ? <MomentLink seq={before.seq}>{step(index + 1)}</MomentLink> : step(index + 1)}</h3>
        <span className="hint">{reasonOf(pair, words)}</span>
      </header>
      {request?.parameters.map(({ name, before: was, after: is }) => (
        <TextChange
          key={name}
          before={`${name}: ${JSON.stringify(was) ?? words.notSent}`}
          after={`${name}: ${JSON.stringify(is) ?? words.notSent}`}
        />
      ))}
      {request?.dropped.map((message, place) => (
        <TextChange key={`dropped ${place}`} before={`${message.role}: ${messageText(message)}`} />
      ))}
      {request?.added.map((message, place) => (
        <TextChange key={`added ${place}`} after={`${message.role}: ${messageText(message)}`} />
      ))}
      {before?.answer && after?.answer && messageText(before.answer) !== messageText(after.answer) && (
        <TextChange before={messageText(before.answer)} after={messageText(after.answer)} />
      )}
    </li>
  );
}

function reasonOf({ before, after, request }: StepPair, words: ReviewTexts['compare']): string {
  if (!before) return words.onlyOther;
  if (!after) return words.onlyThis;
  const isRequestSame =
    request !== undefined && request.added.length + request.dropped.length === 0 && request.tools.changed.length === 0;
  return isRequestSame ? words.otherAnswer : words.otherRequest;
}

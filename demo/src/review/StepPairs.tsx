import { messageText } from 'brooklet/core';
import type { SessionChanges, StepPair } from 'brooklet/review';
import { type ReactElement, useState } from 'react';
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
  const [shown, setShown] = useState(pageSize);
  const { steps, firstDifference, tokens } = changes;
  const different = steps.filter(({ isSame }) => !isSame);
  return (
    <>
      <Facts>
        <Fact name="Compared with">{title}</Fact>
        <Fact name="First difference">
          {firstDifference === undefined ? 'none: the same steps' : `step ${firstDifference + 1}`}
        </Fact>
        <Fact name="Steps that differ">
          {different.length} of {steps.length}
        </Fact>
        <Fact name="Tokens, other minus this">
          {formatCount(tokens.input)} in, {formatCount(tokens.output)} out
        </Fact>
      </Facts>
      <ol className="listing">
        {different.slice(0, shown).map((pair) => (
          <Pair key={pair.index} pair={pair} />
        ))}
      </ol>
      {different.length > shown && (
        <button type="button" onClick={() => setShown(shown + pageSize)}>
          Show more of {different.length} steps
        </button>
      )}
    </>
  );
}

function Pair({ pair }: { readonly pair: StepPair }): ReactElement {
  const { index, before, after, request } = pair;
  return (
    <li className="card">
      <header className="card-top">
        <h3>{before ? <MomentLink seq={before.seq}>Step {index + 1}</MomentLink> : `Step ${index + 1}`}</h3>
        <span className="hint">{reasonOf(pair)}</span>
      </header>
      {request?.parameters.map(({ name, before: was, after: is }) => (
        <TextChange
          key={name}
          before={`${name}: ${JSON.stringify(was) ?? 'not sent'}`}
          after={`${name}: ${JSON.stringify(is) ?? 'not sent'}`}
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

function reasonOf({ before, after, request }: StepPair): string {
  if (!before) return 'Only the other session has this step';
  if (!after) return 'Only this session has this step';
  const isRequestSame =
    request !== undefined && request.added.length + request.dropped.length === 0 && request.tools.changed.length === 0;
  return isRequestSame ? 'Another answer' : 'Another request';
}

import type { Review, ReviewCall, ReviewDecision } from 'brooklet/review';
import { type ReactElement, useMemo, useState } from 'react';
import { formatDuration } from '../conversation/duration.ts';
import { serverLabelOf } from '../mcp/servers.ts';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { textFor } from '../texts/textFor.ts';
import { Fact, Facts } from './Facts.tsx';
import { formatTime } from './format.ts';
import { JsonText } from './JsonText.tsx';
import { Listing } from './Listing.tsx';
import { MomentLink } from './MomentLink.tsx';

/** All tool calls: the input, who decided what, and the result. */
export function CallsView({ review }: { readonly review: Review }): ReactElement {
  const words = useReviewTexts();
  return (
    <Listing
      name={words.views.calls}
      items={review.calls}
      empty={words.calls.none}
      render={(call) => <CallRow key={call.callId} call={call} />}
    />
  );
}

function CallRow({ call }: { readonly call: ReviewCall }): ReactElement {
  const texts = useReviewTexts();
  const { calls: words } = texts;
  const { name, seq, at, input, inputText, decision, attempts, duration, outcome, output, isCopied } = call;
  const server = serverLabelOf(call);
  const status = outcome ?? decision?.verdict;
  const isBad = outcome !== undefined && outcome !== 'succeeded' && outcome !== 'cancelled';
  return (
    <li className={isBad ? 'card failed' : 'card'}>
      <header className="card-top">
        <h3>
          <MomentLink seq={seq}>
            <code>{name}</code>
          </MomentLink>
        </h3>
        <span className={isBad ? 'pill bad' : 'pill'}>
          {status === undefined ? texts.unended : (textFor(texts.statuses, status) ?? status)}
        </span>
        <span className="hint">
          #{seq} · {formatTime(texts, at)}
          {isCopied && ` · ${texts.copied}`}
        </span>
      </header>
      <Facts>
        {server !== undefined && <Fact name={words.server}>{server}</Fact>}
        {duration !== undefined && <Fact name={words.ranFor}>{formatDuration(duration)}</Fact>}
        {attempts > 1 && <Fact name={words.attempts}>{attempts}</Fact>}
        {decision && (
          <Fact name={words.decision}>
            {words.decided(texts.statuses[decision.verdict], decision.userName ?? texts.deciders[decision.decidedBy])}
          </Fact>
        )}
        {decision?.waited !== undefined && <Fact name={words.waited}>{formatDuration(decision.waited)}</Fact>}
      </Facts>
      <div className="side-by-side">
        <figure>
          <figcaption>{words.input}</figcaption>
          <JsonText label={words.input} text={input ? JSON.stringify(input, null, 2) : inputText} />
        </figure>
        {output !== undefined && (
          <figure>
            <figcaption>{words.output}</figcaption>
            <JsonText
              label={words.output}
              text={typeof output === 'string' ? output : (JSON.stringify(output, null, 2) ?? '')}
            />
          </figure>
        )}
      </div>
      {decision && decision.decidedBy === 'user' && <Decision decision={decision} />}
    </li>
  );
}

/** What the person saw and changed. Computed when it is opened. */
function Decision({ decision }: { readonly decision: ReviewDecision }): ReactElement {
  const texts = useReviewTexts();
  const { calls: words } = texts;
  const [isOpen, setIsOpen] = useState(false);
  const { seq, at, reason, editedInput, answer, remember, userName } = decision;
  return (
    <details className="request-part" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        {words.decidedIt(userName ?? words.person, texts.statuses[decision.verdict], editedInput !== undefined)}
        {reason === undefined ? '' : words.because(reason)}
      </summary>
      <Facts>
        <Fact name={words.when}>{formatTime(texts, at)}</Fact>
        <Fact name={texts.facts.moment}>
          <MomentLink seq={seq} />
        </Fact>
        {remember !== undefined && (
          <Fact name={words.remembered}>{remember === 'session' ? words.inSession : words.inAll}</Fact>
        )}
      </Facts>
      {editedInput && <JsonText label={words.editedInput} text={JSON.stringify(editedInput, null, 2)} />}
      {answer !== undefined && <JsonText label={words.answer} text={JSON.stringify(answer, null, 2)} />}
      {isOpen && <Seen decision={decision} />}
    </details>
  );
}

function Seen({ decision }: { readonly decision: ReviewDecision }): ReactElement | null {
  const { calls: words } = useReviewTexts();
  const seen = useMemo(() => decision.seen, [decision]);
  // Another log knows what was shown.
  if (seen === undefined) return null;
  return (
    <>
      <p className="hint">{words.shownHint}</p>
      <JsonText label={words.shown} text={JSON.stringify(seen, null, 2)} />
    </>
  );
}

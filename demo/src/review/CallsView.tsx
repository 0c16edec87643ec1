import type { Review, ReviewCall, ReviewDecision } from 'brooklet/review';
import { type ReactElement, useMemo, useState } from 'react';
import { formatDuration } from '../conversation/duration.ts';
import { serverLabelOf } from '../mcp/servers.ts';
import { Fact, Facts } from './Facts.tsx';
import { formatTime } from './format.ts';
import { JsonText } from './JsonText.tsx';
import { Listing } from './Listing.tsx';
import { MomentLink } from './MomentLink.tsx';

/** All tool calls: the input, who decided what, and the result. */
export function CallsView({ review }: { readonly review: Review }): ReactElement {
  return (
    <Listing
      name="Tool calls"
      items={review.calls}
      empty="No tool was called."
      render={(call) => <CallRow key={call.callId} call={call} />}
    />
  );
}

function CallRow({ call }: { readonly call: ReviewCall }): ReactElement {
  const { name, seq, at, input, inputText, decision, attempts, duration, outcome, output } = call;
  const server = serverLabelOf(call);
  const isBad = outcome !== undefined && outcome !== 'succeeded' && outcome !== 'cancelled';
  return (
    <li className={isBad ? 'card failed' : 'card'}>
      <header className="card-top">
        <h3>
          <MomentLink seq={seq}>
            <code>{name}</code>
          </MomentLink>
        </h3>
        <span className={isBad ? 'pill bad' : 'pill'}>{outcome ?? decision?.verdict ?? 'open'}</span>
        <span className="hint">
          #{seq} · {formatTime(at)}
        </span>
      </header>
      <Facts>
        {server !== undefined && <Fact name="Server">{server}</Fact>}
        {duration !== undefined && <Fact name="Ran for">{formatDuration(duration)}</Fact>}
        {attempts > 1 && <Fact name="Attempts">{attempts}</Fact>}
        {decision && (
          <Fact name="Decision">
            {decision.verdict} by {decision.userName ?? decision.decidedBy}
          </Fact>
        )}
        {decision?.waited !== undefined && <Fact name="Waited">{formatDuration(decision.waited)}</Fact>}
      </Facts>
      <div className="side-by-side">
        <figure>
          <figcaption>Input</figcaption>
          <JsonText label="Input" text={input ? JSON.stringify(input, null, 2) : inputText} />
        </figure>
        {output !== undefined && (
          <figure>
            <figcaption>Output</figcaption>
            <JsonText
              label="Output"
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
  const [isOpen, setIsOpen] = useState(false);
  const { seq, at, reason, editedInput, answer, remember } = decision;
  return (
    <details className="request-part" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        {decision.userName ?? 'A person'} {editedInput ? 'edited and ' : ''}
        {decision.verdict} it
        {reason === undefined ? '' : `: “${reason}”`}
      </summary>
      <Facts>
        <Fact name="When">{formatTime(at)}</Fact>
        <Fact name="Moment">
          <MomentLink seq={seq} />
        </Fact>
        {remember !== undefined && (
          <Fact name="Remembered">{remember === 'session' ? 'in this session' : 'for all sessions'}</Fact>
        )}
      </Facts>
      {editedInput && <JsonText label="Edited input" text={JSON.stringify(editedInput, null, 2)} />}
      {answer !== undefined && <JsonText label="Answer" text={JSON.stringify(answer, null, 2)} />}
      {isOpen && <Seen decision={decision} />}
    </details>
  );
}

function Seen({ decision }: { readonly decision: ReviewDecision }): ReactElement {
  const seen = useMemo(() => decision.seen, [decision]);
  return (
    <>
      <p className="hint">What was shown, and what the decision applied to:</p>
      <JsonText label="What was shown" text={JSON.stringify(seen, null, 2) ?? ''} />
    </>
  );
}

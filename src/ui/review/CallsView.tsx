import { type ReactElement, useMemo } from 'react';
import type { Review, ReviewCall, ReviewDecision } from '../../review/index.ts';
import { formatDuration } from '../base/duration.ts';
import { visible } from '../base/visible.ts';
import { titleOfCall } from '../call/titleOfCall.ts';
import { useLabels } from '../labels/useLabels.ts';
import { Card, Pill } from './Card.tsx';
import { Fact, Facts } from './Facts.tsx';
import { Folded } from './Folded.tsx';
import { JsonText } from './JsonText.tsx';
import { Listing } from './Listing.tsx';
import { MomentLink } from './MomentLink.tsx';
import { useReviewTexts, wordFor } from './reviewTexts.ts';
import { OpenBelow } from './tree/OpenBelow.tsx';

/** All tool calls: the input, who decided what, and the result. */
export function CallsView({ review }: { readonly review: Review }): ReactElement {
  const { views, calls } = useReviewTexts();
  return (
    <Listing
      name={views.calls}
      items={review.calls}
      empty={calls.none}
      render={(call) => <CallRow key={call.callId} call={call} />}
    />
  );
}

function CallRow({ call }: { readonly call: ReviewCall }): ReactElement {
  const texts = useReviewTexts();
  const { calls: words, time, statuses, deciders } = texts;
  const { name, seq, at, input, inputText, server, decision, attempts, duration, outcome, output, isCopied, session } =
    call;
  const tool = useLabels('tool', undefined);
  const status = outcome ?? decision?.verdict;
  const isBad = outcome !== undefined && outcome !== 'succeeded' && outcome !== 'cancelled';
  return (
    <Card
      seq={seq}
      title={<bdi>{visible(titleOfCall(tool, call))}</bdi>}
      state={isBad ? 'failed' : undefined}
      tag={
        <>
          <code>{name}</code>
          <Pill isBad={isBad}>{status === undefined ? time.unended : wordFor(statuses, status)}</Pill>
        </>
      }
      hint={`#${seq} · ${texts.formats.time(at)}${isCopied === true ? ` · ${time.copied}` : ''}`}
      end={<OpenBelow sessionId={session} call={call} />}
    >
      <Facts>
        {server !== undefined && <Fact name={words.server}>{hostOf(server)}</Fact>}
        {duration !== undefined && <Fact name={words.ranFor}>{formatDuration(duration)}</Fact>}
        {attempts > 1 && <Fact name={words.attempts}>{attempts}</Fact>}
        {decision && (
          <Fact name={words.decision}>
            {words.decided(
              wordFor(statuses, decision.verdict),
              decision.userName ?? wordFor(deciders, decision.decidedBy),
            )}
          </Fact>
        )}
        {decision?.waited !== undefined && <Fact name={words.waited}>{formatDuration(decision.waited)}</Fact>}
      </Facts>
      <div className="bk-side-by-side">
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
    </Card>
  );
}

/** A server is recorded with its address: its host is enough. */
function hostOf(server: string): string {
  return URL.canParse(server) ? new URL(server).host : server;
}

/** What the person saw and changed. Computed when it is opened. */
function Decision({ decision }: { readonly decision: ReviewDecision }): ReactElement {
  const texts = useReviewTexts();
  const { calls: words, statuses } = texts;
  const { seq, at, verdict, reason, editedInput, answer, remember, userName } = decision;
  const said = words.decidedIt(userName ?? words.person, wordFor(statuses, verdict), editedInput !== undefined);
  return (
    <Folded
      title={`${said}${reason === undefined ? '' : words.because(reason)}`}
      render={() => (
        <>
          <Facts>
            <Fact name={words.when}>{texts.formats.time(at)}</Fact>
            <Fact name={texts.facts.moment}>
              <MomentLink seq={seq} />
            </Fact>
            {remember !== undefined && (
              <Fact name={words.remembered}>{remember === 'session' ? words.inSession : words.inAll}</Fact>
            )}
          </Facts>
          {editedInput && <JsonText label={words.editedInput} text={JSON.stringify(editedInput, null, 2)} />}
          {answer !== undefined && <JsonText label={words.answer} text={JSON.stringify(answer, null, 2)} />}
          <Seen decision={decision} />
        </>
      )}
    />
  );
}

function Seen({ decision }: { readonly decision: ReviewDecision }): ReactElement | null {
  const { calls: words } = useReviewTexts();
  const seen = useMemo(() => decision.seen, [decision]);
  // Another log knows what was shown.
  if (seen === undefined) return null;
  return (
    <>
      <p className="bk-hint">{words.shownHint}</p>
      <JsonText label={words.shown} text={JSON.stringify(seen, null, 2)} />
    </>
  );
}

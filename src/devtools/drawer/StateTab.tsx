import { type ReactElement, useMemo } from 'react';
import type { SessionEvent } from '../../core/model/event.ts';
import { statusOf } from '../../core/model/status.ts';
import type { AgentSession } from '../../core/session/session.ts';
import { createReview } from '../../review/create-review.ts';
import { once } from '../../review/once.ts';
import { Fact, Facts } from '../../ui/review/Facts.tsx';
import { Folded } from '../../ui/review/Folded.tsx';
import { JsonText } from '../../ui/review/JsonText.tsx';
import { useReviewTexts, wordFor } from '../../ui/review/reviewTexts.ts';
import { useDrawerTexts } from './texts/use-drawer-texts.ts';

interface StateTabProps {
  readonly events: readonly SessionEvent[];
  /** The session, if this page has it in memory. */
  readonly session: AgentSession | undefined;
}

/** The state of the session now, part by part. */
export function StateTab({ events, session }: StateTabProps): ReactElement {
  const { facts, formats, time, outcomes } = useReviewTexts();
  const words = useDrawerTexts();
  const stored = useMemo(() => once(() => createReview(events).stateAt(Infinity)), [events]);
  const state = session?.getState() ?? stored();
  const { run, usage } = state;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
    <div className="main" tabIndex={0} role="group" aria-label={words.state}>
      <Facts>
        <Fact name={words.session}>{state.id}</Fact>
        <Fact name={words.status}>{words.statuses[session?.getStatus() ?? statusOf(state)]}</Fact>
        <Fact name={words.storage}>{session?.getStorage().state ?? words.notOpen}</Fact>
        {run && (
          <Fact name={words.run}>
            {words.runText(run.outcome === undefined ? time.unended : wordFor(outcomes, run.outcome), run.steps)}
          </Fact>
        )}
        <Fact name={facts.tokens}>{facts.tokenCounts(formats.count(usage.input), formats.count(usage.output))}</Fact>
      </Facts>
      {Object.entries(state).map(([name, value]) => (
        <Field key={name} name={name} value={value} />
      ))}
    </div>
  );
}

/** A part of the state. Its text is made when it is opened. */
function Field({ name, value }: { readonly name: string; readonly value: unknown }): ReactElement {
  const length = Array.isArray(value) ? ` (${value.length})` : '';
  return (
    <Folded
      title={
        <>
          <code>{name}</code>
          {length}
        </>
      }
      render={() => <JsonText label={name} text={JSON.stringify(value, null, 2) ?? 'undefined'} />}
    />
  );
}

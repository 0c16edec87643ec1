/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { SessionEvent } from '../../core/model/event.ts';
import { statusOf } from '../../core/model/status.ts';
import type { AgentSession } from '../../core/session/session.ts';
import { createReview } from '../../review/create-review.ts';
import { once } from '../../review/once.ts';
import { Fact } from '../../review/viewer/Fact.tsx';
import { formatCount, toJsonText } from '../../review/viewer/format.ts';
import { textFor } from '../../review/viewer/texts/text-for.ts';
import { useTexts } from '../../review/viewer/texts/use-texts.ts';
import { useDrawerTexts } from './texts/use-drawer-texts.ts';

interface StateTabProps {
  readonly events: readonly SessionEvent[];
  /** The session, if this page has it in memory. */
  readonly session: AgentSession | undefined;
}

/** The state of the session now, part by part. */
export function StateTab({ events, session }: StateTabProps): VNode {
  const texts = useTexts();
  const words = useDrawerTexts();
  const stored = useMemo(() => once(() => createReview(events).stateAt(Infinity)), [events]);
  const state = session?.getState() ?? stored();
  const { run, usage } = state;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
    <div class="main" tabIndex={0} role="group" aria-label={words.state}>
      <dl class="facts">
        <Fact name={words.session}>{state.id}</Fact>
        <Fact name={words.status}>{words.statuses[session?.getStatus() ?? statusOf(state)]}</Fact>
        <Fact name={words.storage}>{session?.getStorage().state ?? words.notOpen}</Fact>
        {run && (
          <Fact name={words.run}>
            {words.runText(run.outcome === undefined ? texts.open : textFor(texts.outcomes, run.outcome), run.steps)}
          </Fact>
        )}
        <Fact name={texts.tokens}>
          {texts.tokenCounts(formatCount(texts, usage.input), formatCount(texts, usage.output))}
        </Fact>
      </dl>
      {Object.entries(state).map(([name, value]) => (
        <Field key={name} name={name} value={value} />
      ))}
    </div>
  );
}

/** A part of the state. Its text is made when it is opened. */
function Field({ name, value }: { readonly name: string; readonly value: unknown }): VNode {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  const length = Array.isArray(value) ? ` (${value.length})` : '';
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <code>{name}</code>
        {length}
      </summary>
      {isOpen && <pre>{value === undefined ? 'undefined' : toJsonText(texts, value)}</pre>}
    </details>
  );
}

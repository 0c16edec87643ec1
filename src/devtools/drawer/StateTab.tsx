/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { SessionEvent } from '../../core/model/event.ts';
import { statusOf } from '../../core/model/status.ts';
import type { AgentSession } from '../../core/session/session.ts';
import { createReview } from '../../review/create-review.ts';
import { once } from '../../review/once.ts';
import { Fact } from '../../viewer/Fact.tsx';
import { formatCount, toJsonText } from '../../viewer/format.ts';

interface StateTabProps {
  readonly events: readonly SessionEvent[];
  /** The session, if this page has it in memory. */
  readonly session: AgentSession | undefined;
}

/** The state of the session now, part by part. */
export function StateTab({ events, session }: StateTabProps): VNode {
  const stored = useMemo(() => once(() => createReview(events).stateAt(Infinity)), [events]);
  const state = session?.getState() ?? stored();
  const { run, usage } = state;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
    <div class="main" tabIndex={0} role="group" aria-label="State">
      <dl class="facts">
        <Fact name="Session">{state.id}</Fact>
        <Fact name="Status">{session?.getStatus() ?? statusOf(state)}</Fact>
        <Fact name="Storage">{session?.getStorage().state ?? 'not open in this page'}</Fact>
        {run && <Fact name="Run">{`${run.outcome ?? 'open'}, ${run.steps} steps`}</Fact>}
        <Fact name="Tokens">{`${formatCount(usage.input)} in, ${formatCount(usage.output)} out`}</Fact>
      </dl>
      {Object.entries(state).map(([name, value]) => (
        <Field key={name} name={name} value={value} />
      ))}
    </div>
  );
}

/** A part of the state. Its text is made when it is opened. */
function Field({ name, value }: { readonly name: string; readonly value: unknown }): VNode {
  const [isOpen, setOpen] = useState(false);
  const length = Array.isArray(value) ? ` (${value.length})` : '';
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <code>{name}</code>
        {length}
      </summary>
      {isOpen && <pre>{value === undefined ? 'undefined' : toJsonText(value)}</pre>}
    </details>
  );
}

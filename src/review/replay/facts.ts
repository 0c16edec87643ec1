import type { SessionEvent } from '../../core/model/event.ts';
import { foldLog } from '../../core/model/fold.ts';
import type { Budget, ToolSpec } from '../../core/model/settings.ts';
import { totalInput } from '../../core/model/message.ts';

export type Recorded<Type extends SessionEvent['type']> = Extract<SessionEvent, { readonly type: Type }>;

/** What the log states about its calls and the limits of its runs, looked up by id. */
export interface Facts {
  readonly requested: ReadonlyMap<string, Recorded<'call.requested'>>;
  /** What was asked before a call began. */
  readonly asked: ReadonlyMap<string, Recorded<'approval.requested'>>;
  readonly decided: ReadonlyMap<string, Recorded<'approval.decided'>>;
  readonly started: ReadonlyMap<string, Recorded<'call.started'>>;
  readonly ended: ReadonlyMap<string, Recorded<'call.ended'>>;
  /** All tools of the log, by name, as they were described first. */
  readonly specs: ReadonlyMap<string, ToolSpec>;
  /** The limits at which runs ended, by the id of the run. */
  readonly limits: ReadonlyMap<string, Limits>;
}

export interface Limits {
  readonly maxSteps?: number;
  readonly budget?: Budget;
}

export function toFacts(events: readonly SessionEvent[]): Facts {
  const specs = new Map<string, ToolSpec>();
  for (const event of events)
    if (event.type === 'tools.changed')
      for (const tool of event.tools) if (!specs.has(tool.name)) specs.set(tool.name, tool);
  return {
    requested: byCall(events.filter((event) => event.type === 'call.requested')),
    asked: byCall(events.filter((event) => event.type === 'approval.requested').filter(isBeforeStart(events))),
    decided: byCall(events.filter((event) => event.type === 'approval.decided')),
    started: byCall(events.filter((event) => event.type === 'call.started')),
    ended: byCall(events.filter((event) => event.type === 'call.ended')),
    specs,
    limits: limitsOf(events),
  };
}

/** Returns whether a request comes before its call began: a tool may ask in the midst of its work, too. */
function isBeforeStart(events: readonly SessionEvent[]): (asked: Recorded<'approval.requested'>) => boolean {
  const firsts = new Map<string, number>();
  for (const event of events)
    if (event.type === 'call.started' && !firsts.has(event.callId)) firsts.set(event.callId, event.seq);
  return ({ callId, seq }) => seq < (firsts.get(callId) ?? Infinity);
}

function byCall<Event extends { readonly callId: string }>(events: readonly Event[]): ReadonlyMap<string, Event> {
  return new Map(events.map((event) => [event.callId, event]));
}

function limitsOf(events: readonly SessionEvent[]): ReadonlyMap<string, Limits> {
  const limits = new Map<string, Limits>();
  for (const [index, event] of events.entries())
    if (
      event.type === 'run.ended' &&
      event.limit !== undefined &&
      event.limit !== 'stopWhen' &&
      event.limit !== 'money'
    )
      limits.set(event.runId, limitOf(event.limit, events.slice(0, index)));
  return limits;
}

/** Returns a limit that a run has just reached. */
function limitOf(limit: 'steps' | 'tokens' | 'time', before: readonly SessionEvent[]): Limits {
  const { run, updatedAt } = foldLog('', before);
  if (run === undefined) return {};
  if (limit === 'steps') return { maxSteps: run.steps };
  const budget: Budget =
    limit === 'tokens' ? { tokens: totalInput(run.usage) + run.usage.output } : { time: updatedAt - run.since };
  return { budget };
}

import type { ErrorInfo } from '../core/error.ts';
import type { LLMRequest } from '../core/model/llm.ts';
import type { FinishReason, Message, Usage, ZoneTokens } from '../core/model/message.ts';
import type { RunLimit, RunOutcome, SessionEvent } from '../core/model/event.ts';
import { requestOf } from '../core/context/rebuild-request.ts';
import { defined } from '../core/json.ts';
import { copiedReply } from './copied.ts';
import { compareRequests, type RequestChanges } from './compare-requests.ts';
import type { Timeline } from './timeline.ts';
import type { Writable } from './writable.ts';

/** One request to the model and its reply. */
export interface ReviewStep {
  /** Position in `Review.steps`. */
  readonly index: number;
  readonly runId?: string;
  /** Id of the reply. */
  readonly messageId: string;
  /** `seq` of `reply.started`; of a copied step, of the event that copied its reply. */
  readonly seq: number;
  /** `seq` of the event that ended the reply, refused the request or cut the reply off; missing while the reply streams. */
  readonly endSeq?: number;
  /** When the request was sent; of a copied step, when its reply was copied: ms since the epoch. */
  readonly at: number;
  /** ms since the epoch; missing while the reply streams, and for a copied step. */
  readonly endedAt?: number;
  /** Whether the step is that of another log: of an imported file, or of the session of which this is a fork. It has no request and no run. */
  readonly isCopied?: boolean;
  /** The model that answered, else the model that was asked. */
  readonly model?: string;
  readonly finish?: FinishReason;
  readonly usage?: Usage;
  /** Tokens of the request by zone, as estimated before it was sent; missing when the agent counted no tokens. */
  readonly zones?: ZoneTokens;
  /** Why there is no answer, or only a part of one. */
  readonly error?: ErrorInfo;
  /** The request, rebuilt from the log: the same client makes the same bytes of it. Missing in logs of version 1, and for a copied step. Computed when read. */
  readonly request: LLMRequest | undefined;
  /** How the request differs from that of the step before. Computed when read. */
  readonly changes: RequestChanges | undefined;
  /** The answer as it came: the message when the reply ended; missing for a refused request. Computed when read. */
  readonly answer: Message | undefined;
}

/** One run, from `run.started` to `run.ended`. */
export interface ReviewRun {
  /** Position in `Review.runs`. */
  readonly index: number;
  readonly runId: string;
  /** Id of the run that this run resumes. */
  readonly resumes?: string;
  readonly isCompaction?: boolean;
  /** `seq` of `run.started`. */
  readonly seq: number;
  /** `seq` of `run.ended`; missing while the run is open. */
  readonly endSeq?: number;
  /** ms since the epoch. */
  readonly at: number;
  /** ms since the epoch. */
  readonly endedAt?: number;
  readonly outcome?: RunOutcome;
  readonly limit?: RunLimit;
  readonly error?: ErrorInfo;
  readonly steps: readonly ReviewStep[];
}

type Facts = Writable<Omit<ReviewStep, 'request' | 'changes' | 'answer'>>;
type Started = Extract<SessionEvent, { readonly type: 'reply.started' }>;

interface Draft {
  readonly facts: Facts;
  /** Missing for a copied step. */
  readonly started?: Started;
  /** Number of events before `reply.started`. */
  readonly before: number;
}

type RunFacts = Writable<Omit<ReviewRun, 'steps'>>;

/** Lists the runs and the steps of a log in one pass. */
export function toSteps(
  events: readonly SessionEvent[],
  timeline: Timeline,
): { readonly runs: readonly ReviewRun[]; readonly steps: readonly ReviewStep[] } {
  const runs: RunFacts[] = [];
  const drafts: Draft[] = [];
  let open: Draft | undefined;

  function end({ seq, at }: SessionEvent, facts: Partial<Facts>): void {
    if (open) Object.assign(open.facts, { endSeq: seq, endedAt: at, ...facts });
    open = undefined;
  }

  for (const [before, event] of events.entries()) {
    const run = runs.at(-1);
    switch (event.type) {
      case 'run.started': {
        end(event, {});
        const { runId, seq, at, resumes, isCompaction } = event;
        runs.push({ index: runs.length, runId, seq, at, ...defined({ resumes, isCompaction }) });
        break;
      }
      case 'run.ended': {
        const { seq, at, outcome, limit, error } = event;
        end(event, defined({ error }));
        if (run?.runId === event.runId)
          Object.assign(run, { endSeq: seq, endedAt: at, outcome, ...defined({ limit, error }) });
        break;
      }
      case 'reply.started':
        open = { facts: factsOf(event, drafts.length, run?.runId), started: event, before };
        drafts.push(open);
        break;
      case 'reply.refused':
        end(event, { error: event.error });
        break;
      case 'message.added': {
        const facts = copiedFacts(event, drafts.length);
        if (facts) drafts.push({ facts, before });
        break;
      }
      case 'reply.ended': {
        const { finish, usage, model } = event;
        end(event, { finish, ...defined({ usage, model }) });
        break;
      }
      default:
    }
  }
  const steps: ReviewStep[] = [];
  for (const draft of drafts) steps.push(toStep(draft, { timeline, previous: steps.at(-1) }));
  const byRun = new Map<string | undefined, ReviewStep[]>(runs.map(({ runId }) => [runId, []]));
  for (const step of steps) byRun.get(step.runId)?.push(step);
  return { runs: runs.map((run) => ({ ...run, steps: byRun.get(run.runId) ?? [] })), steps };
}

function factsOf({ messageId, seq, at, context, request }: Started, index: number, runId: string | undefined): Facts {
  return { index, messageId, seq, at, ...defined({ runId, zones: context, model: request?.model }) };
}

/** Returns the facts of a reply that came from another log; `undefined` for another message. */
function copiedFacts(
  event: Extract<SessionEvent, { readonly type: 'message.added' }>,
  index: number,
): Facts | undefined {
  const reply = copiedReply(event);
  if (reply === undefined) return undefined;
  const { seq, at } = event;
  const { id: messageId, model, finish, usage, context: zones } = reply;
  return { index, messageId, seq, endSeq: seq, at, isCopied: true, ...defined({ model, finish, usage, zones }) };
}

interface Surroundings {
  readonly timeline: Timeline;
  readonly previous: ReviewStep | undefined;
}

/** Adds the fields that are computed when they are read. */
function toStep({ facts, started, before }: Draft, { timeline, previous }: Surroundings): ReviewStep {
  return {
    ...facts,
    get request() {
      return started?.request && requestOf(timeline.stateAfter(before), started.request, started.context);
    },
    get changes() {
      const { request } = this;
      return request && compareRequests(previous?.request, request);
    },
    get answer() {
      const { messages } = timeline.stateAfter(timeline.countAt(facts.endSeq ?? Infinity));
      return messages.find(({ id }) => id === facts.messageId);
    },
  };
}

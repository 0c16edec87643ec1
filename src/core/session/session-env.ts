import type { Observable } from 'rxjs';
import type { Spending, ToolPart } from '../model/message.ts';
import type { ApprovalPolicy } from '../tools/approval-policy.ts';
import type { SessionContext, RunContext } from '../context/run-context.ts';
import type { PreparedRequest } from '../context/prepare-request.ts';
import type { ErrorListener } from '../caught-error.ts';
import type { Log } from '../log/log.ts';
import type { StoreLink } from '../log/store-link.ts';
import type { AutoResumeRule } from '../model/auto-resume.ts';
import type { LLMClient } from '../model/llm.ts';
import type { Policy } from '../model/next.ts';
import type { SessionState } from '../model/state.ts';
import type { SessionStore, StoreMeta } from '../model/store.ts';
import type { Ports } from '../ports.ts';
import type { Presenter } from '../tools/tool-types.ts';
import type { FormatRejection } from '../tools/rejection.ts';
import type { Family } from '../tools/family.ts';
import type { Tool } from '../tools/tool.ts';
import type { CostOf, FindMember } from './account.ts';
import type { AgentSession, RunOptions } from './session.ts';

/** The tree of sessions that a session belongs to. */
export interface Tree {
  readonly family: Family;
  readonly find: FindMember;
  /** Notes that a request waits for what others have reserved: `advance` is called when some of it is free. */
  readonly wait: () => void;
  /** Called when a person has decided a call of this session. */
  readonly decided: () => void;
  /** Cancels the sessions below. */
  readonly cancelBelow: () => void;
  /** Returns what the sessions of the open calls have used; `undefined` where there are none. */
  readonly spentBelow: () => Spending | undefined;
  /** Whether a session below is in memory. */
  readonly isNeeded: () => boolean;
  /** Emits when a session in memory has changed. */
  readonly changes$: Observable<void>;
  /** Whether all that is open in the session, and in those below, waits for a person. */
  readonly isWaiting: () => boolean;
  /** Returns the calls of the sessions below that wait for a person. */
  readonly waitingBelow: () => readonly ToolPart[];
  /** Returns the session below that has this call. */
  readonly holderOf: (callId: string) => Decider | undefined;
}

/** The verbs that decide a call, as those of `AgentSession`. */
type Decider = Pick<AgentSession, 'approve' | 'reject' | 'answer'>;

/** Everything that a session needs: built once by the agent, and passed whole to each part of the session. */
export interface SessionEnv {
  readonly log: Log;
  readonly link: StoreLink;
  /** `undefined`: nothing is written, because the agent has no store or the stored session is damaged. */
  readonly store: SessionStore | undefined;
  readonly ports: Ports;
  /** The present client of the agent, `noClient` where it has none: read for each request. */
  readonly client: LLMClient;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly policy: Policy;
  /** `undefined`: only a person resumes a run. */
  readonly autoResume?: AutoResumeRule | undefined;
  readonly context: SessionContext;
  /** Returns the next request to the model, and the events that record how the request was built. */
  readonly toRequest: (state: SessionState, options: RunOptions, context: RunContext) => PreparedRequest;
  readonly meta: StoreMeta;
  readonly agentName: string;
  readonly needsApproval?: ApprovalPolicy | undefined;
  readonly present: Presenter | undefined;
  readonly formatRejection: FormatRejection | undefined;
  /** Receives every error that a run catches. */
  readonly onError?: ErrorListener | undefined;
  /** Returns the cost of an answer: see `ContextOptions.cost`. */
  readonly cost?: CostOf | undefined;
  /** Returns the agent's model. */
  readonly getModel?: () => string | undefined;
  /** The sessions above and below; missing where nothing but this session is in memory, in a replay for example. */
  readonly tree?: Tree | undefined;
  /** Called when the session has been removed in another tab. */
  readonly onGone: () => void;
  /** Called when the session has been closed and all of it is stored. */
  readonly onClose: () => void;
}

import type { ApprovalPolicy } from '../tools/approval-policy.ts';
import type { ContextAgentOptions } from '../context/options.ts';
import type { ErrorListener } from '../caught-error.ts';
import type { JsonObject } from '../json.ts';
import type { LLMClient } from '../model/llm.ts';
import type { SessionState } from '../model/state.ts';
import type { SessionStore } from '../model/store.ts';
import type { Ports } from '../ports.ts';
import type { Budget } from '../model/settings.ts';
import type { Presenter } from '../tools/tool-types.ts';
import type { FormatRejection } from '../tools/rejection.ts';
import type { Tool } from '../tools/tool.ts';

/** What belongs to a client that an agent is given: see `Agent.setClient`. What is missing is as in `createAgent`, but the model and its parameters. */
export interface SetClientOptions {
  /** Name of the model, as the provider knows it. Default: the model of the client. */
  readonly model?: string;
  /** See `LLMRequest.providerParams`. Default: none. Stored in the log: put no key in here. */
  readonly providerParams?: JsonObject;
  /** Tokens that the model accepts, request and answer together. */
  readonly contextWindow?: number;
  /** Maximum tokens of the answer. */
  readonly maxTokens?: number;
  readonly temperature?: number;
}

/** Options of `createAgent`. None is required. They are copied: a later change of the object changes nothing. */
export interface AgentOptions extends ContextAgentOptions {
  /**
   * Sends the requests to the model, for example `createChatCompletionsClient({ … })`. Without one the agent opens and shows sessions, and
   * what needs a model throws `MISSING_CLIENT`, until `setClient`.
   */
  readonly client?: LLMClient | undefined;
  /** Name of the model, as the provider knows it. Default: the model of the client. */
  readonly model?: string;
  /** Tools that the model may call, with unique names. Default: none. */
  readonly tools?: readonly Tool[];
  /** The system prompt: first in every request. Default: none. */
  readonly instructions?: string;
  /** Where sessions are stored. Default: no store; sessions live as long as the agent. */
  readonly store?: SessionStore;
  /** Separates the approval rules of several agents that share one store. Default: empty. */
  readonly name?: string;
  /** Maximum number of requests to the model in one run, which then ends with `limit`. Default 10. */
  readonly maxSteps?: number;
  /** Tokens and time that one run may use, before it ends with `limit`. Default: no limit. */
  readonly budget?: Budget;
  /** Called before each request of a run but the first: `true` ends the run with `limit`. */
  readonly stopWhen?: (state: SessionState) => boolean;
  /**
   * Decides for all tools, those of MCP servers too, which calls a person must approve; called before each call, with a copy of it. `true`: a
   * person is asked. `false`: the tool's own `needsApproval` decides, so that the function can only add questions. A function
   * that throws, or returns anything else, counts as `true`; `onError` receives what it throws. An approval rule answers the question, as
   * it does for `needsApproval`.
   *
   *     createAgent({ client, tools, needsApproval: ({ name }) => !['current_time', 'calculate'].includes(name) });
   */
  readonly needsApproval?: ApprovalPolicy;
  /** Makes the results of tools without a `present` presentable: see `createPresenter` of `brooklet/tools`. */
  readonly present?: Presenter;
  /**
   * Returns the text that the model reads as the result of a rejected call. Called once for each rejection; the text is stored with the
   * decision. If the function throws or returns an empty text, the model reads the default text.
   */
  readonly formatRejection?: FormatRejection;
  /**
   * Called with each error that would otherwise be in the log only, or nowhere, with its cause and stack: a run that fails, a tool that throws,
   * a write that fails; and what `approve`, `needsApproval`, `answer`, `present`, `followUp` or `formatRejection` throws, although the call continues. An error that the function throws is reported as an uncaught one and changes nothing.
   */
  readonly onError?: ErrorListener;
  /** Maximum number of messages that the model sees, system messages not counted; older whole turns are left out. Default: no limit. */
  readonly maxMessages?: number;
  /** Alias of `maxMessages`, from seed 000. */
  readonly capacity?: number;
  readonly temperature?: number;
  /** See `LLMRequest.providerParams`. Stored in the log: put no key in here. */
  readonly providerParams?: JsonObject;
  /**
   * Minimum ms between two notifications of streaming text; 0 for every frame. Default: adaptive. Every frame; every second frame when text
   * arrives faster than people read (1,000 characters a second), fewer when text arrives faster still; and fewer when rendering is slow
   * (a long history without a virtual list), so that rendering takes at most a fifth of the time.
   */
  readonly throttle?: number;
  /**
   * ms after which an idle session is unloaded from memory: no run is open, all events are stored and nothing subscribes to the session.
   * `openSession` loads the session again. Default: never. Without a store no session is unloaded.
   */
  readonly idleTimeout?: number;
  /**
   * Resumes a run by itself that was cut (`isCut`): the connection was lost, the page was suspended, or left and opened again in the same tab.
   * `true`: with the defaults of `AutoResumeOptions`. Only the tab that drove the run does so, never while a call is uncertain, and
   * `cancel` of the session ends the wait. `AgentSession.resuming$` has what waits; the log has `isAutomatic` at the start of such a run.
   * Not for a client whose requests have effects of their own, a remote AG-UI agent for example: the run would begin there again. Default
   * `false`: a person resumes.
   */
  readonly autoResume?: boolean | AutoResumeOptions;
  /** Clock, ids, timers and frames, for tests and other environments. Default: those of the browser. */
  readonly ports?: Partial<Ports>;
}

/** How runs that were cut continue by themselves: see `AgentOptions.autoResume`. */
export interface AutoResumeOptions {
  /** Largest number of automatic resumes of one run, until a person sends or resumes. Default 2. */
  readonly attempts?: number;
  /** ms from the cut to the first resume, doubled for each later one up to 30 s. Without a network the resume waits for it. Default 1,000. */
  readonly firstDelay?: number;
  /** ms. When the page opens a session whose run was cut longer ago, a person resumes it. Default 10 minutes. */
  readonly within?: number;
}

/** What a session has of its own. It is not stored: pass it to `openSession` again. */
export interface SessionSetup {
  /** Replaces the agent's instructions. */
  readonly instructions?: string;
  /** Added to the agent's tools; a tool of the same name replaces that of the agent. */
  readonly tools?: readonly Tool[];
}

/** Options of `Agent.openSession`. */
export interface OpenOptions extends SessionSetup {
  /**
   * Whether an id that the store has never had becomes a new, empty session. Default `false`. A session that was removed is not created
   * again. A session that the browser has erased is created again as an empty one.
   */
  readonly create?: boolean;
}

/** Options of `Agent.createSession`. */
export interface SessionOptions extends SessionSetup {
  /** Default: a new unique id. With an id that the store has already, the stored session replaces the new one: use `openSession`. */
  readonly id?: string;
  /** The page's own data of the session: see `AgentSession.setMetadata`. */
  readonly metadata?: JsonObject;
}

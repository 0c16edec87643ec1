import type { ErrorSource } from '../core/caught-error.ts';
import type { ErrorInfo } from '../core/error.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { FinishReason, Message, Part, ToolDetails } from '../core/model/message.ts';
import type { MessageOrigin } from '../core/model/message-origin.ts';
import type { RunOutcome } from '../core/model/event.ts';
import type { Retry } from '../core/retries.ts';
import type {
  AnswerOptions,
  ApproveOptions,
  ChatInput,
  RejectOptions,
  RunOptions,
  SendOptions,
} from '../core/session/session.ts';
import type { HandedKey } from '../keys/vault-key.ts';
import type { Channel, Verb } from './channel.ts';

/** The number of this protocol: a page and a worker with different numbers do not connect, and the page drives. */
export const protocol = 1;

/** A tool that a page offers, as the worker describes it to the model. Its functions stay in the page. */
export interface ToolOffer {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly version: string;
  readonly idempotent?: boolean;
  readonly exclusive?: boolean;
  readonly followUp?: boolean;
  readonly server?: string;
  readonly timeout?: number;
  readonly approvalTimeout?: number;
  readonly maxOutput?: number;
}

export interface Hello {
  readonly protocol: number;
  readonly pageId: string;
  /** The name that pages of all builds share: an order to sign out reaches all of them. */
  readonly group: string;
  readonly tools: readonly ToolOffer[];
  /** Names of the keys that the page has, or asks the person for. */
  readonly keys: readonly string[];
  /** Names of the keys that can be locked. Each counts as locked until the verb `locked` states otherwise. */
  readonly lockable?: readonly string[];
  /** Whether the page has the vault of the sessions. */
  readonly hasVault?: boolean;
}

interface Welcome {
  readonly protocol: number;
  /** The name by which `Presence` says whether the worker lives. */
  readonly workerId: string;
  /** Whether the `CryptoKey` of `probe` has arrived: WebKit sends none to a shared worker. */
  readonly takesKeys?: boolean;
}

/** Options of a run that can be cloned. */
export type PlainOptions = Omit<RunOptions, 'client' | 'scratch' | 'signal' | 'tools'> & {
  readonly tools?: readonly string[];
};

/** A verb that begins or continues a run. */
export type RunVerb =
  | {
      readonly verb: 'send';
      /** With the id of the message: it is sent once, however often it is asked for. */
      readonly input: ChatInput & { readonly id: string };
      readonly origin?: MessageOrigin | undefined;
      readonly options: PlainOptions & Pick<SendOptions, 'whenBusy'>;
    }
  | {
      readonly verb: 'resume';
      /** The run that the page has seen: another one is not resumed. */
      readonly runId?: string | undefined;
      readonly options: PlainOptions;
    }
  | { readonly verb: 'regenerate'; readonly messageId?: string | undefined; readonly options: PlainOptions }
  | {
      readonly verb: 'edit';
      readonly messageId: string;
      /** With the id of the new message, as of `send`. */
      readonly input: ChatInput & { readonly id: string };
      readonly origin?: MessageOrigin | undefined;
      readonly options: PlainOptions;
    }
  | { readonly verb: 'compact' };

/** The session that is meant, and how much of it the page has seen: the worker reads that far before it acts. */
export interface Place {
  readonly sessionId: string;
  readonly seq: number;
  readonly instructions?: string | undefined;
}

export interface RunAnswer {
  readonly outcome: RunOutcome;
  readonly message?: Message;
  readonly finish?: FinishReason;
  readonly error?: ErrorInfo;
  /** `seq` of the log after the run: the page has read as far before its promise resolves. */
  readonly seq: number;
}

export type DecisionVerb =
  | { readonly verb: 'approve'; readonly callId: string; readonly options: ApproveOptions }
  | { readonly verb: 'reject'; readonly callId: string; readonly options: RejectOptions }
  | { readonly verb: 'answer'; readonly callId: string; readonly answer: Json; readonly options: AnswerOptions };

/** A call that waits for a page with its tool. */
export interface ToolWait {
  readonly sessionId: string;
  readonly callId: string;
  /** Name of the tool. */
  readonly name: string;
}

/** What a page asks of the worker. */
export interface HostVerbs {
  /** A key of no use, before `hello`: what cannot be cloned does not arrive. */
  readonly probe: Verb<CryptoKey, null>;
  readonly hello: Verb<Hello, Welcome>;
  readonly run: Verb<Place & RunVerb, RunAnswer>;
  readonly decide: Verb<Place & DecisionVerb, { readonly seq: number }>;
  readonly cancel: Verb<Place, null>;
  /** Opens a session that waits, so that its calls expire. */
  readonly watch: Verb<Place, null>;
  /** The list of planned prompts is not empty: the worker sends those that are due. */
  readonly planned: Verb<null, null>;
  readonly offer: Verb<readonly ToolOffer[], null>;
  /** A key of the page is locked now, or unlocked. */
  readonly locked: Verb<{ readonly name: string; readonly isLocked: boolean }, null>;
  /** The page is being left: what waits to be stored is stored now. */
  readonly leaving: Verb<null, null>;
  /** With the id of the order, which comes by the channel of all pages, too. */
  readonly signOut: Verb<string, null>;
}

/** A `Retry`, with the error as plain JSON. */
type PlainRetry = Omit<Retry, 'error'> & { readonly error: ErrorInfo };

interface CheckedCall {
  readonly problem?: string;
  readonly needsApproval: boolean;
  readonly elicitation?: JsonObject;
}

export interface CallRequest {
  readonly name: string;
  readonly version: string;
  readonly input: JsonObject;
  readonly sessionId: string;
  readonly callId: string;
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly answer?: Json;
  readonly state?: Json;
}

export interface CallAnswer {
  /** The tool asks the person (`askPerson`): the schema of the answer. There is no output then. */
  readonly question?: JsonObject;
  readonly output: Json | readonly Part[];
  readonly summary?: string;
  readonly details?: ToolDetails;
  readonly requiresFollowUp?: boolean;
}

/** Errors by the id of a planned prompt. */
export type HeldPrompts = Readonly<Record<string, ErrorInfo>>;

/** What the worker asks of a page. */
export interface PageVerbs {
  readonly key: Verb<{ readonly name: string; readonly origin: string }, string>;
  /** Unlocks the vault, by its `onLocked` where it is locked in the page, too. */
  readonly unlock: Verb<null, HandedKey | null>;
  readonly check: Verb<Pick<CallRequest, 'name' | 'version' | 'input'>, CheckedCall>;
  readonly checkAnswer: Verb<
    Pick<CallRequest, 'name' | 'version' | 'input'> & { readonly answer: Json; readonly elicitation?: JsonObject },
    string | null
  >;
  readonly call: Verb<CallRequest, CallAnswer>;
  readonly error: Verb<{ readonly error: ErrorInfo; readonly source: ErrorSource }, null>;
  readonly retrying: Verb<{ readonly sessionId: string; readonly retry: PlainRetry | null }, null>;
  readonly waits: Verb<readonly ToolWait[], null>;
  /** Why planned prompts that are due have not been sent: all of them, by the id of the prompt. */
  readonly held: Verb<HeldPrompts, null>;
}

export type HostChannel = Channel<HostVerbs>;
export type PageChannel = Channel<PageVerbs>;

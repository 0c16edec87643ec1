import type { Json, JsonObject } from '../json.ts';

/**
 * The status of a tool call.
 *
 *     streaming → requested → awaiting-approval → approved | edited → started → succeeded | failed | timed-out | uncertain
 *                     ├→ invalid    └→ rejected | expired                ↑                                          │
 *                     └→ approved (no approval needed)                   └───── for an idempotent tool only ────────┘
 *
 * and `cancelled` from every status that is not an end, and `awaiting-approval` from `started`, for a tool that asks a person in the midst
 * of its call.
 */
export type CallStatus =
  | 'streaming'
  | 'requested'
  | 'invalid'
  | 'awaiting-approval'
  | 'approved'
  | 'edited'
  | 'rejected'
  | 'expired'
  | 'started'
  | 'succeeded'
  | 'failed'
  | 'timed-out'
  | 'cancelled'
  | 'uncertain';

/**
 * Who decided on a call: the user; an approval rule that the user made earlier; the end of the time to decide; or the tool's policy,
 * which asks for no approval.
 */
export type DecidedBy = 'user' | 'rule' | 'timeout' | 'policy';

/**
 * Why a call awaits approval although its tool may need none. `unknown-finish`: the provider stated no reason for the end of the reply, so
 * the call may be a part of an answer that was cut. `untrusted`: untrusted content came before (`holdAfterUntrusted`).
 */
export type ApprovalCause = 'unknown-finish' | 'untrusted';

/** A decision of the user that the page which drives the run has still to take: see `AnswerOptions.drive`. */
export interface Proposal {
  readonly verdict: 'approved' | 'rejected';
  /** The input as the user edited it. */
  readonly input?: JsonObject;
  readonly reason?: string;
  /** The user's answer to an elicitation. */
  readonly answer?: Json;
  readonly userName?: string;
  /** `fingerprintOf` the call as the user saw it. */
  readonly fingerprint?: string;
  /** Whether the decision becomes an approval rule: see `DecisionOptions.remember`. */
  readonly remember?: 'session' | 'agent';
}

/** The signature of the device on which a decision was made. A replica checks it: see `openDevices` of `brooklet/sync`. */
export interface Proof {
  /** Id of the device. */
  readonly device: string;
  /** In base64url. */
  readonly signature: string;
}

/** The decision on a call, or the terms of the decision that is awaited. */
export interface Approval {
  readonly verdict?: 'approved' | 'rejected' | 'expired';
  readonly decidedBy?: DecidedBy;
  readonly reason?: string;
  /** The user's name; missing when the page passed none. */
  readonly userName?: string;
  /** Missing where the tool itself, or the elicitation, requires the decision. */
  readonly cause?: ApprovalCause;
  /** ms since the epoch, after which a call that awaits approval expires. */
  readonly expiresAt?: number;
  /** Version of the tool to which the approval applies. */
  readonly toolVersion?: string;
  /** JSON Schema of the answer, when the call is an elicitation. */
  readonly elicitation?: JsonObject;
  /** The user's answer to the elicitation. */
  readonly answer?: Json;
  /** The page's own text that the model reads as the result of a rejected call. */
  readonly rejectionText?: string;
  /** A decision that waits for the page that drives the run; it stays when the call is decided. */
  readonly proposal?: Proposal;
}

/** The fields that all tool calls have in common. */
export interface CallFields {
  readonly type: 'tool';
  /** Unique within the session; not the provider's id. */
  readonly callId: string;
  readonly name: string;
  readonly status: CallStatus;
  /** The input as the model wrote it: incomplete while the call streams, JSON once the call is complete. */
  readonly inputText: string;
  /** `inputText` parsed; missing while the call streams, and when the text is not a JSON object. */
  readonly input?: JsonObject;
  /** The input with which the tool ran, when the user edited the model's input. */
  readonly editedInput?: JsonObject;
  /** The latest progress of a running call; never stored. */
  readonly progress?: Json;
  readonly isError?: boolean;
  /** Number of the latest attempt; missing for the first. */
  readonly attempt?: number;
  /** ms since the epoch. */
  readonly startedAt?: number;
  /**
   * Who ran the call, if it was not this page: address of an MCP server, or origin of the document that offers the tool (WebMCP). Missing before the
   * call starts.
   */
  readonly server?: string;
  /** Id of the session that works on the call, where the tool is an agent: `Agent.openSession` opens it. Missing before the call starts. */
  readonly session?: string;
  /** Name of the agent that has the conversation since this call (`handoffTo`); missing before the call succeeds. */
  readonly handoff?: string;
  readonly durationMs?: number;
  /** One line of text about the result, for display. */
  readonly summary?: string;
  /** The result, prepared for display. */
  readonly details?: ToolDetails;
  /** Whether the result asks for another request to the model; missing when the tool's `followUp` decides. */
  readonly requiresFollowUp?: boolean;
  readonly approval?: Approval;
  /**
   * Opaque data of the call that the provider requires in later requests: the provider's own `id` of the call, the `host` that sent it, and
   * what the call had beside its input, by the name of the wire.
   */
  readonly provider?: Json;
}

/** A result for display, as returned by a tool's `present`. */
export type ToolDetails =
  | { readonly type: 'diff'; readonly filePath: string; readonly oldContent: string; readonly newContent: string }
  | { readonly type: 'fileList'; readonly files: readonly string[] }
  | { readonly type: 'commandOutput'; readonly stdout: string; readonly stderr: string; readonly exitCode: number }
  | { readonly type: 'json'; readonly value: Json }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: string; readonly data?: string; readonly url?: string };

/**
 * What the types of messages need of a tool: its name, the type of its input, and the type of what it returns. A `Tool` is one.
 * `'~types'` exists for the compiler only: no tool has this property.
 */
export interface ToolTypes<Name extends string = string, Input = unknown, Output = unknown> {
  readonly name: Name;
  readonly '~types'?: { readonly input: Input; readonly output: Output };
}

/**
 * The name of a tool that is not among the typed tools. At run time it is any text. The pattern is for the compiler: no name of a typed tool
 * fits it, so that `name === 'pay'` excludes the call; with `string` it would not.
 */
export type OtherToolName = `${string} (another tool)`;

/** A call of one tool. Its status states what is known: the input has been checked, the call has succeeded. */
export type TypedToolPart<Name extends string, Input, Output> =
  | UncheckedCall<Name>
  | CheckedCall<Name, Input>
  | SucceededCall<Name, Input, Output>;

/** The input is missing, unchecked or wrong. */
interface UncheckedCall<Name extends string> extends CallFields {
  readonly name: Name;
  readonly status: 'streaming' | 'requested' | 'invalid' | 'cancelled';
  /** The text that explains why there is no result. */
  readonly output?: string;
}

/** The input fits the schema of the tool. */
interface CheckedCall<Name extends string, Input> extends Omit<CallFields, 'input' | 'editedInput'> {
  readonly name: Name;
  readonly status: Exclude<CallStatus, UncheckedCall<Name>['status'] | 'succeeded'>;
  readonly input: Input;
  readonly editedInput?: Input;
  /** The text that explains why there is no result. */
  readonly output?: string;
}

interface SucceededCall<Name extends string, Input, Output> extends Omit<CallFields, 'input' | 'editedInput'> {
  readonly name: Name;
  readonly status: 'succeeded';
  readonly input: Input;
  readonly editedInput?: Input;
  readonly output: Output;
}

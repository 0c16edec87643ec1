import type { Json, JsonObject } from '../json.ts';
import type { Part, ToolDetails } from '../model/message.ts';
import type { ReportThrown } from './report-thrown.ts';
import type { Validation } from './schema.ts';

/** The second argument of a tool's `execute`: the call's ids, its abort signal and its progress callback. */
export interface ToolContext {
  /** Aborts when the run is cancelled or the tool's `timeout` has passed. */
  readonly signal: AbortSignal;
  readonly sessionId: string;
  readonly callId: string;
  /** The same for every attempt at this call: pass the key to services that detect repeated requests. */
  readonly idempotencyKey: string;
  /** Number of this attempt at the call, from 1. */
  readonly attempt: number;
  /**
   * Shows the progress of the call as `ToolPart.progress`, never stored; ignored after the call has ended.
   *
   * @throws TypeError for a value that JSON cannot represent
   */
  readonly progress: (value: unknown) => void;
  /** The user's answer: for a tool with an `answer`, and after a question of `askPerson`. */
  readonly answer?: Json;
  /** After a question of `askPerson`: its `state`, `null` without one. `answer` is the answer to this question then. */
  readonly state?: Json;
}

/** The context of a tool whose `answer` is a Standard Schema: the schema has checked and converted the answer. */
export interface AnsweredContext<Answer> extends Omit<ToolContext, 'answer'> {
  readonly answer: Answer;
}

/** A result, prepared for display. */
export interface Presentation {
  /** One line of text. */
  readonly summary?: string;
  readonly details?: ToolDetails;
}

/** The output of a call: text or JSON, or parts. */
export type PresentableOutput = Json | readonly Part[] | undefined;

/** Makes the results of one tool presentable. Pure. Missing fields get their defaults. */
export type Present = (input: JsonObject, output: PresentableOutput, isError: boolean) => Presentation | undefined;

/** Makes any tool's results presentable. Pure, and never throws. */
export type Presenter = (
  name: string,
  input: JsonObject,
  output: PresentableOutput,
  isError: boolean,
) => Required<Pick<Presentation, 'summary'>> & Presentation;

/** The members of a tool that one call uses. */
export interface CheckedTool {
  readonly name: string;
  /** Hash of the tool's name and schema. Invariant: an approval for one version does not apply to another version. */
  readonly version: string;
  /** Who runs the tool, if it is not this page: see `ToolPart.server`. */
  readonly server?: string;
  /** ms */
  readonly timeout?: number;
  /** ms */
  readonly approvalTimeout?: number;
  /** Characters. */
  readonly maxOutput?: number;
  /**
   * Checks an input against the schema. Never rejects: an error of the schema is returned as the `problem`.
   *
   * @param report called with what the functions of the tool throw, now and when the result is used
   */
  readonly check: (input: JsonObject, report?: ReportThrown) => Promise<CheckedInput | { readonly problem: string }>;
}

/** An input that fits its tool's schema, bound to the tool's functions. */
export interface CheckedInput {
  readonly problem?: undefined;
  /** Never rejects: an error of the tool's function counts as `true`. */
  readonly needsApproval: () => Promise<boolean>;
  /** Returns the JSON Schema of the answer when the call is an elicitation, else `undefined`. Where the tool's `answer` throws, any answer fits. */
  readonly elicitation: () => JsonObject | undefined;
  /** Checks the user's answer: against the Standard Schema of the tool's `answer`, else against the elicitation. Never rejects. */
  readonly checkAnswer: (answer: Json | undefined, elicitation?: JsonObject) => Promise<Validation>;
  readonly execute: (context: ToolContext) => Promise<unknown>;
  /** Throws what the tool's `present` throws. */
  readonly present: (output: Json | readonly Part[]) => Presentation;
  /** Whether the model is asked again with this result; `undefined` when the tool's own `followUp` decides. */
  readonly requiresFollowUp: (output: Json | readonly Part[]) => boolean | undefined;
}

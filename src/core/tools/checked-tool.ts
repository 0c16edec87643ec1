import type { Json, JsonObject } from '../json.ts';
import type { Part, ToolDetails } from '../model/message.ts';

/** What a tool may know while it runs. */
export interface ToolContext {
  /** Aborts when the run is cancelled or the tool's time is up. */
  readonly signal: AbortSignal;
  readonly sessionId: string;
  readonly callId: string;
  /** The same for every attempt at this call: hand it to services that can tell a repeat. */
  readonly idempotencyKey: string;
  /** 1, 2, … */
  readonly attempt: number;
  /** Shows how far it is, as JSON; kept nowhere. */
  readonly progress: (news: unknown) => void;
  /** What a person answered, where the tool has an `answer`. */
  readonly answer?: Json;
}

/** A result as a page shows it. */
export interface Presentation {
  /** One line. */
  readonly summary?: string;
  readonly details?: ToolDetails;
}

/** What a call gave back: text or JSON, or parts. */
export type PresentableOutput = Json | readonly Part[] | undefined;

/** Makes the results of one tool presentable: pure. What it leaves out, the defaults fill in. */
export type Present = (input: JsonObject, output: PresentableOutput, isError: boolean) => Presentation | undefined;

/** Makes any tool's results presentable. Pure, and never throws. */
export type Presenter = (
  name: string,
  input: JsonObject,
  output: PresentableOutput,
  isError: boolean,
) => Required<Pick<Presentation, 'summary'>> & Presentation;

/** What one call of a tool needs of it. */
export interface CheckedTool {
  readonly name: string;
  /** Stands for its name and schema: what a person has agreed to for one version does not hold for another. */
  readonly version: string;
  /** ms */
  readonly timeout?: number;
  /** ms */
  readonly approvalTimeout?: number;
  /** Never throws: what the schema throws is its problem with the input. */
  readonly check: (input: JsonObject) => Promise<CheckedInput | { readonly problem: string }>;
}

/** An input that fits its tool's schema, and what can be done with it. */
export interface CheckedInput {
  readonly problem?: undefined;
  readonly needsApproval: () => Promise<boolean>;
  /** JSON Schema of the answer, where it is a question. */
  readonly elicitation: () => JsonObject | undefined;
  readonly execute: (context: ToolContext) => Promise<unknown>;
  readonly present: (output: Json | readonly Part[]) => Presentation;
}

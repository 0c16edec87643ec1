import type { Json } from '../json.ts';
import type { Part, SerializedOutput } from '../model/message.ts';
import type { Question } from './ask-person.ts';
import type { InputOf, InputSchema, JsonSchema, StandardSchema, UnconvertedOf } from './schema.ts';
import type { AnsweredContext, Presentation, ToolContext } from './tool-types.ts';

/** What a tool may return: text or JSON for the model, or parts (an image, for example). `undefined` is stored as `null`. */
export type ToolOutput = Json | readonly Part[] | object | undefined | void;

/** What `execute` must return: a value that fits the `output` schema. */
export type ResultOf<Output extends InputSchema> = Output extends StandardSchema ? UnconvertedOf<Output> : ToolOutput;

/** The type of a tool's output: that of the `output` schema, else of the value that `execute` returns. */
export type OutputOf<Output extends InputSchema, Result> = Output extends StandardSchema
  ? UnconvertedOf<Output>
  : Result;

/** The output as `present` and `followUp` receive it. */
type StoredOutputOf<Output extends InputSchema> = Output extends StandardSchema
  ? SerializedOutput<UnconvertedOf<Output>>
  : Json | readonly Part[];

/** The context of `execute`: a Standard Schema types the answer. */
type ContextOf<Answer extends InputSchema> =
  Answer extends StandardSchema<infer Value> ? AnsweredContext<Value> : ToolContext;

/**
 * Options of `defineTool`. Required: `name`, `description`, `input` and `execute`. Write an `answer` that is a function before `execute`:
 * TypeScript infers types in this order.
 */
export interface ToolOptions<
  Input extends InputSchema,
  Name extends string = string,
  Output extends InputSchema = InputSchema,
  Result extends ResultOf<Output> = ResultOf<Output>,
  Answer extends InputSchema = JsonSchema,
> {
  /** Letters, digits, `_` and `-`, 64 at most: what every provider accepts. */
  readonly name: Name;
  /** What the tool does and when to use it. The model reads this text. */
  readonly description: string;
  /** Standard Schema (zod 4.2, valibot with `toStandardJsonSchema`, arktype, …) or plain JSON Schema. */
  readonly input: Input;
  /** Schema of the result. A result that does not fit fails the call. Default: the result is not checked. */
  readonly output?: Output;
  /**
   * Runs the tool with a checked input. The output of the call is the returned value or, after a throw, the message of the error. After
   * `askPerson` the call awaits an answer.
   */
  readonly execute: (
    input: InputOf<Input>,
    context: ContextOf<Answer>,
  ) => Result | Question | Promise<Result | Question>;
  /** Whether the user must approve each call. A function that throws counts as `true`; `AgentOptions.onError` receives its error. Default: `false`. */
  readonly needsApproval?: boolean | ((input: InputOf<Input>) => boolean | Promise<boolean>);
  /**
   * Makes each call an elicitation: the schema of the user's answer, as Standard Schema or plain JSON Schema. `execute` reads the answer from
   * its context: the value that a Standard Schema returned, or the user's JSON.
   */
  readonly answer?: Answer | ((input: InputOf<Input>) => Answer);
  /** ms that the user has to decide or to answer; then the call expires, even while no page is open. Default: no limit. */
  readonly approvalTimeout?: number;
  /** ms that one call may take; then its signal aborts and the call ends as `timed-out`. Default: no limit. */
  readonly timeout?: number;
  /**
   * Maximum characters of the result, as text or JSON; a longer result is cut, with a mark that the model reads. Images, sounds and files
   * count apart: 20,000,000 characters of base64. Default 400,000, about 100,000 tokens.
   */
  readonly maxOutput?: number;
  /** Whether repeating a call with the same key is safe: a call that a closed page cut off runs again on `resume`. Default: `false`. */
  readonly idempotent?: boolean;
  /** Whether calls run alone, not in parallel with other calls of the same reply. Default: `false`. */
  readonly exclusive?: boolean;
  /**
   * Whether the model is asked again with the result; a function decides by the result, and is stored with it. When all calls of a reply
   * succeed and none asks for a follow-up, the run ends without another request. A function that throws counts as `true`. Default: `true`.
   */
  readonly followUp?: boolean | ((input: InputOf<Input>, output: StoredOutputOf<Output>) => boolean);
  /** Makes a result presentable. An error in this function changes nothing else; `AgentOptions.onError` receives it. */
  readonly present?: (input: InputOf<Input>, output: StoredOutputOf<Output>) => Presentation;
}

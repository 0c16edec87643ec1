import { defined, isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import type { Part, ToolDetails, ToolPart } from '../core/model/message.ts';
import type { ToolContext } from '../core/tools/tool-types.ts';
import { proceed } from './call.ts';
import { headerValue } from './exchange.ts';
import type { ParamHeader } from './param-headers.ts';
import { toElicitation } from './question.ts';
import { toOutput, toProgress } from './result.ts';
import { isOfApp, type ToolEnv, type ToolVersion } from './tool-env.ts';

/** One execution of a call. */
export interface RunInput {
  readonly input: JsonObject;
  readonly context: ToolContext;
  /** Whether the call may be made anew when its connection has gone. */
  readonly repeatable: boolean;
  /** The call as the log has it: with the answer to the question of an earlier execution. */
  readonly call: ToolPart | undefined;
}

/** What an execution ends with: the output, or a question to the person. */
export interface RunResult {
  readonly output?: Json | readonly Part[];
  /** An elicitation. */
  readonly question?: JsonObject;
  /** What the output leaves out, for the interface of the tool. */
  readonly details?: ToolDetails;
}

/** Times that a server may report progress within a call. */
const maxProgress = 10_000;

/** Makes a call, or goes on with one. Rejects with what the model reads as the reason of the failure. */
export async function runCall(env: ToolEnv, tool: ToolVersion, run: RunInput): Promise<RunResult> {
  const { input, context, repeatable, call } = run;
  const { definition, paramHeaders } = tool;
  let reports = 0;
  const request = {
    params: { name: definition.name, arguments: input },
    options: {
      signal: context.signal,
      timeout: Infinity,
      headers: toParamHeaders(paramHeaders, input),
      onProgress(progress: JsonObject) {
        reports += 1;
        if (reports <= maxProgress) context.progress(toProgress(progress));
      },
    },
  };
  const live = { key: context.idempotencyKey, liveCalls: env.liveCalls, repeatable };
  const { result, asked } = await proceed(env.peer, request, env.asker, live, call);
  if (asked) return { question: toElicitation(asked, env.asker) };
  const output = toOutput(result, definition.outputSchema);
  const isShown = definition.ui !== undefined || isOfApp(call);
  return { output, ...(isShown ? toDetails(result) : {}) };
}

/** Characters of JSON. */
const maxDetails = 100_000;

/** Returns what an interface reads of a result beside the parts; nothing where there is nothing, or too much. */
function toDetails({ structuredContent, _meta }: JsonObject): Pick<RunResult, 'details'> {
  const value = defined({ structuredContent, _meta });
  const { length } = JSON.stringify(value);
  return length > 2 && length <= maxDetails ? { details: { type: 'json', value } } : {};
}

/** Returns the headers of a call. */
function toParamHeaders(headers: readonly ParamHeader[], input: JsonObject): Record<string, string> {
  return Object.fromEntries(
    headers.flatMap(({ name, path }) => {
      const value = path.reduce<Json | undefined>(
        (inner, step) => (isJsonObject(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined),
        input,
      );
      const isGiven = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
      return isGiven ? [[`mcp-param-${name.toLowerCase()}`, headerValue(String(value))]] : [];
    }),
  );
}

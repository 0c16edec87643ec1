import { defined, isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import type { EventBody } from '../core/model/event.ts';
import type { Part, ToolDetails, ToolPart } from '../core/model/message.ts';
import { asQuestion, type Question } from '../core/tools/ask-person.ts';
import type { ToolContext } from '../core/tools/tool-types.ts';
import { proceed } from './call.ts';
import { headerValue } from './exchange.ts';
import type { ParamHeader } from './param-headers.ts';
import { toElicitation } from './question.ts';
import { toOutput, toProgress } from './result.ts';
import { type Execution, isOfApp, type ToolEnv, type ToolVersion } from './tool-env.ts';

/** What a tool calls a server with. */
export interface RunInput {
  readonly input: JsonObject;
  readonly context: ToolContext;
  /** Whether the call may be made again when its connection has gone. */
  readonly repeatable: boolean;
  /** Receives what the interface of the tool shows beside the output. */
  readonly execution: Execution | undefined;
}

/** Times that a server may report progress within a call. */
const maxProgress = 10_000;

/** Ends a call of a tool that only interfaces may call. */
export function refuseCall({ callId, name }: ToolPart): readonly EventBody[] {
  return [{ type: 'call.ended', callId, outcome: 'invalid', output: `There is no tool ${JSON.stringify(name)}.` }];
}

/**
 * Makes a call, or continues one. Resolves with the output, or with a question of the server. Rejects with what the
 * model reads as the reason of the failure.
 */
export async function runCall(
  env: ToolEnv,
  tool: ToolVersion,
  { input, context, repeatable, execution }: RunInput,
): Promise<Json | readonly Part[] | Question> {
  const call = execution?.call;
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
  if (asked) return asQuestion(toElicitation(asked, env.asker));
  const output = toOutput(result, definition.outputSchema);
  const isAskedByApp = isOfApp(call);
  // What the output leaves out, for the interface of the tool.
  const details = definition.ui !== undefined || isAskedByApp ? toDetails(result) : undefined;
  // An interface that has asked gets the result itself: the model is not asked, and the run ends.
  if (execution) execution.ending = { ...defined({ details }), ...(isAskedByApp && { requiresFollowUp: false }) };
  return output;
}

/** Characters of JSON. */
const maxDetails = 100_000;

/** Returns what an interface reads of a result beside the parts; nothing where there is nothing, or too much. */
function toDetails({ structuredContent, _meta }: JsonObject): ToolDetails | undefined {
  const value = defined({ structuredContent, _meta });
  const { length } = JSON.stringify(value);
  return length > 2 && length <= maxDetails ? { type: 'json', value } : undefined;
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

import { named } from '../../core/model/shapes/named.ts';
import { messageOf } from '../../core/error.ts';
import { isJsonObject, type JsonObject, toJson } from '../../core/json.ts';
import { browserPorts, type Ports } from '../../core/ports.ts';
import { capOutput } from '../../core/tools/cap-output.ts';
import { elicitationOf } from '../../core/tools/ask-person.ts';
import { engine, type Tool } from '../../core/tools/tool.ts';
import { findModelContext } from './model-context.ts';

/** A call of an offered tool by an agent of the browser. */
export interface OfferedCall {
  readonly name: string;
  /** As the agent sent it; it fits the schema. */
  readonly input: JsonObject;
}

/** Options of `offerTools`. */
export interface OfferToolsOptions {
  /**
   * Asks the person whether a call may run that needs approval: no session shows it, because an agent of the browser calls. Default: such
   * calls are refused. A function that throws counts as a refusal.
   */
  readonly approve?: (call: OfferedCall) => boolean | Promise<boolean>;
  /** Origins of other documents of the tab that may see the tools, too. Default: none; the browser's own agents see all tools. */
  readonly exposedTo?: readonly string[];
  /** Called after each call: these calls are in no log. */
  readonly onCall?: (call: OfferedCall & { readonly output: unknown; readonly isError: boolean }) => void;
}

/** Tools that are offered. */
export interface OfferedTools {
  /** Whether the browser has WebMCP. */
  readonly isSupported: boolean;
  /** Names of the offered tools. */
  readonly names: readonly string[];
  /** The tools that the browser refused, because of another tool of the name for example. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
  /** Withdraws the tools. */
  stop(): void;
}

/** Names of this page's tools that are offered now: its own agent does not find them as tools of the page. */
export const offered: Set<string> = new Set();

/**
 * Offers the tools of a page to the agents of the browser (WebMCP). Inputs are checked, because the browser does not check them, and calls
 * that need approval ask `approve`. Does nothing where the browser has no WebMCP.
 *
 *     const { isSupported, stop } = await offerTools([searchTool, orderTool], {
 *       approve: ({ name, input }) => confirm(`May the browser’s agent call ${name} with ${JSON.stringify(input)}?`),
 *     });
 */
export async function offerTools(tools: readonly Tool[], options: OfferToolsOptions = {}): Promise<OfferedTools> {
  named(options, { approve: true, exposedTo: true, onCall: true }, 'offerTools');
  const context = findModelContext();
  const controller = new AbortController();
  const { signal } = controller;
  const names: string[] = [];
  const refused: { readonly name: string; readonly reason: string }[] = [];
  const { exposedTo } = options;
  await Promise.all(
    (context ? tools : []).map(async (tool) => {
      const { name, description, inputSchema } = tool;
      try {
        await context?.registerTool(
          {
            name,
            description,
            inputSchema,
            execute: (input, client) => answer(tool, input, { ...options, newId: browserPorts.id }, client?.signal),
          },
          { signal, ...(exposedTo && { exposedTo }) },
        );
        names.push(name);
        offered.add(name);
      } catch (error) {
        refused.push({ name, reason: messageOf(error) });
      }
    }),
  );
  return {
    isSupported: context !== undefined,
    names,
    refused,
    stop() {
      controller.abort();
      for (const name of names) offered.delete(name);
    },
  };
}

interface CallOptions extends OfferToolsOptions {
  readonly newId: Ports['id'];
}

/** Runs a call. Failures are results, as in MCP: the browser loses the message of an error. */
async function answer(
  tool: Tool,
  sent: unknown,
  options: CallOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<unknown> {
  const { name } = tool;
  let input: JsonObject = {};
  const report = (output: unknown, isError: boolean): unknown => {
    try {
      options.onCall?.({ name, input, output, isError });
    } catch (error) {
      globalThis.reportError?.(error);
    }
    return output;
  };
  try {
    const copy = toJson(sent ?? {});
    if (!isJsonObject(copy)) throw new Error('Not run: the input is not a JSON object.');
    input = copy;
    return report(await run(tool, input, options, signal), false);
  } catch (error) {
    return report({ isError: true, content: [{ type: 'text', text: messageOf(error) }] }, true);
  }
}

async function run(
  { name, [engine]: { check, timeout, maxOutput } }: Tool,
  input: JsonObject,
  { approve, newId }: CallOptions,
  cancelled: AbortSignal,
): Promise<unknown> {
  const checked = await check(input);
  if (checked.problem !== undefined) throw new Error(`Not run: the input does not fit the schema: ${checked.problem}`);
  if (checked.elicitation() !== undefined)
    throw new Error('Not run: the tool asks a person a question, which only the page itself shows.');
  if (await checked.needsApproval()) {
    if (!approve)
      throw new Error('Not run: the tool needs the approval of a person, and this page does not ask for it.');
    // What the page shows is a copy: a change of it changes nothing that runs.
    if (!(await approve({ name, input: structuredClone(input) }))) throw new Error('Not run: the person declined.');
  }
  const signal = timeout === undefined ? cancelled : AbortSignal.any([cancelled, AbortSignal.timeout(timeout)]);
  signal.throwIfAborted();
  const callId = newId();
  const context = { signal, sessionId: 'webmcp', callId, idempotencyKey: callId, attempt: 1, progress: () => {} };
  const aborted = new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(new Error('The call was cancelled or took too long.'))),
  );
  const result = await Promise.race([checked.execute(context), aborted]);
  if (elicitationOf(result) !== undefined)
    throw new Error('Not finished: the tool asks a person a question, which only the page itself shows.');
  return capOutput(toJson(result), maxOutput);
}

import { toRequestMessages } from './visible-messages.ts';
import type { Assembled } from './measure.ts';
import { defined, type JsonObject } from '../json.ts';
import type { EventBody } from '../model/event.ts';
import { contentIdOf } from '../model/hash.ts';
import type { LLMRequest } from '../model/llm.ts';
import type { Message, ZoneTokens } from '../model/message.ts';
import { toToolSchema } from '../tools/tool-schema.ts';
import type { OutputSpec, RequestRecord, ToolChoice, ToolSpec } from '../model/settings.ts';
import type { SessionState } from '../model/state.ts';

/** The inputs of one request. */
interface RequestParts {
  /** Instructions and presets: see `toImmutable`. */
  readonly immutable: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly model?: string | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly toolChoice?: ToolChoice | undefined;
  readonly providerParams?: JsonObject | undefined;
  readonly output?: OutputSpec | undefined;
  readonly maxMessages?: number | undefined;
  /** The messages; missing when tokens are not counted. */
  readonly assembled?: Assembled | undefined;
}

/** A request, and the events that let it be rebuilt from the log. */
export interface PreparedRequest {
  readonly request: LLMRequest;
  /** Events for instructions and tools that differ from the latest ones in the log; append them before `reply.started`. */
  readonly changes: readonly EventBody[];
  /** The `request` of `reply.started`. */
  readonly record: RequestRecord;
  /** The `context` of `reply.started`. */
  readonly context?: ZoneTokens;
}

/**
 * Returns the next request of a state. Pure.
 *
 * Invariant: `rebuildRequest` returns the same request from `record` and the log, apart from the scratch.
 */
export function prepareRequest(state: SessionState, parts: RequestParts): PreparedRequest {
  const { immutable, tools, model, temperature, maxTokens, output, maxMessages, assembled } = parts;
  const params =
    parts.providerParams && Object.keys(parts.providerParams).length > 0 ? parts.providerParams : undefined;
  const instructionsId = immutable.length > 0 ? contentIdOf(immutable) : undefined;
  const toolsId = tools.length > 0 ? contentIdOf(tools) : undefined;
  const record: RequestRecord = defined({
    instructions: instructionsId,
    tools: toolsId,
    model,
    temperature,
    maxTokens,
    toolChoice: toolsId === undefined ? undefined : toolChoiceOf(state, parts.toolChoice),
    providerParams: params,
    maxMessages,
    toolOutput: assembled?.toolOutput,
    pinned: assembled?.pinned,
  });
  const changes: EventBody[] = [];
  if (instructionsId && !isSame(state.instructions?.messages, immutable))
    changes.push({ type: 'instructions.changed', contentId: instructionsId, messages: immutable });
  if (toolsId && !isSame(state.tools?.tools, tools)) changes.push({ type: 'tools.changed', contentId: toolsId, tools });
  return {
    request: toRequest(state, {
      messages: assembled?.messages ?? toRequestMessages(state.messages, { immutable, maxMessages }),
      tools,
      record,
      output,
    }),
    changes,
    record,
    ...(assembled && { context: assembled.context }),
  };
}

/**
 * Whether the content of the log is the present one. The content ids do not suffice: the author of the description of a tool could choose one with
 * the same id, and the log would lack what the model read.
 */
function isSame(logged: object | undefined, present: object): boolean {
  return logged === present || JSON.stringify(logged) === JSON.stringify(present);
}

/** Returns the choice for the next request: a call is forced in the first request of a run only. */
function toolChoiceOf({ run }: SessionState, choice: ToolChoice | undefined): ToolChoice | undefined {
  return choice === 'auto' || choice === 'none' || (run?.steps ?? 0) === 0 ? choice : undefined;
}

const made = new WeakMap<readonly ToolSpec[], readonly ToolSpec[]>();

/** Returns the tools with schemas that every service accepts. The log has them as they were defined. */
function acceptable(tools: readonly ToolSpec[]): readonly ToolSpec[] {
  const before = made.get(tools);
  if (before !== undefined) return before;
  const specs = tools.map((tool) => ({ ...tool, inputSchema: toToolSchema(tool.inputSchema) }));
  made.set(tools, specs);
  return specs;
}

export interface RecordedRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly record: RequestRecord;
  readonly output?: OutputSpec | undefined;
}

/** Returns the request that a record describes. The order of its fields is that of `LLMRequest`. */
export function toRequest(state: SessionState, { messages, tools, record, output }: RecordedRequest): LLMRequest {
  const { model, maxTokens, temperature, toolChoice, providerParams } = record;
  return {
    sessionId: state.id,
    messages,
    ...defined({ promptId: state.run?.promptId, model, maxTokens, temperature, output }),
    ...(tools.length > 0 && { tools: acceptable(tools) }),
    ...defined({ toolChoice }),
    ...(providerParams && { providerParams }),
  };
}

import { identity, Observable, type OperatorFunction } from 'rxjs';
import { isJsonObject, type Json } from '../core/json.ts';
import type { Part, ToolDetails } from '../core/model/message.ts';
import { browserPorts, type Ports } from '../core/ports.ts';
import type { Present, Presenter } from '../core/tools/checked-tool.ts';
import { createPresenter } from './present.ts';

/** Another agent says that it calls a tool. */
export interface ToolUse {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: Json;
  /** ms since the epoch, or ISO 8601. Default: when it came. */
  readonly timestamp?: number | string;
  /** The call of the sub-agent that this one belongs to. */
  readonly parentToolUseId?: string;
}

/** Another agent says what came of it. */
export interface ToolResult {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly output: Json | readonly Part[];
  readonly isError?: boolean;
  /** ms since the epoch, or ISO 8601. Default: when it came. */
  readonly timestamp?: number | string;
  /** With name and input a result is whole, and needs no use to be shown. */
  readonly name?: string;
  readonly input?: Json;
  /** The output for machines, where the agent sends it beside the one for people: `{ stdout, stderr }`, say. */
  readonly data?: Json;
}

/** A call of another agent from beginning to end (seed 002 §5.1); what a `ToolPart` is for our own. */
export interface ToolExecution {
  readonly type: 'tool_execution';
  readonly toolName: string;
  readonly toolUseId: string;
  readonly input: Json;
  readonly output: Json | readonly Part[];
  readonly isError: boolean;
  /** ms; missing where it is not known. */
  readonly durationMs?: number;
  /** One line for people. */
  readonly summary: string;
  readonly details?: ToolDetails;
  /** When it began, ms since the epoch. */
  readonly timestamp: number;
  readonly parentToolUseId?: string;
}

/** Options of `mergeToolMessages`. */
export interface MergeOptions {
  /** `false`: everything passes unchanged. */
  readonly enabled?: boolean;
  /** ms that a use waits for its result before it passes as it is. Default: 10 minutes. */
  readonly expiresAfter?: number;
  /** ms that a result waits for a use that comes late. Default: 1 s. */
  readonly resultExpiresAfter?: number;
  /** How many messages may wait; beyond that the oldest pass as they are. Default: 1,000. */
  readonly limit?: number;
  /** Make summary and details, by tool name: the registry of `createPresenter`, in front of its defaults. */
  readonly presenters?: Readonly<Record<string, Present>>;
  readonly ports?: Pick<Ports, 'now' | 'delay'>;
}

type Half = ToolUse | ToolResult;

interface Arrived<H extends Half> {
  readonly half: H;
  /** ms since the epoch */
  readonly at: number;
}

/** A message that waits for its other half. */
interface Waiting<T> extends Arrived<T & Half> {
  readonly id: string;
  callOff: () => void;
}

/**
 * Turns `tool_use` and `tool_result` in a stream of another agent's messages into one `tool_execution`, emitted when the
 * second half comes, whichever that is (seed 002). Halves with the same id pair in the order in which they came. A half
 * that stays alone passes unchanged: when it expires, when too many wait, or when the stream ends. All else passes at once.
 *
 *     lines$.pipe(concatMap(readClaudeCode), mergeToolMessages())
 */
export function mergeToolMessages<T>(options: MergeOptions = {}): OperatorFunction<T, T | ToolExecution> {
  const { enabled = true, expiresAfter = 600_000, limit = 1_000, ports = browserPorts } = options;
  const { resultExpiresAfter = Math.min(1_000, expiresAfter), presenters } = options;
  if (!enabled) return identity;
  const present = createPresenter(presenters);

  return (source) =>
    new Observable((subscriber) => {
      // Those of one id are always of one kind: the other kind would have met them.
      const byId = new Map<string, Waiting<T>[]>();
      const inOrder = new Set<Waiting<T>>();

      function forget(waiting: Waiting<T>): void {
        waiting.callOff();
        inOrder.delete(waiting);
        const others = (byId.get(waiting.id) ?? []).filter((other) => other !== waiting);
        if (others.length > 0) byId.set(waiting.id, others);
        else byId.delete(waiting.id);
      }

      function letPass(waiting: Waiting<T>): void {
        forget(waiting);
        subscriber.next(waiting.half);
      }

      function hold(half: T & Half, id: string, ms: number): void {
        const waiting: Waiting<T> = { half, id, at: ports.now(), callOff: () => {} };
        byId.set(id, [...(byId.get(id) ?? []), waiting]);
        inOrder.add(waiting);
        waiting.callOff = ports.delay(() => letPass(waiting), ms);
        for (const oldest of inOrder) {
          if (inOrder.size <= limit) break;
          letPass(oldest);
        }
      }

      /** The other half of a message that has just come, if it is here. */
      function take<Other extends Half>(id: string, is: (half: Half) => half is Other): Arrived<Other> | undefined {
        const [waiting] = byId.get(id) ?? [];
        if (waiting === undefined || !is(waiting.half)) return undefined;
        forget(waiting);
        return { half: waiting.half, at: waiting.at };
      }

      const subscription = source.subscribe({
        next(message) {
          const at = ports.now();
          if (isToolUse(message)) {
            const result = take(message.id, isToolResult);
            if (result)
              subscriber.next(toExecution(message, result.half, timeOf({ half: message, at }, result), present));
            else hold(message, message.id, expiresAfter);
          } else if (isToolResult(message)) {
            const use = take(message.toolUseId, isToolUse);
            const whole = toUse(message);
            if (use) subscriber.next(toExecution(use.half, message, timeOf(use, { half: message, at }), present));
            else if (whole) subscriber.next(toExecution(whole, message, { timestamp: toTime(message, at) }, present));
            else hold(message, message.toolUseId, resultExpiresAfter);
          } else subscriber.next(message);
        },
        error(error: unknown) {
          for (const waiting of inOrder) letPass(waiting);
          subscriber.error(error);
        },
        complete() {
          for (const waiting of inOrder) letPass(waiting);
          subscriber.complete();
        },
      });
      return () => {
        subscription.unsubscribe();
        for (const { callOff } of inOrder) callOff();
      };
    });
}

/** Some results tell the whole story. */
function toUse({ toolUseId: id, name, input }: ToolResult): ToolUse | undefined {
  return name === undefined || input === undefined ? undefined : { type: 'tool_use', id, name, input };
}

type Time = Pick<ToolExecution, 'timestamp' | 'durationMs'>;

/** By the agent's clock where it told both times, by ours where it did not. */
function timeOf(use: Arrived<ToolUse>, result: Arrived<ToolResult>): Time {
  const isTimed = use.half.timestamp !== undefined && result.half.timestamp !== undefined;
  const timestamp = toTime(use.half, use.at);
  const durationMs = isTimed ? toTime(result.half, NaN) - toTime(use.half, NaN) : result.at - use.at;
  // Less than nothing: the clocks disagree, or the result came first. Nobody knows.
  return { timestamp, ...(durationMs >= 0 && { durationMs }) };
}

function toTime({ timestamp }: Half, unknown: number): number {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp;
  return time !== undefined && Number.isFinite(time) ? time : unknown;
}

function toExecution(use: ToolUse, result: ToolResult, time: Time, present: Presenter): ToolExecution {
  const { id, name, input, parentToolUseId } = use;
  const { output, isError = false, data } = result;
  return {
    type: 'tool_execution',
    toolName: name,
    toolUseId: id,
    input,
    output,
    isError,
    ...time,
    ...present(name, isJsonObject(input) ? input : {}, data ?? output, isError),
    ...(parentToolUseId !== undefined && { parentToolUseId }),
  };
}

/** Whether it is one whole call; for messages of any kind. */
export function isToolExecution(message: unknown): message is ToolExecution {
  return isJsonObject(message) && message.type === 'tool_execution';
}

function isToolUse(message: unknown): message is ToolUse {
  return isJsonObject(message) && message.type === 'tool_use' && isId(message.id) && typeof message.name === 'string';
}

function isToolResult(message: unknown): message is ToolResult {
  return (
    isJsonObject(message) && message.type === 'tool_result' && isId(message.toolUseId) && message.output !== undefined
  );
}

/** Without an id nothing can be paired: such a message passes. */
const isId = (value: unknown): boolean => typeof value === 'string' && value !== '';

import { named } from '../core/model/shapes/named.ts';
import { identity, Observable, type OperatorFunction } from 'rxjs';
import { isJsonObject, type Json } from '../core/json.ts';
import type { Part, ToolDetails } from '../core/model/message.ts';
import { browserPorts, type Ports } from '../core/ports.ts';
import type { Present, Presenter } from '../core/tools/tool-types.ts';
import type { ToolResult, ToolUse } from '../history/tool-messages.ts';
import { createPresenter } from './present/presenter.ts';

/** A complete tool call of another agent (seed 002 §5.1); corresponds to `ToolPart` for the agent's own calls. */
export interface ToolExecution {
  readonly type: 'tool_execution';
  readonly toolName: string;
  readonly toolUseId: string;
  readonly input: Json;
  readonly output: Json | readonly Part[];
  readonly isError: boolean;
  /** ms; absent if unknown. */
  readonly durationMs?: number;
  /** One line of text for the user interface. */
  readonly summary: string;
  readonly details?: ToolDetails;
  /** Start of the call, ms since the epoch. */
  readonly timestamp: number;
  readonly parentToolUseId?: string;
}

/** Options of `mergeToolMessages`. */
export interface MergeOptions {
  /** `false`: all messages are emitted unchanged. Default: `true`. */
  readonly enabled?: boolean;
  /** ms that a use waits for its result; then the use is emitted unchanged. Default: 10 minutes. */
  readonly expiresAfter?: number;
  /** ms that a result waits for a late use; then the result is emitted unchanged. Default: 1 s. */
  readonly resultExpiresAfter?: number;
  /** Maximum number of waiting messages; above the limit the oldest are emitted unchanged. Default: 1,000. */
  readonly limit?: number;
  /** Functions that make summary and details, by tool name; see `createPresenter`. */
  readonly presenters?: Readonly<Record<string, Present>>;
  readonly ports?: Pick<Ports, 'now' | 'delay'>;
}

type Half = ToolUse | ToolResult;

interface Arrived<H extends Half> {
  readonly half: H;
  /** ms since the epoch */
  readonly at: number;
}

/** A message that waits for its counterpart. */
interface Waiting<T> extends Arrived<T & Half> {
  readonly id: string;
  cancelExpiry: () => void;
}

/**
 * Merges each pair of `tool_use` and `tool_result` in a stream of another agent's messages into one `tool_execution`,
 * emitted when the second of the two arrives, in either order (seed 002). Messages with the same id are paired in order of
 * arrival. A message without a counterpart is emitted unchanged when it expires, when more than `limit` messages wait, or
 * when the stream ends. Every other message is emitted at once.
 *
 *     lines$.pipe(concatMap(readClaudeCode), mergeToolMessages())
 */
export function mergeToolMessages<T>(options: MergeOptions = {}): OperatorFunction<T, T | ToolExecution> {
  named(
    options,
    { enabled: true, expiresAfter: true, resultExpiresAfter: true, limit: true, presenters: true, ports: true },
    'mergeToolMessages',
  );
  const { enabled = true, expiresAfter = 600_000, limit = 1_000, ports = browserPorts } = options;
  const { resultExpiresAfter = Math.min(1_000, expiresAfter), presenters } = options;
  if (!enabled) return identity;
  const present = createPresenter(presenters);

  return (source) =>
    new Observable((subscriber) => {
      // Invariant: all waiting messages with one id are of one kind; a message of the other kind pairs with the first.
      const byId = new Map<string, Waiting<T>[]>();
      const inOrder = new Set<Waiting<T>>();

      function remove(waiting: Waiting<T>): void {
        waiting.cancelExpiry();
        inOrder.delete(waiting);
        const others = (byId.get(waiting.id) ?? []).filter((other) => other !== waiting);
        if (others.length > 0) byId.set(waiting.id, others);
        else byId.delete(waiting.id);
      }

      function emitUnchanged(waiting: Waiting<T>): void {
        remove(waiting);
        subscriber.next(waiting.half);
      }

      function enqueue(half: T & Half, id: string, ms: number): void {
        const waiting: Waiting<T> = { half, id, at: ports.now(), cancelExpiry: () => {} };
        byId.set(id, [...(byId.get(id) ?? []), waiting]);
        inOrder.add(waiting);
        waiting.cancelExpiry = ports.delay(() => emitUnchanged(waiting), ms);
        for (const oldest of inOrder) {
          if (inOrder.size <= limit) break;
          emitUnchanged(oldest);
        }
      }

      /** Removes and returns the counterpart of a message that has just arrived, if the counterpart waits. */
      function take<Other extends Half>(id: string, is: (half: Half) => half is Other): Arrived<Other> | undefined {
        const [waiting] = byId.get(id) ?? [];
        if (waiting === undefined || !is(waiting.half)) return undefined;
        remove(waiting);
        return { half: waiting.half, at: waiting.at };
      }

      const subscription = source.subscribe({
        next(message) {
          const at = ports.now();
          if (isToolUse(message)) {
            const result = take(message.id, isToolResult);
            if (result)
              subscriber.next(toExecution(message, result.half, timeOf({ half: message, at }, result), present));
            else enqueue(message, message.id, expiresAfter);
          } else if (isToolResult(message)) {
            const use = take(message.toolUseId, isToolUse);
            const ownUse = toUse(message);
            if (use) subscriber.next(toExecution(use.half, message, timeOf(use, { half: message, at }), present));
            else if (ownUse) subscriber.next(toExecution(ownUse, message, { timestamp: toTime(message, at) }, present));
            else enqueue(message, message.toolUseId, resultExpiresAfter);
          } else subscriber.next(message);
        },
        error(error: unknown) {
          for (const waiting of inOrder) emitUnchanged(waiting);
          subscriber.error(error);
        },
        complete() {
          for (const waiting of inOrder) emitUnchanged(waiting);
          subscriber.complete();
        },
      });
      return () => {
        subscription.unsubscribe();
        for (const { cancelExpiry } of inOrder) cancelExpiry();
      };
    });
}

/** Returns the use that a complete result describes. */
function toUse({ toolUseId: id, name, input }: ToolResult): ToolUse | undefined {
  return name === undefined || input === undefined ? undefined : { type: 'tool_use', id, name, input };
}

type Time = Pick<ToolExecution, 'timestamp' | 'durationMs'>;

/** Uses the agent's clock if both messages have a timestamp, else the times of arrival. */
function timeOf(use: Arrived<ToolUse>, result: Arrived<ToolResult>): Time {
  const isTimed = use.half.timestamp !== undefined && result.half.timestamp !== undefined;
  const timestamp = toTime(use.half, use.at);
  const durationMs = isTimed ? toTime(result.half, NaN) - toTime(use.half, NaN) : result.at - use.at;
  // A negative duration is unknown: the clocks disagree, or the result arrived first.
  return { timestamp, ...(durationMs >= 0 && { durationMs }) };
}

function toTime({ timestamp }: Half, fallback: number): number {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp;
  return time !== undefined && Number.isFinite(time) ? time : fallback;
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

/** Whether a message of any kind is a `ToolExecution`. */
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

/** A message without an id cannot be paired and is emitted unchanged. */
const isId = (value: unknown): boolean => typeof value === 'string' && value !== '';

import { named, type OptionNames } from '../core/model/shapes/named.ts';
import { Observable } from 'rxjs';
import { AgentError, type AgentErrorCode, type AgentErrorOptions, toAgentError } from '../core/error.ts';
import type { JsonObject } from '../core/json.ts';
import type { FinishReason, Usage } from '../core/model/message.ts';
import { browserPorts, type Ports } from '../core/ports.ts';
import type { LLMChunk, LLMClient, LLMRequest } from '../core/model/llm.ts';

/** How a text or the input of a call is streamed. */
export interface StreamOptions {
  /** Characters per piece, at most. Default: words for text, 12 characters for the input of a call. */
  readonly size?: number;
  /** ms between two pieces. Default 0. */
  readonly ms?: number;
}

const paceNames: OptionNames<StreamOptions> = { size: true, ms: true };

/** One step of a script, returned by the functions of `reply`. */
export type ScriptStep =
  | { readonly do: 'say'; readonly type: 'text' | 'reasoning'; readonly text: string; readonly pace: StreamOptions }
  | {
      readonly do: 'call';
      readonly name: string;
      readonly inputText: string;
      readonly id?: string;
      readonly pace: StreamOptions;
    }
  | { readonly do: 'send'; readonly chunk: LLMChunk }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'until'; readonly opened: PromiseLike<unknown> }
  | { readonly do: 'fail'; readonly error: AgentError };

/** The response to one request. The client adds a `finish` chunk where the script has none. */
export type Script = readonly ScriptStep[];

/** Creates the steps of a script. */
export const reply = {
  /** Streams text. */
  text: (text: string, pace: StreamOptions = {}): ScriptStep => ({
    do: 'say',
    type: 'text',
    text,
    pace: named(pace, paceNames, 'reply.text'),
  }),
  /** Streams reasoning. */
  reasoning: (text: string, pace: StreamOptions = {}): ScriptStep => ({
    do: 'say',
    type: 'reasoning',
    text,
    pace: named(pace, paceNames, 'reply.reasoning'),
  }),
  /** Streams a tool call. `input` as a string is sent unchanged, so that it may be invalid JSON. */
  call: (
    name: string,
    input: JsonObject | string = {},
    options: StreamOptions & { readonly id?: string } = {},
  ): ScriptStep => ({
    do: 'call',
    name,
    inputText: typeof input === 'string' ? input : JSON.stringify(input),
    pace: named(options, { ...paceNames, id: true }, 'reply.call'),
    ...(options.id !== undefined && { id: options.id }),
  }),
  /** Sends token counts. */
  usage: (input: number, output: number, more: Omit<Usage, 'input' | 'output'> = {}): ScriptStep => ({
    do: 'send',
    chunk: { type: 'usage', usage: { input, output, ...more } },
  }),
  /** Sends the reason why the response ended. */
  finish: (reason: FinishReason): ScriptStep => ({ do: 'send', chunk: { type: 'finish', reason } }),
  /** Sends any chunk unchanged. */
  chunk: (chunk: LLMChunk): ScriptStep => ({ do: 'send', chunk }),
  /** Waits some ms. */
  wait: (ms: number): ScriptStep => ({ do: 'wait', ms }),
  /** Continues when the promise resolves, and fails when it rejects. */
  until: (opened: PromiseLike<unknown>): ScriptStep => ({ do: 'until', opened }),
  /** Ends the response with an `AgentError`. */
  fail: (
    code: AgentErrorCode,
    message = `The script fails with ${code}.`,
    options: Omit<AgentErrorOptions, 'code'> = {},
  ): ScriptStep => ({
    do: 'fail',
    error: new AgentError(message, { ...options, code }),
  }),
  /** Ends the response as a connection that closes before the end mark: `STREAM_INTERRUPTED`. */
  cut: (): ScriptStep => reply.fail('STREAM_INTERRUPTED', 'The stream ended before the response was complete.'),
} as const;

/** Options of `createScriptedClient`. */
export interface ScriptedClientOptions {
  /** Replaces timers in tests: see `Ports.delay`. */
  readonly delay?: Ports['delay'];
}

/** A client that plays scripts and records its requests. */
export interface ScriptedClient extends LLMClient {
  /** Every request received, the oldest first. */
  readonly requests: readonly LLMRequest[];
  /** Number of responses that are being played. */
  readonly open: number;
  /** Number of responses that were unsubscribed from before their end. */
  readonly aborted: number;
}

/**
 * Creates a client that plays scripts: for tests, demos and work without a key. Nothing is emitted while `subscribe` runs.
 *
 * @param script one script, which answers every request; a list of scripts, one per request, the last of which answers all
 *   later requests; or a function of the request and its index, counted from 0
 * @example
 * createScriptedClient([[reply.call('add', { a: 1, b: 2 })], [reply.text('That makes 3.')]]);
 */
export function createScriptedClient(
  script: Script | readonly Script[] | ((request: LLMRequest, index: number) => Script),
  options: ScriptedClientOptions = {},
): ScriptedClient {
  const { delay = browserPorts.delay } = named(options, { delay: true }, 'createScriptedClient');
  const requests: LLMRequest[] = [];
  let open = 0;
  let aborted = 0;

  function scriptFor(request: LLMRequest, index: number): Script {
    if (typeof script === 'function') return script(request, index);
    return isList(script) ? (script[Math.min(index, script.length - 1)] ?? []) : script;
  }

  return {
    requests,
    get open() {
      return open;
    },
    get aborted() {
      return aborted;
    },
    sendRequest: (request) =>
      new Observable((subscriber) => {
        const index = requests.push(request) - 1;
        open += 1;
        let ended = false;
        let stopWaiting = (): void => {};

        const pause = (ms: number): Promise<void> =>
          new Promise((resolve) => {
            stopWaiting = delay(resolve, ms);
          });

        async function play(): Promise<void> {
          await Promise.resolve();
          let calls = 0;
          let finished = false;
          const send = async (chunks: Iterable<LLMChunk>, ms = 0): Promise<void> => {
            for (const chunk of chunks) {
              if (subscriber.closed) return;
              if (ms > 0) await pause(ms);
              subscriber.next(chunk);
              if (chunk.type === 'call-end') calls += 1;
              if (chunk.type === 'finish') finished = true;
            }
          };
          for (const step of scriptFor(request, index)) {
            if (subscriber.closed) return;
            switch (step.do) {
              case 'say':
                await send(textChunks(step), step.pace.ms);
                break;
              case 'call':
                await send(callChunks(step, calls), step.pace.ms);
                break;
              case 'send':
                await send([step.chunk]);
                break;
              case 'wait':
                await pause(step.ms);
                break;
              case 'until':
                await step.opened;
                break;
              case 'fail':
                throw step.error;
            }
          }
          if (!finished) await send([{ type: 'finish', reason: calls > 0 ? 'tool-calls' : 'stop' }]);
        }

        play().then(
          () => ((ended = true), subscriber.complete()),
          (thrown: unknown) => ((ended = true), subscriber.error(toAgentError(thrown))),
        );
        return () => {
          stopWaiting();
          open -= 1;
          if (!ended) aborted += 1;
        };
      }),
  };
}

function isList(script: Script | readonly Script[]): script is readonly Script[] {
  return Array.isArray(script[0]);
}

function* textChunks(step: Extract<ScriptStep, { do: 'say' }>): Generator<LLMChunk> {
  for (const text of pieces(step.text, step.pace.size)) yield { type: step.type, text };
}

function* callChunks(step: Extract<ScriptStep, { do: 'call' }>, index: number): Generator<LLMChunk> {
  const { name, inputText, id } = step;
  yield { type: 'call', index, name, text: '' };
  for (const text of pieces(inputText, step.pace.size ?? 12)) yield { type: 'call', index, text };
  yield { type: 'call-end', index, name, inputText, ...(id !== undefined && { id }) };
}

/** Splits a text into words with the space around them, or into pieces of a size. Invariant: joined, the pieces are the text. */
function pieces(text: string, size: number | undefined): readonly string[] {
  if (size === undefined) return text.match(/\s*\S+\s*/g) ?? (text === '' ? [] : [text]);
  const cut: string[] = [];
  for (let at = 0; at < text.length; at += size) cut.push(text.slice(at, at + size));
  return cut;
}

import type { ChatCompletionChunk } from '@mlc-ai/web-llm';

/** What an engine proxy of `@mlc-ai/web-llm` sends to its worker. */
interface Task {
  readonly kind: string;
  readonly uuid: string;
  readonly content: { readonly streamId?: string; readonly request?: { readonly messages: readonly object[] } } | null;
}

/** One answer: pieces of text, each when the test lets it, or all at once. */
export type EngineAnswer = readonly string[];

/**
 * A worker with an engine of web-llm in it that plays answers, in the place of one with WebGPU. It speaks the messages of
 * `WebWorkerMLCEngineHandler` (@mlc-ai/web-llm 0.2.86, src/web_worker.ts): `reload` with `initProgressCallback`,
 * `chatCompletionStreamInit`, `completionStreamNextChunk`, `completionStreamReturn`, `interruptGenerate`. After an interruption
 * the stream ends with the reason `abort`, as that of the engine (src/engine.ts).
 */
export class FakeEngineWorker extends EventTarget {
  onmessage: ((event: MessageEvent) => void) | null = null;
  /** What arrived, in order. */
  readonly kinds: string[] = [];
  /** The conversations that the engine was asked to continue. */
  readonly requests: (readonly object[])[] = [];
  readonly #answers: EngineAnswer[];
  readonly #streams = new Map<string, string[]>();
  readonly #waiting: Task[] = [];
  #interrupted = false;
  #load: () => void = () => {};

  readonly #loads: boolean;
  #heldAfter: number;

  /**
   * @param answers first one first
   * @param options `loads`: whether loading ends at once, or with `load()`; `heldAfter`: how many pieces arrive; the next ones wait
   */
  constructor(answers: readonly EngineAnswer[], { loads = true, heldAfter = Infinity } = {}) {
    super();
    this.#answers = [...answers];
    this.#loads = loads;
    this.#heldAfter = heldAfter;
  }

  /** Ends the loading of the model. */
  load(): void {
    this.#load();
  }

  postMessage(message: unknown): void {
    const task = structuredClone(message) as Task;
    this.kinds.push(task.kind);
    queueMicrotask(() => this.#do(task));
  }

  #send(kind: string, uuid: string, content: unknown): void {
    this.onmessage?.(new MessageEvent('message', { data: { kind, uuid, content } }));
  }

  #return({ uuid }: Task, content?: unknown): void {
    this.#send('return', uuid, content);
  }

  #do(task: Task): void {
    switch (task.kind) {
      case 'reload':
        this.#send('initProgressCallback', '', { progress: 0.25, timeElapsed: 1, text: 'Fetching param cache' });
        this.#load = () => {
          this.#send('initProgressCallback', '', { progress: 1, timeElapsed: 2, text: 'Finish loading' });
          this.#return(task);
        };
        if (this.#loads) this.#load();
        break;
      case 'chatCompletionStreamInit':
        this.#interrupted = false;
        this.requests.push(task.content?.request?.messages ?? []);
        this.#streams.set(task.content?.streamId ?? '', [...(this.#answers.shift() ?? [])]);
        this.#return(task);
        break;
      case 'completionStreamNextChunk':
        if (this.#heldAfter === 0 && !this.#interrupted) this.#waiting.push(task);
        else this.#return(task, this.#next(task.content?.streamId ?? ''));
        break;
      case 'completionStreamReturn':
        this.#streams.delete(task.content?.streamId ?? '');
        this.#return(task);
        break;
      case 'interruptGenerate':
        this.#interrupted = true;
        this.#return(task);
        for (const held of this.#waiting.splice(0)) this.#return(held, this.#next(held.content?.streamId ?? ''));
        break;
      default:
        this.#return(task);
    }
  }

  #next(streamId: string): ChatCompletionChunk | undefined {
    const pieces = this.#streams.get(streamId);
    if (pieces === undefined) return undefined;
    const piece = this.#interrupted ? undefined : pieces.shift();
    this.#heldAfter -= 1;
    if (piece === undefined) this.#streams.delete(streamId);
    return {
      id: streamId,
      object: 'chat.completion.chunk',
      created: 0,
      model: 'm',
      choices: [
        {
          index: 0,
          delta: piece === undefined ? {} : { role: 'assistant', content: piece },
          finish_reason: piece === undefined ? (this.#interrupted ? 'abort' : 'stop') : null,
        },
      ],
      ...(piece === undefined && {
        usage: {
          prompt_tokens: 12,
          completion_tokens: 4,
          total_tokens: 16,
          extra: {
            e2e_latency_s: 1,
            prefill_tokens_per_s: 1,
            decode_tokens_per_s: 1,
            time_to_first_token_s: 1,
            time_per_output_token_s: 1,
          },
        },
      }),
    };
  }
}

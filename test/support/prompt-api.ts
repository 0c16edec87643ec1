import type {
  LanguageModelOptions,
  LanguageModelSession,
  PromptApi,
  PromptContent,
  PromptMessage,
  ToolClass,
} from '../../src/llm/wires/built-in/prompt-api.ts';

/** The state of the fake browser and the answers of its model. Every field may be changed during a test. */
export interface FakePromptApi extends PromptApi {
  state: 'unavailable' | 'downloadable' | 'downloading' | 'available';
  /** Whether there is a recent click (user activation). */
  clicked: boolean;
  /** Types of input and output that the model supports. */
  types: string[];
  languages: string[];
  /** One unit a character. */
  contextWindow: number;
  /** The steps of a download: after the last one the model is available; an error is thrown. */
  progress: number[];
  downloadError?: Error;
  /** Pieces of the answer; a promise is awaited, an error is thrown. */
  pieces: (string | object | Promise<unknown> | Error)[];
  readonly created: LanguageModelOptions[];
  readonly asked: { input: readonly PromptMessage[]; responseConstraint?: object }[];
  /** Sessions that were not destroyed. */
  open: number;
}

/** The browser's class of a call or a result: its fields are getters, like those of WebIDL. */
function createToolClass(): ToolClass {
  return class {
    readonly #init: Record<string, unknown>;
    constructor(init: object) {
      this.#init = { ...init };
    }
    get callId(): unknown {
      return this.#init.callId;
    }
    get name(): unknown {
      return this.#init.name;
    }
    get arguments(): unknown {
      return this.#init.arguments;
    }
    get result(): unknown {
      return this.#init.result;
    }
    get errorMessage(): unknown {
      return this.#init.errorMessage;
    }
  };
}

/**
 * Creates the Prompt API of a browser, by its specification (webmachinelearning.github.io/prompt-api): its checks, its exceptions, the
 * progress of a download, aborts. Only the answers of the model are scripted.
 */
export function createPromptApi({ tools = false } = {}): FakePromptApi {
  const Call = createToolClass();
  const Success = createToolClass();
  const Failure = createToolClass();

  function supports({ expectedInputs = [], expectedOutputs = [] }: LanguageModelOptions): boolean {
    const all = [...expectedInputs, ...expectedOutputs];
    // An enum value that the browser does not know is a TypeError of WebIDL.
    if (!tools && all.some(({ type }) => type.startsWith('tool-'))) throw new TypeError('no such enum value');
    return all.every(
      ({ type, languages = [] }) => api.types.includes(type) && languages.every((tag) => api.languages.includes(tag)),
    );
  }

  function check(messages: readonly PromptMessage[], expected: ReadonlySet<string>, isFirst: boolean): void {
    for (const [index, { role, content }] of messages.entries()) {
      if (role === 'system' && !(isFirst && index === 0)) throw new TypeError('system is not first');
      for (const { type, value } of content) checkContent(role, type, value, expected);
    }
  }

  function checkContent(role: string, type: string, value: unknown, expected: ReadonlySet<string>): void {
    const isOf = (...classes: ToolClass[]): boolean => classes.some((one) => value instanceof one);
    if (type !== 'text' && !expected.has(type)) throw new DOMException(`${type} not expected`, 'NotSupportedError');
    if (role === 'assistant' && type !== 'text' && type !== 'tool-call')
      throw new DOMException('assistant with media', 'NotSupportedError');
    const fits = {
      text: typeof value === 'string',
      image: value instanceof Blob,
      audio: value instanceof Blob,
      'tool-call': role === 'assistant' && isOf(Call),
      'tool-response': role === 'user' && isOf(Success, Failure),
    }[type];
    if (!fits) throw new TypeError(`wrong value for ${type}`);
  }

  const measure = (messages: readonly PromptMessage[]): number =>
    messages
      .flatMap(({ content }) => content)
      .reduce((sum, { value }: PromptContent) => sum + (typeof value === 'string' ? value.length : 10), 0);

  async function create(options: LanguageModelOptions = {}): Promise<LanguageModelSession> {
    const { expectedInputs = [], initialPrompts = [], monitor, signal } = options;
    signal?.throwIfAborted();
    const expected = new Set<string>(expectedInputs.map(({ type }) => type));
    check(initialPrompts, expected, true);
    if (api.state === 'unavailable' || !supports(options)) throw new DOMException('unable', 'NotSupportedError');
    if (api.state === 'downloadable' && !api.clicked) throw new DOMException('no activation', 'NotAllowedError');
    api.created.push(options);
    const events = new EventTarget();
    monitor?.(events);
    for (const loaded of api.state === 'available' ? [0, 1] : api.progress) {
      await Promise.resolve();
      signal?.throwIfAborted();
      events.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded, total: 1 }));
    }
    if (api.downloadError !== undefined) throw api.downloadError;
    api.state = 'available';
    const quota = (more: number): void => {
      if (usage + more > api.contextWindow) throw new DOMException('too long', 'QuotaExceededError');
    };
    let usage = 0;
    quota(measure(initialPrompts));
    usage += measure(initialPrompts);

    const destroyed = new AbortController();
    const destroy = (): void => {
      if (destroyed.signal.aborted) return;
      api.open -= 1;
      destroyed.abort(new DOMException('destroyed', 'AbortError'));
    };
    api.open += 1;
    signal?.addEventListener('abort', destroy);

    return {
      get contextUsage() {
        return usage;
      },
      measureContextUsage: (input) => Promise.resolve(measure(input)),
      destroy,
      promptStreaming(input, { signal: stop, responseConstraint }) {
        api.asked.push({ input, ...(responseConstraint && { responseConstraint }) });
        const rest = [...api.pieces];
        return new ReadableStream<unknown>({
          start(controller) {
            const give = (reason: unknown) => (): void => controller.error(reason);
            stop.addEventListener('abort', give(new DOMException('stopped', 'AbortError')));
            destroyed.signal.addEventListener('abort', give(new DOMException('destroyed', 'AbortError')));
            check(input, expected, initialPrompts.length === 0);
            quota(measure(input));
            usage += measure(input);
          },
          async pull(controller) {
            const piece = rest.shift();
            if (piece === undefined) return controller.close();
            if (piece instanceof Error) throw piece;
            const value = await piece;
            if (value === undefined) return;
            usage += typeof value === 'string' ? value.length : 10;
            controller.enqueue(value);
          },
        });
      },
    };
  }

  // `LanguageModel` is a class: its static methods are properties of a function.
  const LanguageModel = Object.assign(function LanguageModel() {}, {
    availability: (options: LanguageModelOptions = {}) =>
      new Promise<string>((resolve) => resolve(supports(options) ? api.state : 'unavailable')),
    create,
  });
  const api: FakePromptApi = {
    LanguageModel,
    ...(tools && { LanguageModelToolCall: Call, LanguageModelToolSuccess: Success, LanguageModelToolError: Failure }),
    state: 'available',
    clicked: false,
    types: ['text', ...(tools ? ['tool-call', 'tool-response'] : [])],
    languages: ['en', 'ja'],
    contextWindow: 10_000,
    progress: [0, 0.5, 1],
    pieces: ['Hel', 'lo.'],
    created: [],
    asked: [],
    open: 0,
  };
  return api;
}

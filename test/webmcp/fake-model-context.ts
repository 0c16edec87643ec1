interface Registered {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: unknown;
  readonly annotations?: object;
  readonly execute: (input: unknown, client: { readonly signal: AbortSignal }) => Promise<unknown>;
}

/** The window of a frame, which the fake knows as another one than the page's. */
export interface Offer extends Registered {
  readonly origin?: string;
  readonly window?: unknown;
}

/** `document.modelContext` as Chromium 156 has it: it checks no input, returns text, and loses the messages of errors. */
export class FakeModelContext extends EventTarget {
  readonly #tools = new Map<string, Offer>();

  async registerTool(tool: Registered, { signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    if (this.#tools.has(tool.name)) throw new DOMException('Duplicate tool name', 'InvalidStateError');
    this.offer({ ...tool, window: globalThis.window });
    signal?.addEventListener('abort', () => this.withdraw(tool.name));
  }

  /** Adds a tool, of a frame for example. */
  offer(tool: Offer): void {
    this.#tools.set(tool.name, tool);
    this.dispatchEvent(new Event('toolchange'));
  }

  withdraw(name: string): void {
    this.#tools.delete(name);
    this.dispatchEvent(new Event('toolchange'));
  }

  async getTools({ fromOrigins = [] }: { readonly fromOrigins?: readonly string[] } = {}): Promise<readonly object[]> {
    return [...this.#tools.values()]
      .map(({ execute: _execute, origin = 'https://page.example', ...tool }) => ({ title: '', ...tool, origin }))
      .filter(({ origin }) => origin === 'https://page.example' || fromOrigins.includes(origin));
  }

  async executeTool(
    { name }: { readonly name: string },
    input: object,
    { signal = new AbortController().signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<string | null> {
    const tool = this.#tools.get(name);
    try {
      const result = await tool?.execute(JSON.parse(JSON.stringify(input)), { signal });
      return typeof result === 'string' ? result : JSON.stringify(result ?? null);
    } catch {
      throw new DOMException('Tool was executed but the invocation failed.', 'UnknownError');
    }
  }
}

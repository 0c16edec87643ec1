import { AgentError, type ErrorInfo, fail, fromErrorInfo, toAgentError, toErrorInfo } from '../core/error.ts';

/** What both ends of a connection use of a port: a `MessagePort`, a `Worker`, or the scope of a dedicated worker. */
export interface Port {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  removeEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  start?(): void;
  close?(): void;
}

/** What a verb is given beside its argument. */
interface AskContext {
  /** Aborts when the other end withdraws the question; in a page also when the worker is gone. */
  readonly signal: AbortSignal;
  /** Sends a value to the other end before the answer. */
  readonly note: (value: unknown) => void;
}

/** The verbs of one end. Each takes one argument that can be cloned, and so can what it resolves with. */
export type Verb<Argument, Answer> = (argument: Argument, context: AskContext) => Answer | Promise<Answer>;

type VerbsOf<Verbs> = { readonly [Name in keyof Verbs]: Verb<never, unknown> };
type ArgumentOf<AnyVerb> = AnyVerb extends Verb<infer Argument, infer _Answer> ? Argument : never;
type AnswerOf<AnyVerb> = AnyVerb extends Verb<infer _Argument, infer Answer> ? Answer : never;

interface AskOptions {
  /** Withdraws the question: the verb of the other end is aborted. */
  readonly signal?: AbortSignal | undefined;
  readonly onNote?: (value: unknown) => void;
}

/** One end of a connection, which can use the verbs of the other end. */
export interface Channel<Theirs extends VerbsOf<Theirs>> {
  /** Resolves with the answer. Rejects with the `AgentError` of the other end, and with `reason` of `close` when the connection has ended. */
  ask<Name extends keyof Theirs & string>(
    verb: Name,
    argument: ArgumentOf<Theirs[Name]>,
    options?: AskOptions,
  ): Promise<AnswerOf<Theirs[Name]>>;
  /** As `ask`, without an answer. */
  tell<Name extends keyof Theirs & string>(verb: Name, argument: ArgumentOf<Theirs[Name]>): void;
  readonly isClosed: () => boolean;
  /** Ends this end: what was asked rejects with `reason`. */
  close(reason: AgentError): void;
}

type Frame =
  | { readonly is: 'ask' | 'tell'; readonly id: number; readonly verb: string; readonly argument: unknown }
  | { readonly is: 'answer' | 'note'; readonly id: number; readonly value: unknown }
  | { readonly is: 'failure'; readonly id: number; readonly error: ErrorInfo }
  | { readonly is: 'abort'; readonly id: number };

interface Pending {
  /** Takes what the other end has answered: its type is that of the verb, which both ends know by the number of the protocol. */
  readonly settle: (event: MessageEvent) => void;
  readonly note: (value: unknown) => void;
  readonly fail: (error: AgentError) => void;
}

/**
 * @param ours the verbs that the other end may use
 * @param isLasting whether what the other end has asked continues after the connection has ended, as the runs of a worker do
 */
export function createChannel<Theirs extends VerbsOf<Theirs>>(
  port: Port,
  ours: object,
  isLasting = false,
): Channel<Theirs> {
  const pending = new Map<number, Pending>();
  const serving = new Map<number, AbortController>();
  let asked = 0;
  let closed: AgentError | undefined;

  function post(frame: Frame): void {
    if (closed === undefined) port.postMessage(frame);
  }

  async function serve(id: number, verb: string, argument: unknown, isAsked: boolean): Promise<void> {
    const controller = new AbortController();
    serving.set(id, controller);
    try {
      const work: ((argument: unknown, context: AskContext) => unknown) | undefined = Object.hasOwn(ours, verb)
        ? Reflect.get(ours, verb)
        : undefined;
      if (work === undefined) fail('INVALID_INPUT', `The other side of the worker knows no verb ${verb}.`);
      const note = (value: unknown): void => post({ is: 'note', id, value });
      const value = await work(argument, { signal: controller.signal, note });
      if (isAsked) post({ is: 'answer', id, value });
    } catch (thrown) {
      if (isAsked) post({ is: 'failure', id, error: toErrorInfo(toAgentError(thrown)) });
    } finally {
      serving.delete(id);
    }
  }

  function receive(event: MessageEvent): void {
    // The one boundary: both ends are this package, and the worker refuses a page with another number of the protocol.
    const frame: Frame = event.data;
    switch (frame.is) {
      case 'ask':
      case 'tell':
        return void serve(frame.id, frame.verb, frame.argument, frame.is === 'ask');
      case 'answer':
        return pending.get(frame.id)?.settle(event);
      case 'note':
        return pending.get(frame.id)?.note(frame.value);
      case 'failure':
        return pending.get(frame.id)?.fail(fromErrorInfo(frame.error));
      case 'abort':
        return serving.get(frame.id)?.abort();
    }
  }

  port.addEventListener('message', receive);
  port.start?.();

  return {
    ask(verb, argument, { signal, onNote = () => {} } = {}) {
      const id = ++asked;
      const withdraw = (): void => post({ is: 'abort', id });
      return new Promise<AnswerOf<Theirs[typeof verb]>>((resolve, reject) => {
        if (closed) return reject(closed);
        pending.set(id, {
          settle: (event) => {
            const answer: { readonly value: AnswerOf<Theirs[typeof verb]> } = event.data;
            resolve(answer.value);
          },
          note: onNote,
          fail: reject,
        });
        post({ is: 'ask', id, verb, argument });
        if (signal?.aborted) withdraw();
        signal?.addEventListener('abort', withdraw);
      }).finally(() => {
        pending.delete(id);
        signal?.removeEventListener('abort', withdraw);
      });
    },
    tell: (verb, argument) => post({ is: 'tell', id: ++asked, verb, argument }),
    isClosed: () => closed !== undefined,
    close(reason) {
      if (closed) return;
      closed = reason;
      port.removeEventListener('message', receive);
      for (const one of pending.values()) one.fail(reason);
      if (!isLasting) for (const controller of serving.values()) controller.abort();
      port.close?.();
    },
  };
}

/** Why what was asked of a worker, or of a page, has no answer. */
export const gone = (what: string): AgentError => new AgentError(what, { code: 'STREAM_INTERRUPTED' });

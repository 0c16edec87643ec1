import type { LLMChunk, LLMClient, LLMRequest } from 'brooklet';
import { Observable, Subject } from 'rxjs';

/** One request, controlled by the test, which emits the chunks and observes whether the request is still subscribed. */
export interface Asked {
  readonly request: LLMRequest;
  readonly chunks: Subject<LLMChunk>;
  readonly aborted: boolean;
}

/** A client whose answers the test emits by hand, synchronously. */
export function createManualClient(): LLMClient & { readonly asked: readonly Asked[]; last(): Asked } {
  const asked: { request: LLMRequest; chunks: Subject<LLMChunk>; aborted: boolean }[] = [];
  return {
    asked,
    last() {
      const last = asked.at(-1);
      if (last === undefined) throw new Error('Nobody has asked yet.');
      return last;
    },
    sendRequest: (request) =>
      new Observable((subscriber) => {
        const one = { request, chunks: new Subject<LLMChunk>(), aborted: false };
        asked.push(one);
        let ended = false;
        one.chunks.subscribe({ error: () => (ended = true), complete: () => (ended = true) });
        subscriber.add(one.chunks.subscribe(subscriber));
        subscriber.add(() => (one.aborted = !ended));
      }),
  };
}

/** The chunks of a whole text answer. */
export function say(asked: Asked, ...pieces: readonly string[]): void {
  for (const text of pieces) asked.chunks.next({ type: 'text', text });
  asked.chunks.next({ type: 'finish', reason: 'stop' });
  asked.chunks.complete();
}

/** A whole answer that requests tools. */
export function call(asked: Asked, ...calls: readonly (readonly [name: string, inputText: string])[]): void {
  for (const [index, [name, inputText]] of calls.entries()) {
    asked.chunks.next({ type: 'call', index, name, text: inputText });
    asked.chunks.next({ type: 'call-end', index, name, inputText });
  }
  asked.chunks.next({ type: 'finish', reason: 'tool-calls' });
  asked.chunks.complete();
}

/** Waits until all pending promises have settled; timers do not run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 500; turn++) await Promise.resolve();
}

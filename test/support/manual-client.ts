import type { LLMChunk, LLMClient, LLMRequest } from 'brooklet';
import { Observable, Subject } from 'rxjs';

/** One request as a test sees it: it says what comes back, and sees whether anybody still listens. */
export interface Asked {
  readonly request: LLMRequest;
  readonly chunks: Subject<LLMChunk>;
  readonly aborted: boolean;
}

/** A client whose answers the test gives by hand, synchronously. */
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

/** The chunks of a whole answer in text. */
export function say(asked: Asked, ...pieces: readonly string[]): void {
  for (const text of pieces) asked.chunks.next({ type: 'text', text });
  asked.chunks.next({ type: 'finish', reason: 'stop' });
  asked.chunks.complete();
}

/** A whole answer that asks for tools. */
export function call(asked: Asked, ...calls: readonly (readonly [name: string, inputText: string])[]): void {
  for (const [index, [name, inputText]] of calls.entries()) {
    asked.chunks.next({ type: 'call', index, name, text: inputText });
    asked.chunks.next({ type: 'call-end', index, name, inputText });
  }
  asked.chunks.next({ type: 'finish', reason: 'tool-calls' });
  asked.chunks.complete();
}

/** Lets everything that is ready to happen happen: promises, not timers. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 500; turn++) await Promise.resolve();
}

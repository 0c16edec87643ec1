import { bytes, delta, frame } from './llm-answer.ts';

/** When the service becomes silent: before its answer, before the first content, after it; `stall` sends only keep-alives. */
export type Silence = 'connect' | 'first' | 'idle' | 'stall';

/** The beginning of an answer, "Hel", on each wire. */
export const beginnings = {
  chat: frame([delta({ content: 'Hel' })], { done: false }),
  responses: frame(
    [{ type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta: 'Hel' }],
    {
      done: false,
    },
  ),
  anthropic: frame(
    [
      { type: 'message_start', message: { model: 'm', usage: { input_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
    ],
    { done: false },
  ),
};

/** A service that becomes silent, and timers that fire only during the silence: no clock is read, no test sleeps. */
export function createSlowAnswer(silence: Silence, beginning: string) {
  const waiting = new Set<() => void>();
  let isSilent = false;

  /** Fires all timers, again and again, until the client times out. */
  function passTime(): void {
    if (!isSilent || waiting.size === 0) return;
    for (const fire of Array.from(waiting)) fire();
    setImmediate(passTime);
  }

  function becomeSilent(): void {
    isSilent = true;
    setImmediate(passTime);
  }

  const fetch: typeof globalThis.fetch = (_url, { signal } = {}) => {
    if (silence === 'connect') {
      becomeSilent();
      return new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
      );
    }
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        // A pull means that the client has read the previous bytes.
        pull(controller) {
          pulls += 1;
          if (pulls === 1 && silence === 'idle') return controller.enqueue(bytes(beginning));
          if (silence !== 'stall') return becomeSilent();
          for (const fire of Array.from(waiting)) fire();
          if (waiting.size > 0) controller.enqueue(bytes(': keep-alive\n\n'));
        },
      },
      { highWaterMark: 0 },
    );
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  };

  return {
    fetch,
    delay(callback: () => void): () => void {
      const fire = (): void => (waiting.delete(fire), callback());
      waiting.add(fire);
      return () => void waiting.delete(fire);
    },
    pending: () => waiting.size,
  };
}

import { Observable } from 'rxjs';
import { defined } from '../../core/json.ts';
import type { LLMChunk, LLMClient } from '../../core/model/llm.ts';

/**
 * Wraps a client whose model writes its thoughts as `<think>…</think>` into the text: they become reasoning. What may be half a tag is
 * held back until more comes; each character is looked at a bounded number of times.
 */
export function withThinkTags(client: LLMClient): LLMClient {
  return {
    ...defined({ origin: client.origin }),
    sendRequest: (request) =>
      new Observable((subscriber) => {
        let held = '';
        let type: 'text' | 'reasoning' = 'text';

        function give(text: string): void {
          if (text !== '') subscriber.next({ type, text });
        }
        function split(): void {
          for (;;) {
            const tag = type === 'text' ? '<think>' : '</think>';
            const at = held.indexOf(tag);
            if (at === -1) break;
            give(held.slice(0, at));
            held = held.slice(at + tag.length);
            type = type === 'text' ? 'reasoning' : 'text';
          }
          const tag = type === 'text' ? '<think>' : '</think>';
          let keep = Math.min(held.length, tag.length - 1);
          while (!tag.startsWith(held.slice(held.length - keep))) keep -= 1;
          give(held.slice(0, held.length - keep));
          held = held.slice(held.length - keep);
        }
        function flush(): void {
          give(held);
          held = '';
        }

        return client.sendRequest(request).subscribe({
          next(chunk: LLMChunk) {
            if (chunk.type === 'text') {
              held += chunk.text;
              split();
            } else {
              flush();
              subscriber.next(chunk);
            }
          },
          error(error) {
            flush();
            subscriber.error(error);
          },
          complete: () => subscriber.complete(),
        });
      }),
  };
}

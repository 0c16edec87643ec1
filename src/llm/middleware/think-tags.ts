import { Observable } from 'rxjs';
import { defined } from '../../core/json.ts';
import type { LLMChunk, LLMClient } from '../../core/model/llm.ts';

/**
 * Wraps a client whose model writes its reasoning as `<think>…</think>` into the text: that text becomes reasoning. A possible half tag is
 * buffered until more text arrives; each character is read a bounded number of times.
 */
export function withThinkTags(client: LLMClient): LLMClient {
  return {
    ...defined({ origin: client.origin }),
    sendRequest: (request) =>
      new Observable((subscriber) => {
        let buffer = '';
        let type: 'text' | 'reasoning' = 'text';

        function emit(text: string): void {
          if (text !== '') subscriber.next({ type, text });
        }
        function split(): void {
          for (;;) {
            const tag = type === 'text' ? '<think>' : '</think>';
            const at = buffer.indexOf(tag);
            if (at === -1) break;
            emit(buffer.slice(0, at));
            buffer = buffer.slice(at + tag.length);
            type = type === 'text' ? 'reasoning' : 'text';
          }
          const tag = type === 'text' ? '<think>' : '</think>';
          let keep = Math.min(buffer.length, tag.length - 1);
          while (!tag.startsWith(buffer.slice(buffer.length - keep))) keep -= 1;
          emit(buffer.slice(0, buffer.length - keep));
          buffer = buffer.slice(buffer.length - keep);
        }
        function flush(): void {
          emit(buffer);
          buffer = '';
        }

        return client.sendRequest(request).subscribe({
          next(chunk: LLMChunk) {
            if (chunk.type === 'text') {
              buffer += chunk.text;
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

import { named } from '../../core/model/shapes/named.ts';
import { Observable } from 'rxjs';
import { traitsOf } from '../../core/client-traits.ts';
import type { LLMChunk, LLMClient } from '../../core/model/llm.ts';
import { createTagSplitter } from './tag-splitter.ts';

/** Options of `withThinkTags`. */
export interface ThinkTagOptions {
  /**
   * Whether answers begin inside the reasoning, because the template of the model writes the opening tag into the prompt: the answer has
   * `</think>` only. `true`: the text up to that tag streams as reasoning. `false`: text streams as it arrives. Default: text before the first
   * tag is held back until a tag decides, or the answer ends; once an answer of a model has begun with its opening tag, the text of that
   * model streams as it arrives.
   */
  readonly startsInside?: boolean;
}

/**
 * Wraps a client whose model writes its reasoning as `<think>…</think>` into the text: that text becomes reasoning. Also `thinking`,
 * `thought`, `reasoning`, `[THINK]` and `◁think▷`. A tag in code or in quotes is text, and so is an opening tag later in the answer that
 * nothing closes.
 *
 *     withThinkTags(createProviderClient(llamacpp, { model: 'qwq' }))
 */
export function withThinkTags(client: LLMClient, options: ThinkTagOptions = {}): LLMClient {
  const { startsInside } = named(options, { startsInside: true }, 'withThinkTags');
  /** Models whose answers begin with the tag. */
  const openers = new Set<string>();
  return {
    ...traitsOf(client),
    sendRequest: (request) =>
      new Observable((subscriber) => {
        const model = request.model ?? '';
        const splitter = createTagSplitter({
          begins:
            startsInside === true ? 'inside' : startsInside === false || openers.has(model) ? 'outside' : 'unknown',
          emit: (type, text) => subscriber.next({ type, text }),
          onOpened: () => openers.add(model),
        });
        return client.sendRequest(request).subscribe({
          next(chunk: LLMChunk) {
            if (chunk.type === 'text') splitter.push(chunk.text);
            else {
              splitter.flush();
              subscriber.next(chunk);
            }
          },
          error(error) {
            splitter.flush();
            subscriber.error(error);
          },
          complete() {
            splitter.flush();
            subscriber.complete();
          },
        });
      }),
  };
}

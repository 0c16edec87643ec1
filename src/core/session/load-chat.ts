import { runNames } from './run-settings.ts';
import { named, type OptionNames } from '../model/shapes/named.ts';
import { Observable } from 'rxjs';
import { lazy, type Loadable, loadable, lazyValues } from '../lazy.ts';
import { readFields, readInput } from '../model/shapes/read-input.ts';
import { flag } from '../model/shapes/shape.ts';
import type * as ChatModule from './chat.ts';
import type { ChatOptions, ChatOutput, FindSession } from './chat.ts';
import { readChatInput, readSendOptions } from './read-arguments.ts';
import type { ChatInput } from './session.ts';

const chatNames: OptionNames<ChatOptions> = { ...runNames, stream: true };

/** The code of `Agent.chat`: loaded by the first subscription, because a page that uses sessions does not need it. */
export const chatCode: Loadable<typeof ChatModule> = /* @__PURE__ */ loadable(() => import('./chat.ts'));

/**
 * As `chat` of chat.ts, with what the caller passed: copied and checked within the call. While the code is not loaded, the run begins when it
 * is. Errors on subscription where an argument is refused.
 */
export function chat(find: FindSession, input: string | ChatInput, options: ChatOptions): Observable<ChatOutput> {
  try {
    const fields = readFields(options, 'The options of the chat');
    const { stream, ...run } = named(fields, chatNames, 'chat');
    const isStreamed = readInput(stream ?? true, flag, '`stream`');
    return chatWithCopies(find, readChatInput(input), { stream: isStreamed, run: readSendOptions(run, 'chat') });
  } catch (error) {
    return new Observable((subscriber) => subscriber.error(error));
  }
}

function chatWithCopies(...args: Parameters<typeof ChatModule.chat>): Observable<ChatOutput> {
  // All subscribers share one run, so they share one Observable.
  const outputs = lazy(async () => (await chatCode.load()).chat(...args));
  return chatCode.get()?.chat(...args) ?? lazyValues(outputs);
}

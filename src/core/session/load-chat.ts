import type { Observable } from 'rxjs';
import { lazy, type Loadable, loadable, lazyValues } from '../lazy.ts';
import type * as ChatModule from './chat.ts';
import type { ChatOutput } from './chat.ts';

/** The code of `Agent.chat`: loaded by the first subscription, because a page that uses sessions does not need it. */
export const chatCode: Loadable<typeof ChatModule> = /* @__PURE__ */ loadable(() => import('./chat.ts'));

/** As `chat` of chat.ts. While the code is not loaded, the run begins when it is. */
export function chat(...args: Parameters<typeof ChatModule.chat>): Observable<ChatOutput> {
  // All subscribers share one run, so they share one Observable.
  const outputs = lazy(async () => (await chatCode.load()).chat(...args));
  return chatCode.get()?.chat(...args) ?? lazyValues(outputs);
}

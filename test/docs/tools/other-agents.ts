import { isToolExecution, mergeToolMessages, readClaudeCode } from 'brooklet/tools';
import { concatMap } from 'rxjs';

// lines$ emits each parsed line of the agent's output.
lines$.pipe(concatMap(readClaudeCode), mergeToolMessages()).subscribe((message) => {
  if (isToolExecution(message)) show(message.summary, message.durationMs, message.details);
});

declare const lines$: Observable<Json>;
declare const show: (...what: readonly unknown[]) => void;

// What the sample leaves to its page.
import type { Json } from 'brooklet';
import type { Observable } from 'rxjs';

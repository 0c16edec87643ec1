import { Subscription } from 'rxjs';
import { type AgentError, toAgentError, toErrorInfo } from '../error.ts';
import type { RunOutcome } from '../log/event.ts';
import type { Log } from '../log/log.ts';
import { next, type Policy } from './next.ts';
import { perform, type RunEnv } from './perform.ts';

/** A run under way. */
export interface Run {
  /** Asks again what to do: after a decision from outside. */
  advance(): void;
  /** Aborts what is under way and ends the run. */
  end(outcome: RunOutcome, error?: AgentError): void;
  /** Aborts what is under way and says nothing: somebody else has the word. */
  abandon(): void;
}

/** Does what `next` says, appends what happens, and asks again; until it says `end`. The run has been started in the log. */
export function createRun(runId: string, log: Log, env: RunEnv, policy: Policy): Run {
  const underWay = new Subscription();
  /** Whether a request or a check is under way: then nothing else begins. */
  let busy = false;
  let advancing = false;

  function advance(): void {
    if (advancing) return;
    advancing = true;
    while (!busy && !underWay.closed) {
      const step = next(log.getState(), policy);
      if (step.do === 'wait') break;
      if (step.do === 'end') end(step.outcome);
      else {
        // Calls run side by side; `call.started` is in the log before `subscribe` returns, so each begins once.
        busy = step.do !== 'execute';
        underWay.add(
          perform(step, log.getState(), env).subscribe({
            next: (event) => log.append(event),
            error: fail,
            complete: () => {
              if (step.do !== 'execute') busy = false;
              advance();
            },
          }),
        );
      }
    }
    advancing = false;
  }

  function fail(thrown: unknown): void {
    const error = toAgentError(thrown, 'LLM_API_ERROR');
    const { run, messages } = log.getState();
    const midReply = run?.openReply !== undefined && (messages.at(-1)?.content.length ?? 0) > 0;
    end(error.code === 'STREAM_INTERRUPTED' || midReply ? 'interrupted' : 'failed', error);
  }

  function end(outcome: RunOutcome, error?: AgentError): void {
    if (underWay.closed) return;
    underWay.unsubscribe();
    log.append({ type: 'run.ended', runId, outcome, ...(error && { error: toErrorInfo(error) }) });
  }

  return { advance, end, abandon: () => underWay.unsubscribe() };
}

import { AbstractAgent, type AgentConfig, type RunAgentInput } from '@ag-ui/client';
import type { Observable } from 'rxjs';
import type { Agent } from '../../core/agent/agent.ts';
import type { AGUIEvent } from '../event.ts';
import { connectAGUI, runAGUI } from '../run.ts';

type TheirEvents = ReturnType<AbstractAgent['run']>;

/** Options of `AGUIAgent`: those of AG-UI's `AbstractAgent`, and the agent. */
export interface AGUIAgentConfig extends AgentConfig {
  /** Runs in this page. `threadId` is the id of its session. */
  readonly agent: Agent;
}

/**
 * An agent of this package as an `AbstractAgent` of `@ag-ui/client`, for components and tools that are made for AG-UI: they run in the same
 * page, without a server. See `runAGUI` for what each run does.
 *
 *     const assistant = new AGUIAgent({ agent, threadId: sessionId });
 *     assistant.addMessage({ id: crypto.randomUUID(), role: 'user', content: 'Hello!' });
 *     await assistant.runAgent();
 */
export class AGUIAgent extends AbstractAgent {
  // No `#agent`: `clone` makes the copy without the constructor.
  private readonly agent: Agent;

  constructor({ agent, ...config }: AGUIAgentConfig) {
    super(config);
    this.agent = agent;
  }

  run(input: RunAgentInput): TheirEvents {
    return toTheirs(runAGUI(this.agent, input));
  }

  protected override connect(input: RunAgentInput): TheirEvents {
    return toTheirs(connectAGUI(this.agent, input));
  }

  /** Cancels the run of the thread. */
  override abortRun(): void {
    this.agent.cancel(this.threadId);
  }

  override clone(): AGUIAgent {
    const copy: AGUIAgent = super.clone();
    return Object.assign(copy, { agent: this.agent });
  }
}

/** `@ag-ui/client` may have its own copy of rxjs, whose operators accept this Observable although its type differs. */
function toTheirs(events$: Observable<AGUIEvent>): TheirEvents {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return events$ as unknown as TheirEvents;
}

import { type Agent, AgentError } from '../index.ts';
import { createOwnAgent, isSameAgent, type OwnAgent } from './own-agent.ts';
import { isAgent, type Settings } from './settings.ts';
import type { BrookletChatProps } from './types.ts';

const none: readonly never[] = [];

/** The agent that an element shows: that of the page, or its own. */
export interface AgentPlace {
  /**
   * Returns the agent to show; `undefined` while the one before is being closed.
   *
   * @throws AgentError `INVALID_CONFIG`
   */
  readonly take: (wanted: Settings['agent'], tools: BrookletChatProps['tools']) => Agent | undefined;
  /** Closes the agent of the element, once what it has not stored is stored. That of the page stays. */
  readonly release: () => void;
  /** Resolves when no agent is being closed. */
  readonly settled: () => Promise<void>;
}

interface AgentPlaceEnv {
  readonly getKey: () => BrookletChatProps['apiKey'];
  /** Called when an agent was closed, so that another one can be taken. */
  readonly onClosed: () => void;
  readonly onError: (error: AgentError) => void;
}

export function createAgentPlace({ getKey, onClosed, onError }: AgentPlaceEnv): AgentPlace {
  let own: OwnAgent | undefined;
  /** Invariant: two agents of an element never have a session open at the same time. */
  let closing: Promise<void> | undefined;

  function release(): void {
    if (!own) return;
    const end = (): void => {
      closing = undefined;
      onClosed();
    };
    closing = own.close().then(end, (thrown: unknown) => {
      end();
      onError(thrown instanceof AgentError ? thrown : new AgentError(String(thrown), { code: 'STORAGE_FAILED' }));
    });
    own = undefined;
  }

  return {
    release,
    settled: async () => closing,
    take(wanted, tools = none) {
      if (isAgent(wanted)) {
        release();
        return wanted;
      }
      if (own && isSameAgent(own.settings, wanted)) {
        own.setTools(tools);
        return own.agent;
      }
      release();
      if (closing) return undefined;
      own = createOwnAgent({ settings: wanted, tools, getKey });
      return own.agent;
    },
  };
}

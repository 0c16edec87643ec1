import type { AgentOptions, LLMClient, SessionStore } from 'brooklet';
import type { Vault } from 'brooklet/keys';
import type { AgentPlace, CreateOptions } from 'brooklet/worker';
import { freeTools } from '../tools/tools.ts';
import { guard } from '../trust/holding.ts';
import { setup } from './setup.ts';

interface Place {
  readonly store: SessionStore;
  readonly present: NonNullable<AgentOptions['present']>;
  /** @param release returns the key for an address */
  readonly clientOf: (release: ReturnType<AgentPlace['keyOf']>) => LLMClient;
  /** Where it encrypts the conversations. */
  readonly vault?: Vault | undefined;
}

/** The name under which a page hands its keys to the worker. */
export const keyName = 'studio';

/** Returns what makes the agent: the same tools in the worker and in its pages. Those that need a page are offered by it. */
export const createFor =
  ({ store, present, clientOf, vault }: Place): CreateOptions =>
  ({ keyOf }) => ({
    ...setup,
    present,
    store,
    client: clientOf(keyOf(keyName)),
    tools: freeTools.map(guard),
    wrapTool: guard,
    ...(vault && { vault }),
  });

import { type Agent, AgentError, type LLMClient } from 'brooklet';
import { combineLatest, throwError } from 'rxjs';
import { type Connection, connection$, type Fallback, fallback$, getConnection, getFallback } from './connection.ts';
import type { Chosen } from './clients.ts';

type Load = (connection: Connection, fallback: Fallback) => Promise<Chosen>;

const loadChosen: Load = async (...choice) => (await import('./clients.ts')).createChosen(...choice);

/**
 * Gives the agent the client of the chosen model, whenever another is chosen; none while this tab lacks the key. Its code is loaded at the first
 * choice. Returns a function that resolves when the agent has the client: await it before a request is made. Where the code cannot be loaded,
 * requests error with `MODULE_UNAVAILABLE`, and the next call of that function loads it again.
 */
export function followConnection(agent: Pick<Agent, 'setClient'>, load: Load = loadChosen): () => Promise<void> {
  let applied = '';
  let loading: Promise<void> = Promise.resolve();

  async function apply(connection: Connection, choice: string): Promise<void> {
    const isWanted = (): boolean => applied === choice;
    if (connection.kind === 'keyless') return agent.setClient(undefined);
    try {
      const { client, options } = await load(connection, getFallback());
      if (isWanted()) agent.setClient(client, options);
    } catch (cause) {
      if (!isWanted()) return;
      applied = '';
      agent.setClient(failing(cause));
    }
  }

  function follow(): Promise<void> {
    const connection = getConnection();
    const choice = choiceOf(connection);
    if (choice !== applied) {
      applied = choice;
      loading = apply(connection, choice);
    }
    return loading;
  }

  combineLatest([connection$, fallback$]).subscribe(() => void follow());
  return follow;
}

/** A locked key changes nothing about the client: its requests wait for the key. */
function choiceOf(connection: Connection): string {
  const kind = connection.kind === 'locked' ? 'model' : connection.kind;
  return JSON.stringify([{ ...connection, kind }, getFallback()]);
}

function failing(cause: unknown): LLMClient {
  const message = 'The code of this model could not be loaded. Reload the page, and try again.';
  const error = cause instanceof AgentError ? cause : new AgentError(message, { code: 'MODULE_UNAVAILABLE', cause });
  return { sendRequest: () => throwError(() => error) };
}

import { type Agent, type LLMClient, toAgentError } from 'brooklet';
import { getConnection } from '../model/connection.ts';
import type { Endpoint } from '../model/endpoint.ts';
import { titleSessions, writeTitle } from './titles.ts';
import { titleSetting } from './titleSetting.ts';

/** Sessions that this page has sent a request for: what another tab or device runs, it also titles. */
const asked = new Set<string>();

const notOffered: ReadonlySet<string> = new Set(['MODEL_NOT_FOUND', 'PERMISSION_DENIED']);

/** Returns a client that notes for which sessions it has sent requests. */
export function withNote(client: LLMClient): LLMClient {
  return {
    ...(client.locked$ && { locked$: client.locked$ }),
    sendRequest(request) {
      asked.add(request.sessionId);
      return client.sendRequest(request);
    },
  };
}

/** Lets the chosen model write the titles of conversations: not the demo model, not while offline, not where the settings say no. */
export function titleChats(agent: Agent): void {
  titleSessions(agent, async (session) => {
    const connection = getConnection();
    const isAnswering = connection.kind === 'model' || connection.kind === 'browser';
    if (!asked.has(session.id) || !isAnswering || !titleSetting.get() || !navigator.onLine) return undefined;
    const { createClient } = await import('../model/clients.ts');
    const chosenClient = await createClient(connection);
    if (connection.kind === 'browser') return writeTitle(session, chosenClient);
    const { endpoint } = connection;
    const written = await writeTitle(session, chosenClient, await loadCheapModel(endpoint)).catch((thrown: unknown) => {
      // The account may have no other model.
      if (!notOffered.has(toAgentError(thrown).code)) throw thrown;
      return writeTitle(session, chosenClient);
    });
    // A service may not name the model.
    return { ...written, model: written.model ?? endpoint.model };
  });
}

async function loadCheapModel(endpoint: Endpoint): Promise<string | undefined> {
  const { cheapModelOf } = await import('../model/cheapModel.ts');
  return cheapModelOf(endpoint);
}

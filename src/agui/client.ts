import { defined, type JsonObject } from '../core/json.ts';
import type { LLMClient, LLMRequest } from '../core/model/llm.ts';
import { createHttpClient, type HttpOptions } from '../llm/transport/http.ts';
import { browserPorts } from '../core/ports.ts';
import { createAGUIReader } from './decode.ts';
import { toAGUIMessages } from './messages.ts';

/** Options of `createAGUIClient`. */
export interface AGUIClientOptions extends Omit<HttpOptions, 'baseURL'> {
  /** Where the agent is asked: https, or http on this machine. */
  readonly url: string;
  /** Told of every event of a run as it came: its state, its steps and what is its own have no place in a conversation. */
  readonly onEvent?: (event: JsonObject) => void;
}

/**
 * A client for a remote agent that speaks AG-UI over HTTP. The session is its thread, each request a run of it. The tools of this agent
 * run here, in the page; the remote agent's own run there, and people see them as `provider` parts.
 *
 * `providerParams` are put into the `RunAgentInput`, for its `state`, `context`, `forwardedProps` and `resume`.
 *
 *     createAGUIClient({ url: 'https://agents.example.com/weather' })
 *
 * @throws AgentError `INVALID_CONFIG` for a URL that is not https, nor http on this machine.
 */
export function createAGUIClient({ url, onEvent, ...options }: AGUIClientOptions): LLMClient {
  return createHttpClient(
    { ...options, baseURL: url },
    {
      // A server that has the slash sends who comes without it elsewhere, and the key would go along.
      path: url.endsWith('/') ? '/' : '',
      toBody: toRunInput,
      createReader: (reading, { tools }) =>
        createAGUIReader({ ...reading, tools: new Set(tools?.map(({ name }) => name)), onEvent }),
    },
  );
}

function toRunInput(request: LLMRequest): JsonObject {
  const { sessionId, messages, tools = [], model, maxTokens, temperature, providerParams } = request;
  return {
    threadId: sessionId,
    runId: browserPorts.id(),
    state: {},
    messages: toAGUIMessages(messages),
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
    context: [],
    forwardedProps: defined({ model, maxTokens, temperature }),
    ...providerParams,
  };
}

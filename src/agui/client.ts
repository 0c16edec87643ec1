import { named } from '../core/model/shapes/named.ts';
import { httpNames } from '../llm/transport/option-names.ts';
import type { AgentError } from '../core/error.ts';
import { defined, type JsonObject } from '../core/json.ts';
import type { LLMClient, LLMRequest } from '../core/model/llm.ts';
import { checkClientOptions } from '../llm/transport/check-options.ts';
import { toAddress } from '../llm/transport/address.ts';
import { createHttpClient } from '../llm/transport/http.ts';
import type { HttpOptions } from '../llm/transport/http-options.ts';
import { browserPorts, type Ports } from '../core/ports.ts';
import { createAGUIReader } from './decode.ts';
import { toResume } from './interrupts.ts';
import { endedCalls, interruptTool, knownMessages, openRemoteCalls, toAGUIMessages } from './messages.ts';
import { readAGUIState } from './state.ts';

/** Options of `createAGUIClient`. */
export interface AGUIClientOptions extends Omit<HttpOptions, 'baseURL'> {
  /** The address of the agent's endpoint: https, or http on this machine. */
  readonly url: string;
  /** Called with every event of a run, unchanged: custom events and activities have no place in a conversation. */
  readonly onEvent?: (event: JsonObject) => void;
}

/**
 * Creates a client for a remote agent that speaks AG-UI over HTTP. The session is the thread, each request a run in it. The tools of this
 * agent run in the page; the tools of the remote agent run there, and people see these as `provider` parts. Its interrupts are calls of
 * `createAGUIInterruptTool`, where the agent has that tool; without it they are `provider` parts. Its state is kept in the log
 * (`readAGUIState`) and sent back with each run. A call that the agent sends again after its result does not run again: the protocol has one id
 * for each call.
 *
 * `model`, `maxTokens`, `temperature` and `toolChoice` are sent in `forwardedProps`, since the protocol has no fields for them; the remote agent
 * may ignore them. `providerParams` are merged into the `RunAgentInput`, for its `state`, `context`, `forwardedProps` and `resume`.
 *
 *     createAGUIClient({ url: 'https://agents.example.com/weather' })
 *
 * @throws AgentError `INVALID_CONFIG` for an option of a wrong type or out of its range, and for a URL that is neither https nor http on this machine
 */
export function createAGUIClient(given: AGUIClientOptions, { id }: Pick<Ports, 'id'> = browserPorts): LLMClient {
  const { baseURL: _baseURL, ...transport } = httpNames;
  named(given, { ...transport, url: true, onEvent: true }, 'createAGUIClient');
  checkClientOptions(given, 'createAGUIClient');
  const { url, onEvent, ...options } = given;
  // A server whose path ends with a slash redirects requests without the slash, and a redirect would carry the key along.
  const address = toAddress(url, url.endsWith('/') ? '/' : '', options.allowLan);
  return createHttpClient({ ...options, baseURL: url }, address, {
    toBody: (request) => toRunInput(request, id()),
    mayRepeat: hasNotBegun,
    createReader: (reading, { tools, messages }) =>
      createAGUIReader({
        ...reading,
        tools: new Set(tools?.map(({ name }) => name)),
        state: readAGUIState(messages) ?? {},
        openCalls: openRemoteCalls(messages),
        endedCalls: endedCalls(messages),
        knownMessages: knownMessages(messages),
        onEvent,
      }),
  });
}

/** Statuses with which a server, or a proxy in front of it, turns a request away before its agent has it. */
const turnedAway: ReadonlySet<number | undefined> = new Set([425, 429, 503]);

/** Whether the remote agent has not begun the run: its tools may have run already where only the answer was lost. */
function hasNotBegun({ code, retryable, status }: AgentError): boolean {
  return retryable && (code === 'OFFLINE' || turnedAway.has(status));
}

function toRunInput(request: LLMRequest, runId: string): JsonObject {
  const { sessionId, messages, tools = [], toolChoice, model, maxTokens, temperature, providerParams } = request;
  const resume = toResume(messages);
  return {
    threadId: sessionId,
    runId,
    state: readAGUIState(messages) ?? {},
    messages: toAGUIMessages(messages),
    tools: tools
      .filter(({ name }) => name !== interruptTool)
      .map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
    context: [],
    forwardedProps: defined({ model, maxTokens, temperature, toolChoice }),
    ...(resume.length > 0 && { resume }),
    ...providerParams,
  };
}

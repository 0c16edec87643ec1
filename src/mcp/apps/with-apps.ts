import { from } from 'rxjs';
import { traitsOf } from '../../core/client-traits.ts';
import type { LLMChunk, LLMClient, LLMRequest } from '../../core/model/llm.ts';
import { interfaceKey } from '../../core/model/interface-of.ts';
import { toolParts } from '../../core/model/message.ts';
import { type AppCall, readAppCall } from './app-call.ts';

/**
 * Wraps the client of an agent whose page shows MCP Apps: a call that an interface asks for becomes a reply with that call. So the call is
 * checked, approved, stored and counted like one of the model, also after a reload. The model is not asked.
 *
 * Only messages that `mountMCPApp` has sent, here or in an earlier page of this store, become calls. The model answers a message of a file,
 * of AG-UI or of another device, also one with such metadata.
 *
 *     const agent = createAgent({ client: withMCPApps(createChatCompletionsClient({ … })) });
 */
export function withMCPApps(client: LLMClient): LLMClient {
  return {
    ...traitsOf(client),
    sendRequest(request) {
      const reply = replyTo(request);
      return reply ? from(reply) : client.sendRequest(request);
    },
  };
}

/** Returns the reply to a message of an interface: the call, and nothing once the call has ended without success. */
function replyTo({ messages, promptId }: LLMRequest): readonly LLMChunk[] | undefined {
  const place = messages.findIndex(({ id }) => id === promptId);
  const prompt = messages[place];
  const call = prompt && readAppCall(prompt);
  if (!call) return undefined;
  const isDone = messages.slice(place + 1).some((message) => toolParts(message).length > 0);
  return isDone ? [{ type: 'finish', reason: 'stop', model: interfaceKey }] : toChunks(call);
}

const toChunks = ({ tool, input, view }: AppCall): readonly LLMChunk[] => [
  {
    type: 'call-end',
    index: 0,
    name: tool,
    inputText: JSON.stringify(input),
    provider: { [interfaceKey]: { view } },
  },
  { type: 'finish', reason: 'tool-calls', model: interfaceKey },
];

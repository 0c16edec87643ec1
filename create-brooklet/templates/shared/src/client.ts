import { extractTextContent, type LLMClient, toolParts } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';

/** A script that answers without a key. `agent.ts` says how to connect a model. */
export const client: LLMClient = createScriptedClient(({ messages }) => {
  const last = messages.at(-1);
  const [call] = last ? toolParts(last) : [];
  if (call) return [reply.text(call.status === 'succeeded' ? 'I have saved it.' : 'I have not saved it.', { ms: 20 })];
  const text = last ? extractTextContent(last) : '';
  if (/remember/i.test(text)) return [reply.call('save_note', { text })];
  return [
    reply.text(`You said “${text}”. I am a script: connect a model in src/agent.ts. `, { ms: 20 }),
    reply.text('Or write “Remember the milk” to see a tool that needs your approval.', { ms: 20 }),
  ];
});

// The agent on the server: an agent of Brooklet, behind AG-UI. Node runs it; an agent in Python or .NET would do as well.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Agent, createAgent, defineTool, extractTextContent, toolParts } from 'brooklet';
import { type AGUIRunInput, runAGUI } from 'brooklet/agui';
import { createScriptedClient, reply } from 'brooklet/testing';

const sendMail = defineTool({
  name: 'send_mail',
  description: 'Sends a mail.',
  input: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
  needsApproval: true,
  execute: ({ to }, { sessionId }) => {
    const sent = Number(agent.getSession(sessionId)?.getState().metadata?.sent ?? 0) + 1;
    // The metadata of the session is the state that the page sees.
    agent.getSession(sessionId)?.setMetadata({ sent });
    return `sent to ${String(to)}`;
  },
});

const client = createScriptedClient(({ messages }) => {
  const last = messages.at(-1);
  const [call] = last ? toolParts(last) : [];
  if (call) return [reply.text(`The mail is ${call.status === 'succeeded' ? 'sent' : call.status}.`)];
  return last && /mail/i.test(extractTextContent(last))
    ? [reply.text('I write to Ada. '), reply.call('send_mail', { to: 'ada@example.com' })]
    : [reply.text('I can send a mail.')];
});
const agent: Agent = createAgent({ client, tools: [sendMail] });

/** Answers one request of AG-UI. */
export async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const piece of request) body += String(piece);
  const input: AGUIRunInput = JSON.parse(body);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  runAGUI(agent, input).subscribe({
    next: (event) => response.write(`data: ${JSON.stringify(event)}\n\n`),
    complete: () => response.end(),
  });
}

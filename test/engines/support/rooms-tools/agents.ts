import { createAgent, extractTextContent, type SessionStore, toolParts } from 'brooklet';
import { agentTool } from 'brooklet/agents';
import { type AGUIRunInput, createAGUIClient, runAGUI } from 'brooklet/agui';
import { createScriptedClient, reply } from 'brooklet/testing';

/** Asks an agent that asks another one. Resolves with the answer of the inner agent, as the outer one and the store have it. */
export async function delegate(store: SessionStore): Promise<readonly unknown[]> {
  const research = agentTool({
    name: 'research',
    description: 'Researches one question.',
    options: { client: createScriptedClient([[reply.text('An otter.')]]) },
  });
  const client = createScriptedClient([[reply.call('research', { task: 'Which animal?' })], [reply.text('Done.')]]);
  const agent = createAgent({ client, tools: [research], store });
  const session = await agent.openSession(agent.createSession());
  await session.send('Ask.');
  const [call] = session.getMessages().flatMap(toolParts);
  const child = await agent.openSession(call?.session ?? '');
  return [call?.output, child.getMessages().map(extractTextContent)];
}

/** Sends the events of a run as a server does. */
function serve(body: BodyInit | null | undefined): Response {
  const agent = createAgent({ client: createScriptedClient([[reply.text('Hello from afar.')]]) });
  const input: AGUIRunInput = JSON.parse(typeof body === 'string' ? body : '');
  const encoder = new TextEncoder();
  const stream = new ReadableStream({
    start(controller) {
      runAGUI(agent, input).subscribe({
        next: (event) => controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`)),
        complete: () => controller.close(),
      });
    },
  });
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
}

/** Asks an agent behind AG-UI. Resolves with its answer. */
export async function remote(): Promise<string> {
  const client = createAGUIClient({ url: 'http://localhost/agent', fetch: async (_url, init) => serve(init?.body) });
  const agent = createAgent({ client });
  const session = await agent.openSession(agent.createSession());
  const { message } = await session.send('Hello!');
  return message ? extractTextContent(message) : '';
}

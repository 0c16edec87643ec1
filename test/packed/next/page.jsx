// A server component: it runs an agent on the server, and may import the hooks, which are for the client.
import { createAgent, extractTextContent } from 'brooklet';
import * as hooks from 'brooklet/react';
import { createScriptedClient, reply } from 'brooklet/testing';
import { lastValueFrom } from 'rxjs';
import { Chat } from './chat';

export const dynamic = 'force-dynamic';

export default async function Page() {
  const agent = createAgent({ client: createScriptedClient([reply.text('rendered on the server')]) });
  const { content } = await lastValueFrom(agent.chat(agent.createSession(), 'Where?'));
  return (
    <>
      <p>{extractTextContent(content)}</p>
      <p>{Object.keys(hooks).length > 0 ? 'hooks imported' : ''}</p>
      <Chat />
    </>
  );
}

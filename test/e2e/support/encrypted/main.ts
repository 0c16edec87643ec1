import { createAgent, defineTool } from 'brooklet';
import { createVaultCodec } from 'brooklet/encryption';
import { createVault } from 'brooklet/keys';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';

declare global {
  var encrypted: typeof page;
}

const vault = createVault();

function openStore(isEncrypted: boolean): ReturnType<typeof createIndexedDBStore> {
  return createIndexedDBStore(isEncrypted ? { codec: createVaultCodec(vault) } : {});
}

const page = {
  /** Stores a canary wherever a session has text. */
  async write(canary: string, passphrase?: string): Promise<void> {
    if (passphrase !== undefined) await vault.protect(passphrase);
    const store = openStore(passphrase !== undefined);
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      input: { type: 'object' },
      execute: async () => ({ seen: canary }),
    });
    const client = createScriptedClient([
      [reply.reasoning(canary), reply.call('look', { at: canary })],
      [reply.text(`It is ${canary}.`)],
      [reply.text(canary)],
    ]);
    const agent = createAgent({ client, store, tools: [look] });
    const session = agent.getSession(agent.createSession());
    if (session === undefined) throw new Error('There is no session.');
    session.setMetadata({ note: canary });
    await session.send({
      content: [
        { type: 'text', text: `What is ${canary}?` },
        { type: 'image', mediaType: 'image/png', data: canary.repeat(200) },
      ],
    });
    session.rename(canary);
    await session.send(canary);
    await store.meta?.update(`annotations:${session.id}`, () => [{ text: canary }]);
    const { sessions } = await store.list({ search: canary });
    if (sessions.length !== 1) throw new Error('The search has not found the session.');
    await agent.dispose();
    store.close();
  },

  /** Returns the titles of the sessions, as a page after a reload reads them. */
  async titles(passphrase: string): Promise<readonly string[]> {
    await vault.unlock(passphrase);
    const store = openStore(true);
    const { sessions } = await store.list();
    store.close();
    return sessions.map(({ title }) => title);
  },
};

globalThis.encrypted = page;

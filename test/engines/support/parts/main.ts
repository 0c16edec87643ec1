// Parts of the package that a browser must carry: the test calls them one by one.

import { createAgent, type SessionStore } from 'brooklet';
import { createAesCodec, createVaultCodec } from 'brooklet/encryption';
import { createVault } from 'brooklet/keys';
import { createIndexedDBStore, exportAll, importSessions } from 'brooklet/storage';
import { createScriptedClient, reply, storeContract } from 'brooklet/testing';

declare global {
  var parts: typeof page;
}

/** How the sessions of a store are stored. */
export type Form = 'plain' | 'encrypted';

async function createCodec() {
  return createAesCodec(await crypto.subtle.importKey('raw', new Uint8Array(32), 'HKDF', false, ['deriveKey']));
}

const deleteDatabase = (name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.addEventListener('success', () => resolve());
    request.addEventListener('error', () => reject(request.error ?? new Error('The database was not deleted.')));
  });

const contracts = {
  plain: storeContract((name) => createIndexedDBStore({ name }), { dispose: deleteDatabase }),
  encrypted: storeContract(async (name) => createIndexedDBStore({ name, codec: await createCodec() }), {
    dispose: deleteDatabase,
  }),
};

const vault = createVault();
const shared = createVault({ name: 'shared-keys', shared: true });

/** What a locked vault says to who asks for a key or a session. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

async function converse(store: SessionStore, question: string): Promise<string> {
  const client = createScriptedClient([[reply.text(`The answer to ${question}`)]]);
  const agent = createAgent({ client, store });
  const session = await agent.openSession(agent.createSession());
  await session.send(question);
  await agent.dispose();
  return session.id;
}

async function titlesOf(store: SessionStore): Promise<readonly string[]> {
  const { sessions } = await store.list();
  return sessions.map(({ title }) => title);
}

const page = {
  /** Runs one behaviour of the contract of stores. Resolves with what is wrong, or with an empty text. */
  async behave(form: Form, name: string): Promise<string> {
    const behaviour = contracts[form].find((its) => its.name === name);
    if (behaviour === undefined) return `The contract has no behaviour of this name.`;
    return behaviour.run().then(
      () => '',
      (error: unknown) => (error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error)),
    );
  },

  /** Stores a key and an encrypted conversation under a passphrase. */
  async protect(passphrase: string, key: string, question: string): Promise<string> {
    await vault.add('openai', key, { baseURL: 'https://api.openai.com/v1' });
    await vault.protect(passphrase);
    const store = createIndexedDBStore({ codec: createVaultCodec(vault) });
    const id = await converse(store, question);
    store.close();
    return id;
  },
  /** The status of the vault, once the disk has been read. */
  status: (): Promise<string> =>
    new Promise((resolve) => {
      vault.state$.subscribe(({ status }) => {
        if (status !== 'opening') resolve(status);
      });
    }),
  unlock: (passphrase: string): Promise<string> => vault.unlock(passphrase).then(() => 'open', codeOf),
  lock: (): void => vault.lock(),
  /** The stored key, or the code of the error. */
  key: (): Promise<string> => vault.keyFor('openai')('https://api.openai.com').catch(codeOf),
  /** The text of an encrypted session, or the code of the error. */
  async read(id: string): Promise<string> {
    const store = createIndexedDBStore({ codec: createVaultCodec(vault) });
    try {
      return JSON.stringify((await store.read(id))?.events);
    } catch (error) {
      return codeOf(error);
    } finally {
      store.close();
    }
  },
  /** Stores a key in the vault that all tabs share. */
  async protectShared(passphrase: string, key: string): Promise<void> {
    await shared.add('openai', key, { baseURL: 'https://api.openai.com/v1' });
    await shared.protect(passphrase);
  },
  unlockShared: (passphrase: string): Promise<string> => shared.unlock(passphrase).then(() => 'open', codeOf),
  lockShared: (): void => shared.lock(),
  sharedKey: (): Promise<string> => shared.keyFor('openai')('https://api.openai.com').catch(codeOf),
  /** Resolves when the shared vault has this status. */
  sharedIs: (wanted: string): Promise<string> =>
    new Promise((resolve) => {
      shared.state$.subscribe(({ status }) => {
        if (status === wanted) resolve(status);
      });
    }),

  /** Everything in the databases of this origin, as one text. */
  async stored(): Promise<string> {
    const texts: string[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      const opening = indexedDB.open(name);
      const database = await new Promise<IDBDatabase>((resolve) =>
        opening.addEventListener('success', () => resolve(opening.result)),
      );
      for (const table of database.objectStoreNames) {
        const request = database.transaction(table).objectStore(table).getAll();
        await new Promise((resolve) => request.addEventListener('success', resolve));
        texts.push(JSON.stringify(request.result));
      }
      database.close();
    }
    return texts.join('\n');
  },

  /** Stores a conversation for each question. */
  async fill(name: string, questions: readonly string[]): Promise<void> {
    const store = createIndexedDBStore({ name });
    for (const question of questions) await converse(store, question);
    store.close();
  },
  async export(name: string): Promise<string> {
    const store = createIndexedDBStore({ name });
    let text = '';
    for await (const piece of exportAll(store)) text += piece;
    store.close();
    return text;
  },
  /** Imports a file as a person picks it. Resolves with the titles that are in the list then. */
  async import(
    name: string,
    text: string,
  ): Promise<{ readonly results: readonly string[]; readonly titles: readonly string[] }> {
    const store = createIndexedDBStore({ name });
    const { imported, problems } = await importSessions(store, new File([text], 'sessions.jsonl'));
    const titles = await titlesOf(store);
    store.close();
    return { results: [...imported.map(({ result }) => result), ...problems.map(({ reason }) => reason)], titles };
  },
};

globalThis.parts = page;

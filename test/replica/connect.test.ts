import { AgentError, createAgent, type SessionStore, toolParts } from 'brooklet';
import { createMemoryStore, createSessionLocks } from 'brooklet/storage';
import { createRemote, createSyncedStore, type SessionSync, type SyncedStoreOptions } from 'brooklet/sync';
import { createScriptedClient, reply, type Script } from 'brooklet/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { untyped } from '../support/untyped.ts';
import { createPay } from '../support/create-pay.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets virtual time pass. An `import()` takes real time. */
async function settle(ms = 1_000): Promise<void> {
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(ms);
}

const hello = [reply.text('Hello.')];
const pays: readonly Script[] = [[reply.call('pay', '{}')], [reply.text('Done.')]];

/** A device without a remote store. */
function createDevice({
  answers = [hello, hello, hello],
  ...options
}: Partial<SyncedStoreOptions> & { answers?: readonly Script[] } = {}) {
  const local = createMemoryStore();
  const store = createSyncedStore({ local, device: 'Ann', ...options });
  const ran: string[] = [];
  const pay = createPay(ran);
  const agent = createAgent({ client: createScriptedClient(answers), tools: [pay], store });
  return { local, store, agent, ran };
}

/** A remote store that notes whether it was closed, and can be cut off. */
function createEngine() {
  const engine = createMemoryStore();
  const state = { isClosed: false, isOnline: true };
  const reach = async (): Promise<void> => {
    if (!state.isOnline) throw new AgentError('The wire is cut.', { code: 'STORAGE_FAILED' });
  };
  const store: SessionStore = {
    ...engine,
    list: (list) => reach().then(() => engine.list(list)),
    read: (id, read) => reach().then(() => engine.read(id, read)),
    write: (write) => reach().then(() => engine.write(write)),
    close: () => void (state.isClosed = true),
  };
  return { engine, remote: createRemote(store), state };
}

async function talk({ agent }: ReturnType<typeof createDevice>, id: string, text: string) {
  const session = await agent.openSession(id);
  void session.send(text);
  await settle();
  await session.flushed();
  return session;
}

async function lastSync({ store }: ReturnType<typeof createDevice>, id: string): Promise<SessionSync | undefined> {
  let last: SessionSync | undefined;
  const subscription = store.sessionSync$(id).subscribe((sync) => (last = sync));
  await settle(10);
  subscription.unsubscribe();
  return last;
}

const textIn = async (store: SessionStore, id: string): Promise<string> =>
  JSON.stringify((await store.read(id))?.events ?? 'no log');

test('keeps its sessions on the device until a store is connected, and sends them then', async () => {
  const device = createDevice();
  const states: string[] = [];
  device.store.status$.subscribe(({ state }) => states.push(state));
  const id = device.agent.createSession();
  await talk(device, id, 'Alone');
  await device.store.sync();
  expect([await lastSync(device, id), await lastSync(device, 'unknown')]).toEqual([{ state: 'local' }, undefined]);
  const { engine, remote } = createEngine();
  device.store.connect(remote);
  await settle();
  expect(await textIn(engine, id)).toContain('Alone');
  expect(states).toEqual(['local', 'in-step', 'behind', 'in-step']);
  expect(await lastSync(device, id)).toEqual({ state: 'in-step' });
});

test('runs a call that a person approves without a remote store, whatever claims say', async () => {
  const device = createDevice({ answers: pays, claims: 'remote' });
  const session = await talk(device, device.agent.createSession(), 'Pay');
  const { callId = '' } = toolParts(session.getMessages().at(-1) ?? expect.unreachable())[0] ?? {};
  await session.approve(callId);
  await settle();
  expect(device.ran).toEqual([callId]);
});

test('a second store takes the place of the first, and gets what the first has not', async () => {
  const [first, second] = [createEngine(), createEngine()];
  const device = createDevice({ remote: first.remote });
  const id = device.agent.createSession();
  await talk(device, id, 'Sent');
  first.state.isOnline = false;
  await talk(device, id, 'Pending');
  device.store.connect(second.remote, { name: 'second' });
  await settle(60_000);
  expect([first.state.isClosed, second.state.isClosed]).toEqual([true, false]);
  expect(await textIn(first.engine, id)).not.toContain('Pending');
  for (const text of ['Sent', 'Pending']) expect(await textIn(second.engine, id)).toContain(text);
  expect(device.store.getStatus()).toEqual({ state: 'in-step' });
  await talk(device, id, 'Later');
  expect(await textIn(second.engine, id)).toContain('Later');
  expect(await textIn(first.engine, id)).not.toContain('Later');
});

test('a store of before is in step again, also under the name of another one', async () => {
  const { engine, remote } = createEngine();
  const device = createDevice({ remote });
  const id = device.agent.createSession();
  await talk(device, id, 'One');
  device.store.disconnect();
  await talk(device, id, 'Two');
  device.store.connect(createRemote({ ...engine, close: () => {} }), { name: 'again' });
  await settle(60_000);
  for (const text of ['One', 'Two']) expect(await textIn(engine, id)).toContain(text);
  const { sessions } = await device.store.list();
  expect(sessions).toHaveLength(1);
});

test('sends nothing while no store is connected, and the rest when one is', async () => {
  const { engine, remote, state } = createEngine();
  const device = createDevice({ remote });
  const id = device.agent.createSession();
  await talk(device, id, 'Before');
  device.store.disconnect();
  expect([device.store.getStatus(), state.isClosed]).toEqual([{ state: 'local' }, true]);
  await talk(device, id, 'Meanwhile');
  expect(await textIn(engine, id)).not.toContain('Meanwhile');
  expect(await textIn(device.local, id)).toContain('Meanwhile');
  device.store.connect(remote);
  await settle();
  expect(await textIn(engine, id)).toContain('Meanwhile');
});

test('removes on the store that is connected later what was removed without one', async () => {
  const { engine, remote } = createEngine();
  const device = createDevice({ remote });
  const id = device.agent.createSession();
  await talk(device, id, 'Hi');
  device.store.disconnect();
  await device.store.remove(id);
  device.store.connect(remote);
  await settle();
  await device.store.sync();
  expect((await engine.read(id))?.summary.messageCount ?? 0).toBe(0);
});

/** A claim that waits for a remote store which is away. */
async function createClaim() {
  const first = createEngine();
  const device = createDevice({ remote: first.remote, answers: pays });
  const session = await talk(device, device.agent.createSession(), 'Pay');
  const { callId = '' } = toolParts(session.getMessages().at(-1) ?? expect.unreachable())[0] ?? {};
  first.state.isOnline = false;
  const decision = session.approve(callId).then(
    () => 'approved',
    (thrown: unknown) => (thrown instanceof AgentError ? thrown.code : thrown),
  );
  await settle(500);
  expect(await lastSync(device, session.id)).toMatchObject({ state: 'waiting' });
  return { device, session, callId, decision };
}

test('a claim that waits goes to the store that is connected next', async () => {
  const { device, session, callId, decision } = await createClaim();
  const second = createEngine();
  device.store.connect(second.remote, { name: 'second' });
  await settle(9_000);
  expect([await decision, device.ran]).toEqual(['approved', [callId]]);
  expect(await textIn(second.engine, session.id)).toContain('call.started');
});

test('a claim that waits fails where no store is connected in time', async () => {
  const { device, decision, session } = await createClaim();
  device.store.disconnect();
  await settle(11_000);
  expect([await decision, device.ran]).toEqual(['STORAGE_UNAVAILABLE', []]);
  expect(session.getStatus()).toBe('waiting');
});

test('another tab of the device synchronizes when this one is disconnected', async () => {
  const { engine } = createEngine();
  const local = createMemoryStore();
  const locks = createSessionLocks('tabs');
  const create = () =>
    createSyncedStore({
      local: { ...local, locks, close: () => {} },
      remote: createRemote({ ...engine, close: () => {} }),
      device: 'Ann',
    });
  const one = create();
  await settle();
  const other = create();
  await settle();
  one.disconnect();
  await settle();
  const bob = createDevice({ device: 'Bob', remote: createRemote({ ...engine, close: () => {} }) });
  const id = bob.agent.createSession();
  await talk(bob, id, 'From Bob');
  await settle();
  expect(await textIn(local, id)).toContain('From Bob');
  other.close();
});

test('a session of which this device has the row alone says that no store is connected', async () => {
  const { engine } = createEngine();
  const bob = createDevice({ device: 'Bob', remote: createRemote({ ...engine, close: () => {} }) });
  const id = bob.agent.createSession();
  await talk(bob, id, 'From Bob');
  const reads: SessionStore = { ...engine, read: () => new Promise(() => {}), close: () => {} };
  const device = createDevice({ remote: createRemote(reads) });
  await settle(10);
  device.store.disconnect();
  expect((await device.store.list()).sessions.map((row) => row.id)).toEqual([id]);
  await expect(device.store.read(id)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
});

test('takes the name of the device, and what it does there, when a store is connected', async () => {
  const { engine, remote } = createEngine();
  const device = createDevice(untyped({ device: undefined }));
  const { store } = device;
  const id = device.agent.createSession();
  await talk(device, id, 'Alone');
  store.connect(remote, { device: 'Ann', claims: 'remote' });
  await talk(device, id, 'Shared');
  expect((await engine.read(id))?.summary.origin?.device).toBe('Ann');
  store.disconnect();
  const second = createEngine();
  store.connect(second.remote, { device: 'Ann at work', name: 'work' });
  await settle();
  expect((await second.engine.read(id))?.summary.origin?.device).toBe('Ann at work');
});

test('a store that lacks a verb, and a wrong option, are errors that name it', () => {
  const { store } = createDevice();
  const { wasRemoved: _wasRemoved, ...bare } = createMemoryStore();
  const remote = createRemote(createMemoryStore());
  expect(() => createRemote(bare)).toThrow('`store.wasRemoved` of createRemote');
  // Without them nothing would be received, and nothing closed.
  for (const name of ['changes$', 'close'] as const) {
    const part: SessionStore = untyped({ ...createMemoryStore(), [name]: undefined });
    expect(() => createRemote(part)).toThrow(`\`store.${name}\` of createRemote`);
    expect(() => createSyncedStore({ local: part })).toThrow(`\`local.${name}\` of the replica`);
  }
  expect(() => store.connect(remote, untyped({ online$: true }))).toThrow('`online$` of connect');
  expect(() => store.connect(untyped(createMemoryStore()))).toThrow('pass `createRemote(store)`');
  expect(() => createDevice({ remote: untyped(createMemoryStore()) })).toThrow('pass `createRemote(store)`');
  expect(() => store.connect(remote, untyped({ name: 7 }))).toThrow('`name` of connect');
  expect(() => store.connect(remote, untyped({ nam: 'x' }))).toThrow('Did you mean "name"?');
  expect(() => createSyncedStore({ local: createMemoryStore() }).connect(remote)).toThrow('`device`');
  expect(() => createSyncedStore({ local: createMemoryStore(), remote })).toThrow('`device`');
  expect(store.getStatus()).toEqual({ state: 'local' });
  store.close();
  expect(() => store.connect(remote)).toThrow('has been closed');
});

test('a remote that is connected is not connected again, here or to another synced store', async () => {
  const { engine, remote, state } = createEngine();
  const device = createDevice({ remote });
  await settle();
  expect(() => device.store.connect(remote)).toThrow('is connected already');
  expect(() => createDevice({ remote })).toThrow('is connected already');
  // What is refused leaves what is connected.
  const id = device.agent.createSession();
  await talk(device, id, 'Sent');
  expect([state.isClosed, device.store.getStatus()]).toEqual([false, { state: 'in-step' }]);
  device.store.disconnect();
  // The store of this one can be used after it was closed.
  const other = createDevice({ remote, device: 'Bob' });
  await settle();
  expect(await textIn(other.local, id)).toContain('Sent');
  expect(await textIn(engine, id)).toContain('Sent');
});

test('a remote that cannot be connected leaves the one that is', async () => {
  const { engine, remote, state } = createEngine();
  const device = createDevice({ remote });
  const broken = {
    replicate() {
      throw new Error('This one does not begin.');
    },
  };
  expect(() => device.store.connect(broken)).toThrow('does not begin');
  const id = device.agent.createSession();
  await talk(device, id, 'Still sent');
  expect(state.isClosed).toBe(false);
  expect(await textIn(engine, id)).toContain('Still sent');
});

test('the local store, and the synced store itself, are no remote', () => {
  const { local, store } = createDevice();
  for (const circle of [local, store])
    expect(() => store.connect(createRemote(circle))).toThrow('is the local store of this device');
  expect(store.getStatus()).toEqual({ state: 'local' });
  store.close();
});

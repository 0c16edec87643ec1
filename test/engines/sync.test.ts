import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../e2e/support/eventually.ts';
import { during } from '../e2e/support/stage.ts';
import { natsServer, type NatsServer, startNatsServer } from '../nats/support/nats-server.ts';
import { addStream } from '../nats/support/streams.ts';
import type { EngineTab } from './support/engine.ts';
import type { BeginOptions, View } from './support/rooms-sync/room.ts';
import { servePage } from './support/site.ts';
import { engines, startEngine } from './support/start-engine.ts';

const passphrase = 'correct horse battery';
const pin = '48201937';

const viewOf = (tab: EngineTab, id: string): Promise<View> => tab.run((its) => globalThis.room.view(its), id);
const listOf = (tab: EngineTab): Promise<readonly string[]> => tab.run(() => globalThis.room.list());
const stateOf = (tab: EngineTab): Promise<string> => tab.run(() => globalThis.room.getState());
const ranOn = (tab: EngineTab): Promise<readonly string[]> => tab.run(() => globalThis.room.ran);
const send = (tab: EngineTab, id: string, text: string): Promise<void> =>
  tab.run((its, what) => globalThis.room.send(its, what), id, text);

/** Each engine with the next one: two devices of a person. A private window of Firefox has no file system. */
const pairs = engines.flatMap((name, index) => {
  const next = engines[(index + 1) % engines.length] ?? name;
  const usual = [next, '', name] as const;
  return name === 'firefox' ? [usual, [next, 'a private window of ', name] as const] : [usual];
});

describe.skipIf(natsServer === undefined).each(pairs)('a device in %s and one in %s%s', (next, kind, name) => {
  const site = servePage('rooms-sync');
  const phone = during(
    () => startEngine(name, { isPrivate: kind !== '' }),
    (its) => its.close(),
  );
  const laptop = during(
    () => startEngine(next),
    (its) => its.close(),
  );
  let server: NatsServer;
  let onPhone: EngineTab;
  let onLaptop: EngineTab;
  let phoneId = '';
  let session = '';

  beforeAll(async () => {
    server = await startNatsServer();
    const operator = await server.connect();
    await addStream(operator, { user: 'ann' });
    await operator.close();
    onPhone = await phone().open();
    onLaptop = await laptop().open();
    for (const tab of [onPhone, onLaptop]) await tab.goto(site());
  });
  afterAll(async () => {
    await server?.kill();
    if (server) await rm(server.folder, { recursive: true, force: true });
  });

  const begin = (tab: EngineTab, options: Omit<BeginOptions, 'url' | 'user'>): Promise<string> =>
    tab.run((its) => globalThis.room.begin(its), { url: server.webSocketUrl, user: 'ann', ...options });

  // The tests are the steps of two devices.
  it('know each other by a passphrase and an invitation', async () => {
    const laptopId = await begin(onLaptop, { device: 'Laptop', passphrase });
    const code = await onLaptop.run((its) => globalThis.room.invite(its), pin);
    phoneId = await begin(onPhone, { device: 'Phone', code, pin });
    for (const tab of [onPhone, onLaptop])
      await eventually(async () =>
        (await tab.run(() => globalThis.room.devices())).map(({ id, name }) => [id, name]),
      ).toEqual([
        [laptopId, 'Laptop'],
        [phoneId, 'Phone'],
      ]);
    for (const tab of [onPhone, onLaptop])
      expect(await tab.run(() => globalThis.room.exportKey())).toBe('InvalidAccessError');
  });

  it('show what is written on the other, and run a call once that the other has approved', async () => {
    session = await onLaptop.run(() => globalThis.room.create());
    await send(onLaptop, session, 'Hello');
    await eventually(() => listOf(onPhone)).toEqual([session]);
    await eventually(async () => (await viewOf(onPhone, session)).messages).toEqual([
      'user: Hello',
      'assistant: You said: Hello',
    ]);
    await send(onPhone, session, 'Pay');
    await eventually(() => viewOf(onLaptop, session)).toMatchObject({ pending: expect.any(String) });
    await onLaptop.run((its) => globalThis.room.approve(its), session);
    for (const tab of [onPhone, onLaptop])
      await eventually(() => viewOf(tab, session)).toMatchObject({
        status: 'idle',
        held: [],
        messages: { length: 5 },
      });
    expect([...(await ranOn(onPhone)), ...(await ranOn(onLaptop))]).toHaveLength(1);
  });

  it('show what came while the page was left, and write on, after its return', async () => {
    await onPhone.run(() => void (document.title = 'Before'));
    await onPhone.goto(`${site()}?elsewhere`);
    await send(onLaptop, session, 'Meanwhile');
    await eventually(() => viewOf(onLaptop, session)).toMatchObject({ status: 'idle', messages: { length: 7 } });
    await onPhone.back();
    await eventually(() => onPhone.url()).toBe(site());
    await eventually(() => onPhone.run(() => document.readyState).catch(() => '')).toBe('complete');
    const isShownAgain = (await onPhone.run(() => document.title)) === 'Before';
    if (!isShownAgain) await begin(onPhone, { device: 'Phone' });
    await eventually(async () => (await viewOf(onPhone, session)).messages.length).toBe(7);
    await send(onPhone, session, 'Back');
    await eventually(async () => (await viewOf(onLaptop, session)).messages.at(-1)).toBe('assistant: You said: Back');
  });

  it('go on without the server, also after a reload, and come in step once it is back', async () => {
    const port = Number(server.url.split(':')[1]);
    const webSocket = `port: ${new URL(server.webSocketUrl).port}, no_tls: true`;
    const { name, folder } = server;
    for (const tab of [onPhone, onLaptop]) await eventually(() => stateOf(tab)).toBe('in-step');
    await server.kill();
    await send(onPhone, session, 'From the train');
    await eventually(() => viewOf(onPhone, session)).toMatchObject({ status: 'idle', sync: 'behind' });
    await eventually(() => stateOf(onPhone)).toBe('offline');
    await onPhone.reload();
    expect((await viewOf(onPhone, session)).messages.slice(-2)).toEqual([
      'user: From the train',
      'assistant: You said: From the train',
    ]);
    server = await startNatsServer({ name, folder, port, webSocket });
    expect(await begin(onPhone, { device: 'Phone' })).toBe(phoneId);
    await eventually(async () => (await viewOf(onLaptop, session)).messages.at(-1)).toBe(
      'assistant: You said: From the train',
    );
    for (const tab of [onPhone, onLaptop]) await eventually(() => stateOf(tab)).toBe('in-step');
  });

  it('do not count the decisions of a device that was removed', async () => {
    await onLaptop.run((its) => globalThis.room.removeDevice(its), phoneId);
    await send(onLaptop, session, 'Pay');
    await eventually(() => viewOf(onPhone, session)).toMatchObject({ pending: expect.any(String) });
    await onPhone.run((its) => globalThis.room.approve(its, false), session);
    await eventually(() => viewOf(onLaptop, session)).toMatchObject({ held: ['removed-device'] });
    expect((await viewOf(onLaptop, session)).pending).toBeDefined();
  });

  it('erase all on one of them, also with a second tab, and keep the sessions of the other', async () => {
    await onPhone.run(() => globalThis.room.keep());
    const second = await phone().open();
    await second.goto(site());
    await eventually(() => viewOf(second, session)).toMatchObject({ messages: { length: 13 } });
    const before = await onPhone.run(() => globalThis.room.stored());
    expect(before.databases).toEqual(['brooklet-device', 'brooklet-keys', 'brooklet-notes', 'synced']);
    await onPhone.run(() => globalThis.room.disconnect());
    const report = await onPhone.run(() => globalThis.room.erase());
    expect(report).toMatchObject({ workspaces: before.folders, sessions: 1, left: [] });
    expect(report.databases.toSorted()).toEqual(before.databases);
    expect(await onPhone.run(() => globalThis.room.stored())).toEqual({
      databases: [],
      folders: [],
      entries: ['of the page'],
    });
    expect(await listOf(second)).toEqual([]);
    await second.close();
    expect(await listOf(onLaptop)).toEqual([session]);
  });
});

import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { headers as createHeaders, type NatsConnection } from '@nats-io/nats-core';
import { createNatsStore } from 'brooklet/nats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NatsServer, natsServer, startNatsServer } from './support/nats-server.ts';
import { addStream, api, streamState } from './support/streams.ts';
import { writeAt } from './support/writes.ts';

/** The configuration in the documentation, without what is different for each test run. */
async function documentedConfig(): Promise<string> {
  const page = await readFile(new URL('../../docs/nats.md', import.meta.url), 'utf8');
  const [, config = ''] = /```conf\n(.*?)```/s.exec(page) ?? [];
  return config.replace(/^(server_name|listen):.*\n/gm, '').replace(/^(jetstream|websocket) \{.*?^\}\n/gms, '');
}

describe.skipIf(natsServer === undefined)('the documented configuration', () => {
  let server: NatsServer;
  let annOperator: NatsConnection;
  let bobOperator: NatsConnection;
  let ann: NatsConnection;
  let bob: NatsConnection;

  const connectPage = (user: string, pass = `${user}-password`): Promise<NatsConnection> =>
    server.connect({ user, pass, reconnect: false });

  beforeAll(async () => {
    // The Node that runs the tests may have no WebSocket; test/e2e/nats.test.ts has.
    const config = (await documentedConfig()).replaceAll(', allowed_connection_types: ["WEBSOCKET"]', '');
    server = await startNatsServer({ config });
    annOperator = await server.connect({ user: 'ann-operator', pass: 'ann-operator-password' });
    bobOperator = await server.connect({ user: 'bob-operator', pass: 'bob-operator-password' });
    await addStream(annOperator, { user: 'ann', maxBytes: 100_000_000 });
    await addStream(bobOperator, { user: 'bob', maxBytes: 100_000_000 });
    [ann, bob] = await Promise.all([connectPage('ann'), connectPage('bob')]);
    await createNatsStore({ connection: ann, user: 'ann' }).write(writeAt('secret', 0));
  }, 60_000);
  afterAll(async () => {
    await Promise.all([ann, bob, annOperator, bobOperator].map((connection) => connection?.close()));
    await server?.stop();
  });

  it('is what the documentation says, except for paths and ports', async () => {
    const config = await documentedConfig();
    expect(config).toContain('accounts {');
    expect(config).toContain('permissions: $PAGE');
  });

  it('lets a page use every verb of its own sessions', async () => {
    const store = createNatsStore({ connection: ann, user: 'ann' });
    const other = await connectPage('ann');
    const second = createNatsStore({ connection: other, user: 'ann' });
    await store.write(writeAt('a', 0, 'x'.repeat(700_000)));
    expect((await second.read('a'))?.events).toHaveLength(1);
    expect((await second.list()).sessions.map(({ id }) => id)).toContain('a');
    expect([await second.remove('a'), await store.restore('a'), await store.remove('a')]).toEqual([true, true, true]);
    await store.meta.update('rule', () => true);
    expect(await second.meta.get('rule')).toBe(true);
    const lock = await store.locks.acquire('a');
    expect(await second.locks.isHeld?.('a')).toBe(true);
    lock.release();
    await store.live.announce('a', 'Ann');
    await store.read('a');
    expect(await second.live.present('a')).toEqual(['Ann']);
    store.close();
    second.close();
    await other.close();
  });

  it.each(['STREAM.PURGE', 'STREAM.DELETE', 'STREAM.UPDATE', 'STREAM.INFO', 'STREAM.MSG.DELETE'])(
    'refuses %s of its own stream to a page',
    async (verb) => {
      const before = await api(annOperator, 'STREAM.INFO.BROOKLET_ann');
      await expect(api(ann, `${verb}.BROOKLET_ann`, { seq: 1, name: 'BROOKLET_ann' })).rejects.toThrow(/permissions/i);
      expect(await api(annOperator, 'STREAM.INFO.BROOKLET_ann')).toMatchObject({
        state: (before as { readonly state: object }).state,
      });
    },
  );

  it.each(['all', 'sub'])('lets a page erase nothing by the header Nats-Rollup: %s', async (kind) => {
    const store = createNatsStore({ connection: ann, user: 'ann' });
    await store.write(writeAt(`kept-${kind}`, 0));
    const before = await streamState(annOperator, 'BROOKLET_ann');
    const headers = createHeaders();
    headers.set('Nats-Rollup', kind);
    for (const subject of [`log.kept-${kind}`, 'log.secret', 'lock.x', 'meta.x']) {
      const answer = (await ann.request(`brooklet.ann.${subject}`, '', { headers, timeout: 2000 })).json();
      expect(answer).toMatchObject({ error: { description: expect.stringMatching(/rollup not permitted/i) } });
    }
    expect(await streamState(annOperator, 'BROOKLET_ann')).toEqual(before);
    expect((await store.read(`kept-${kind}`))?.events).toHaveLength(1);
    store.close();
  });

  it('lets a page create no stream', async () => {
    await expect(api(bob, 'STREAM.CREATE.OTHER', { name: 'OTHER', subjects: ['x'] })).rejects.toThrow(/permissions/i);
  });

  it("lets another user's page neither read, list nor write", async () => {
    const store = createNatsStore({ connection: bob, user: 'ann', stream: 'BROOKLET_ann', timeout: 2000 });
    const verbs = [
      () => store.read('secret'),
      () => store.list(),
      () => store.write(writeAt('secret', 1)),
      () => store.remove('secret'),
      () => store.meta.get('rule'),
    ];
    for (const verb of verbs) await expect(verb()).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    store.close();
  });

  describe('the holes of a shared account', () => {
    it('STREAM.INFO with a filter, STREAM.NAMES and STREAM.MSG.GET name or read nothing of another user', async () => {
      const asked = { subjects_filter: '>', last_by_subj: 'brooklet.ann.log.secret' };
      for (const verb of ['STREAM.INFO', 'STREAM.MSG.GET', 'DIRECT.GET'])
        for (const connection of [bob, bobOperator])
          await expect(api(connection, `${verb}.BROOKLET_ann`, asked, 500)).rejects.toThrow(
            /timeout|not found|responders|permissions/i,
          );
      expect(await api(bobOperator, 'STREAM.NAMES')).toMatchObject({ streams: ['BROOKLET_bob'] });
    });

    it("CONSUMER.MSG.NEXT delivers nothing through another user's consumer whose name is known", async () => {
      const config = { name: 'known', filter_subject: 'brooklet.ann.log.*', ack_policy: 'none' };
      const create = 'CONSUMER.CREATE.BROOKLET_ann.known.brooklet.ann.log.*';
      await api(ann, create, { stream_name: 'BROOKLET_ann', config });
      await expect(
        bob.request('$JS.API.CONSUMER.MSG.NEXT.BROOKLET_ann.known', '{"batch":1}', { timeout: 1000 }),
      ).rejects.toThrow(/timeout|responders/i);
    });

    it('a consumer delivers into no log, live channel or lease of another user', async () => {
      await createNatsStore({ connection: bob, user: 'bob' }).write(writeAt('bait', 0));
      const heard: string[] = [];
      for (const kind of ['live.text.secret', 'own.secret.x', 'lock.secret'])
        ann.subscribe(`brooklet.ann.${kind}`, { callback: (_error, { subject }) => void heard.push(subject) });
      await ann.flush();
      for (const kind of ['log.secret', 'live.text.secret', 'own.secret.x', 'lock.secret']) {
        const name = `into-${kind.replaceAll('.', '-')}`;
        const deliver = { deliver_subject: `brooklet.ann.${kind}`, filter_subject: 'brooklet.bob.log.*' };
        const create = `CONSUMER.CREATE.BROOKLET_bob.${name}.brooklet.bob.log.*`;
        await api(bob, create, { stream_name: 'BROOKLET_bob', config: { name, ack_policy: 'none', ...deliver } });
        bob.publish(`brooklet.ann.${kind}`, 'forged');
      }
      await bob.flush();
      const store = createNatsStore({ connection: ann, user: 'ann' });
      expect((await store.read('secret'))?.events).toHaveLength(1);
      await ann.flush();
      expect(heard).toEqual([]);
    });

    it('a subscription hears nothing of another user', async () => {
      const heard: string[] = [];
      for (const connection of [bob, bobOperator])
        connection.subscribe('brooklet.ann.>', {
          callback: (error, message) => void (error ?? heard.push(message.subject)),
        });
      await bobOperator.flush();
      await createNatsStore({ connection: ann, user: 'ann' }).write(writeAt('secret', 1));
      await bobOperator.flush();
      expect(heard).toEqual([]);
    });
  });

  it('refuses a page with another password, a page over TCP, and a page of another origin', async () => {
    await expect(connectPage('ann', 'wrong')).rejects.toThrow(/authorization/i);
    const page = await readFile(new URL('../../docs/nats.md', import.meta.url), 'utf8');
    const [origins = ''] = /allowed_origins: .*/.exec(page) ?? [];
    const strict = await startNatsServer({
      config: await documentedConfig(),
      webSocket: `port: -1, no_tls: true, ${origins}`,
    });
    await expect(strict.connect({ user: 'ann', pass: 'ann-password', reconnect: false })).rejects.toThrow(
      /authorization/i,
    );
    expect([
      await handshake(strict.webSocketUrl, 'https://app.example.com'),
      await handshake(strict.webSocketUrl, 'https://evil.example'),
    ]).toEqual([101, 403]);
    await strict.stop();
  });
});

/** Asks for a WebSocket as a page of that origin does. Resolves with the status of the answer. */
function handshake(url: string, origin: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      origin,
    };
    const asked = request(url.replace('ws:', 'http:'), { headers });
    asked.once('error', reject);
    asked.once('response', ({ statusCode }) => {
      asked.destroy();
      resolve(statusCode);
    });
    asked.once('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      resolve(statusCode);
    });
    asked.end();
  });
}

import type { NatsConnection } from '@nats-io/nats-core';
import { createAgent, type AgentSession, type SessionStatus } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import type { NatsLink } from 'brooklet/nats';
import { expect, it } from 'vitest';
import { createGate } from '../support/gate.ts';
import { until } from '../support/until.ts';
import { setNatsStage } from './support/stage.ts';

const stage = setNatsStage();

/** Round trips of another page: long enough for each message between the server and the pages. */
const many = 60;

it.each([
  ['that is free', async () => {}],
  [
    'of a page that is gone',
    async (id: string) => {
      const connection = await stage().connect();
      const gone = await stage().open({}, () => connection);
      await gone.locks?.acquire(id);
      await connection.close();
    },
  ],
])('a page whose lease, %s, is claimed later than its run begins is not taken for gone', async (_which, prepare) => {
  const lateClaim = createGate();
  const answered = createGate();
  let isLate = false;
  // The connection of this page is slow as it asks who has the lease. The stream has the claim later than the run.
  const store = await stage().open({}, (connection) =>
    withLateLease(connection, async () => {
      if (isLate) await lateClaim.opened;
    }),
  );
  const answers = [[reply.text('First.')], [reply.text('Second'), reply.until(answered.opened), reply.text(', done.')]];
  const owner = createAgent({ client: createScriptedClient(answers), store });
  const other = await stage().open();
  const follower = createAgent({ client: createScriptedClient([]), store: other });
  const id = owner.createSession();
  const mine = await owner.openSession(id);
  await mine.send('One');
  await mine.flushed();
  const theirs = await follower.openSession(id);
  const seen: SessionStatus[] = [];
  theirs.status$.subscribe((status) => seen.push(status));

  await prepare(id);

  isLate = true;
  const sent = mine.send('Two');
  await until(() => expect(textOf(theirs)).toContain('Two'));
  for (let trip = 0; trip < many; trip += 1) await other.read(id, { after: Infinity });
  expect([mine.getStatus(), seen.at(-1)]).toEqual(['running', 'running']);
  lateClaim.open();
  for (let trip = 0; trip < many; trip += 1) await other.read(id, { after: Infinity });
  answered.open();
  expect(await sent).toMatchObject({ outcome: 'completed' });
  await until(() => expect(textOf(theirs)).toContain('Second, done.'));
  expect(seen).not.toContain('interrupted');
  await Promise.all([owner.dispose(), follower.dispose()]);
});

it('the run of a page that is gone is interrupted, also where that page never claimed its lease', async () => {
  let isLate = false;
  const connection = await stage().connect();
  const never = createGate();
  const store = await stage().open({}, () =>
    withLateLease(connection, async () => {
      if (isLate) await never.opened;
    }),
  );
  const owner = createAgent({ client: createScriptedClient([[reply.text('Half'), reply.until(never.opened)]]), store });
  const other = await stage().open();
  const follower = createAgent({ client: createScriptedClient([]), store: other });
  const id = owner.createSession();
  const mine = await owner.openSession(id);
  await mine.flushed();
  const theirs = await follower.openSession(id);
  isLate = true;
  void mine.send('One').catch(() => {});
  await until(() => expect(textOf(theirs)).toContain('One'));
  await connection.close();
  await until(() => expect(theirs.getStatus()).toBe('interrupted'));
  await follower.dispose();
});

/** A connection whose answers about leases come later. */
function withLateLease(connection: NatsConnection, late: () => Promise<void>): NatsLink {
  const link: NatsLink = Object.create(connection);
  const request: NatsLink['request'] = async (subject, data, options) => {
    const answer = await connection.request(subject, data, options);
    if (typeof data === 'string' && data.includes('.lock.')) await late();
    return answer;
  };
  return Object.assign(link, { request });
}

function textOf(session: AgentSession): string {
  return JSON.stringify(session.getMessages());
}

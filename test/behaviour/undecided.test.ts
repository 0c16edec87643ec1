import { AgentError, type AgentSession, createAgent, type SessionStore, toolParts } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { describe, expect, test, vi } from 'vitest';
import { createManualClient, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { ask, callsOf, recorded, statusesOf } from '../support/stage.ts';

/** A session in which a call waits for a person, on a disk that is full from now on. */
async function stage({ asks = false, calls = 1 } = {}) {
  const store = createMemoryStore();
  const full = new AgentError('The disk is full.', { code: 'QUOTA_EXCEEDED' });
  let isFull = false;
  const failing: SessionStore = {
    ...store,
    write: (write) => (isFull ? Promise.reject(full) : store.write(write)),
  };
  const { tool, runs } = recorded('pay', { needsApproval: true, ...(asks && { answer: { type: 'object' } }) });
  const client = createManualClient();
  const ports = createManualPorts('tab');
  const agent = createAgent({ client, store: failing, tools: [tool], ports });
  const session = await agent.openSession(agent.createSession());
  await ask({ session, client }, ...Array.from({ length: calls }, (): [string, string] => ['pay', '{}']));
  const [held] = callsOf(session);
  if (held?.status !== 'awaiting-approval') throw new Error('The call does not wait.');
  // The code of decisions, which loads while the person reads.
  await vi.dynamicImportSettled();
  isFull = true;
  const reopen = async (): Promise<AgentSession> =>
    createAgent({ client, store, tools: [tool] }).openSession(session.id);
  return { session, client, callId: held.callId, runs, store, reopen, ports, free: () => (isFull = false) };
}

type Stage = Awaited<ReturnType<typeof stage>>;
const decisions: Readonly<Record<string, (its: Stage) => Promise<void>>> = {
  'an approval': ({ session, callId }) => session.approve(callId),
  'an approval with an edited input': ({ session, callId }) => session.approve(callId, { input: { sum: 1 } }),
  'an approval that is remembered': ({ session, callId }) => session.approve(callId, { remember: 'session' }),
  'a rejection': ({ session, callId }) => session.reject(callId, { reason: 'no' }),
  'an answer': ({ session, callId }) => session.answer(callId, { sum: 1 }),
};

describe.each(Object.entries(decisions))('%s on a full disk', (what, decide) => {
  const asks = what === 'an answer';

  test('rejects, and the call still waits, here and after a reload', async () => {
    const its = await stage({ asks });
    await expect(decide(its)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    await settled();
    expect(statusesOf(its.session)).toEqual(['awaiting-approval']);
    expect([its.session.getStatus(), its.session.getState().approvalRules, its.runs]).toEqual(['waiting', [], []]);
    const reopened = await its.reopen();
    expect(callsOf(reopened)).toEqual(callsOf(its.session));
  });

  test('can be taken when the disk has room again', async () => {
    const its = await stage({ asks });
    await decide(its).catch(() => {});
    its.free();
    await decide(its);
    await settled();
    expect(its.runs).toHaveLength(what === 'a rejection' ? 0 : 1);
    await its.session.flushed();
    const reopened = await its.reopen();
    expect(callsOf(reopened)).toEqual(callsOf(its.session));
  });

  test('stays where its run has ended meanwhile: the next request was made of it', async () => {
    const its = await stage({ asks });
    const { session, client } = its;
    const deciding = decide(its);
    while (callsOf(session)[0]?.status === 'awaiting-approval') await Promise.resolve();
    void session.send('Something else.', { whenBusy: 'interrupt' });
    await expect(deciding).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    await settled();
    const [sent] = client.last().request.messages.flatMap(toolParts);
    expect(callsOf(session)).toEqual([sent]);
    expect(its.runs).toEqual([]);
  });

  test('does not take the events with it that were appended meanwhile', async () => {
    const its = await stage({ asks });
    its.session.rename('before');
    const deciding = decide(its);
    for (let turn = 0; turn < 3; turn++) await Promise.resolve();
    its.session.rename('after');
    await expect(deciding).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect([its.session.getState().title, its.session.getStatus()]).toEqual(['after', 'waiting']);
    its.free();
    its.ports.pass(60_000);
    await its.session.flushed();
    const stored = await its.store.read(its.session.id);
    expect(stored?.events.map(({ seq }) => seq)).toEqual(stored?.events.map((_event, index) => index + 1));
    expect(stored?.summary.title).toBe('after');
    expect(stored?.events.some(({ type }) => type === 'approval.decided')).toBe(false);
  });
});

describe('several decisions on a full disk', () => {
  const titleOf = ({ session }: Stage): string => session.getState().title;

  test.each(['at once', 'one after the other'])('that were taken %s reject, and all calls still wait', async (when) => {
    const its = await stage({ calls: 3 });
    const { session } = its;
    const deciding = callsOf(session).map(async ({ callId }, index) => {
      if (when !== 'at once') for (let turn = 0; turn < index; turn++) await Promise.resolve();
      const decided = session[index === 1 ? 'reject' : 'approve'](callId);
      session.rename(`title ${index}`);
      return decided;
    });
    await expect(Promise.allSettled(deciding)).resolves.toMatchObject(
      deciding.map(() => ({ status: 'rejected', reason: { code: 'QUOTA_EXCEEDED' } })),
    );
    expect(statusesOf(session)).toEqual(Array.from({ length: 3 }, () => 'awaiting-approval'));
    expect(titleOf(its)).toBe('title 2');
    its.free();
    its.ports.pass(60_000);
    await session.flushed();
    const stored = await its.store.read(session.id);
    expect(stored?.events.map(({ seq }) => seq)).toEqual(stored?.events.map((_event, index) => index + 1));
    expect(stored?.events.filter(({ type }) => type === 'session.renamed')).toHaveLength(3);
    expect(stored?.events.some(({ type }) => type === 'approval.decided')).toBe(false);
    expect(callsOf(await its.reopen())).toEqual(callsOf(session));
  });

  test('leave those that are taken when the disk has room again', async () => {
    const its = await stage({ calls: 2 });
    const { session } = its;
    await Promise.allSettled(callsOf(session).map(({ callId }) => session.approve(callId)));
    its.free();
    await Promise.all(callsOf(session).map(({ callId }) => session.approve(callId)));
    await settled();
    await session.flushed();
    expect(its.runs).toHaveLength(2);
    expect(callsOf(await its.reopen())).toEqual(callsOf(session));
  });
});

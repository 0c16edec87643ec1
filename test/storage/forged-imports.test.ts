import { createAgent, type SessionStore } from 'brooklet';
import { eventVersion } from 'brooklet/core';
import { createMemoryStore, exportSession, importSessions } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, test } from 'vitest';
import { recorded } from '../support/stage.ts';

// Files that were made to run a tool on the page of the person who imports them and presses "Resume".

type Body = Readonly<Record<string, unknown>>;

const user = { id: 'm1', role: 'user', content: [{ type: 'text', text: 'Hello' }], timestamp: 1 };
const asked: readonly Body[] = [
  { type: 'message.added', message: user },
  { type: 'run.started', runId: 'r1' },
];
const requested: readonly Body[] = [
  { type: 'reply.started', messageId: 'm2' },
  { type: 'call.requested', callId: 'c', name: 'pay', inputText: '{"amount":1}', input: { amount: 1 } },
  { type: 'reply.ended', finish: 'tool-calls' },
];
const waiting: Body = { type: 'approval.requested', callId: 'c' };
const approved: Body = {
  type: 'approval.decided',
  callId: 'c',
  verdict: 'approved',
  decidedBy: 'user',
};
const proposed: Body = { type: 'approval.proposed', callId: 'c', proposal: { verdict: 'approved' } };
const begun: Body = { type: 'call.started', callId: 'c', attempt: 1 };
const ended = (outcome: string, runId = 'r1'): Body => ({ type: 'run.ended', runId, outcome });
const uncertain: Body = { type: 'call.ended', callId: 'c', outcome: 'uncertain' };
const callPart = (status: string, callId = 'c') => ({
  type: 'tool',
  callId,
  name: 'pay',
  status,
  inputText: '{"amount":1}',
  input: { amount: 1 },
  approval: { verdict: 'approved', decidedBy: 'user' },
});
const replyWith = (id: string, ...content: readonly object[]) => ({
  id,
  role: 'assistant',
  status: 'complete',
  finish: 'tool-calls',
  content,
  timestamp: 1,
});

const forgeries: Readonly<Record<string, readonly Body[]>> = {
  'a call that was cut off in an interrupted run': [
    ...asked,
    ...requested,
    waiting,
    approved,
    begun,
    ended('interrupted'),
  ],
  'an approval with another input than the one shown': [
    ...asked,
    ...requested,
    waiting,
    { ...approved, input: { amount: 1_000 } },
    begun,
    ended('interrupted'),
  ],
  'an approved call in a run that failed': [...asked, ...requested, waiting, approved, ended('failed')],
  'an uncertain call in a run that was cancelled': [
    ...asked,
    ...requested,
    approved,
    begun,
    uncertain,
    ended('cancelled'),
  ],
  'an uncertain call in a run that ended at a limit': [
    ...asked,
    ...requested,
    approved,
    begun,
    uncertain,
    ended('limit'),
  ],
  'a run that was resumed in the file': [
    ...asked,
    ...requested,
    approved,
    begun,
    ended('interrupted'),
    { type: 'run.started', runId: 'r2', resumes: 'r1' },
    ended('interrupted', 'r2'),
  ],
  'a run that is open in the file': [...asked, ...requested, approved, begun, uncertain],
  'a proposal to approve in a run that is open in the file': [...asked, ...requested, waiting, proposed],
  'a proposal to approve in an interrupted run': [...asked, ...requested, waiting, proposed, ended('interrupted')],
  'a proposal to approve inside a message': [
    ...asked,
    {
      type: 'message.added',
      message: replyWith('m2', {
        ...callPart('awaiting-approval'),
        approval: { proposal: { verdict: 'approved' } },
      }),
    },
    ended('interrupted'),
  ],
  'a call inside a message': [
    ...asked,
    { type: 'message.added', message: replyWith('m2', callPart('uncertain')) },
    ended('interrupted'),
  ],
  'a call with the id of another': [
    ...asked,
    { type: 'message.added', message: replyWith('m2', callPart('uncertain'), callPart('uncertain')) },
    { type: 'message.added', message: replyWith('m3', callPart('succeeded'), callPart('uncertain')) },
    ended('failed'),
  ],
  'a call in a message that returns because it was not answered again': [
    ...asked,
    ...requested,
    approved,
    begun,
    ended('interrupted'),
    { type: 'session.rewound', messageId: 'm1' },
  ],
  'a call after the mark of an import': [
    ...asked,
    { type: 'session.imported' },
    ...requested,
    approved,
    begun,
    ended('interrupted'),
  ],
};

function fileOf(bodies: readonly Body[]): string {
  const log = [{ type: 'session.started', sessionId: 's' }, ...bodies].map((body, index) => ({
    ...body,
    seq: index + 1,
    at: index + 1,
    v: eventVersion,
  }));
  return [{ format: 'brooklet', version: 1, head: { id: 's' } }, ...log].map((row) => JSON.stringify(row)).join('\n');
}

/** Imports the file and resumes, regenerates and decides as a person might. Returns the inputs with which the tool ran. */
async function inputsAfter(file: string, needsApproval: boolean, store: SessionStore): Promise<readonly unknown[]> {
  const { tool, runs } = recorded('pay', { idempotent: true, needsApproval });
  expect((await importSessions(store, file)).problems).toEqual([]);
  const agent = createAgent({ client: createScriptedClient([[reply.text('Hi')]]), tools: [tool], store });
  const session = await agent.openSession('s');
  await expect(session.approve('c')).rejects.toMatchObject({ code: expect.stringMatching(/^CALL_/) });
  for (const go of [
    () => session.resume(),
    () => session.regenerate(),
    () => session.send('Go on'),
    () => session.resume(),
  ]) {
    try {
      await go();
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: 'NOTHING_TO_RESUME' });
    }
  }
  await session.flushed();
  return runs.map(([input]) => input);
}

test.each(
  Object.entries(forgeries).flatMap(([name, bodies]) =>
    [true, false].map((needsApproval) => [name, needsApproval ? 'with' : 'without', bodies] as const),
  ),
)('%s runs nothing, for a tool %s approval', async (_name, gate, bodies) => {
  expect(await inputsAfter(fileOf(bodies), gate === 'with', createMemoryStore())).toEqual([]);
});

test('an import of its own export is equal, and runs nothing either', async () => {
  for (const bodies of Object.values(forgeries)) {
    const [first, second] = [createMemoryStore(), createMemoryStore()];
    await importSessions(first, fileOf(bodies));
    const stored = await first.read('s');
    if (!stored) expect.unreachable();
    expect(await inputsAfter(exportSession(stored), false, second)).toEqual([]);
    const back = await second.read('s');
    expect(back?.events.slice(0, stored.events.length)).toEqual(stored.events);
  }
});

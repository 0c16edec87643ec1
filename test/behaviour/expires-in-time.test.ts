import { expect, test } from 'vitest';
import { reply } from 'brooklet/testing';
import { when } from '../../src/core/log/current.ts';
import { createStage } from '../support/context-stage.ts';
import { recorded, statusesOf } from '../support/stage.ts';

test.each(['status$', 'approvals$'] as const)(
  'a call expires in time for a page that waits for %s, and then lets it pass',
  async (stream) => {
    const { tool, runs } = recorded('send', { needsApproval: true, approvalTimeout: 1_000 });
    const { session, ports } = await createStage(
      { contextWindow: 100_000, tools: [tool] },
      { chat: (_request, index) => [[reply.call('send')], [reply.text('Not sent.')]][index] ?? expect.unreachable() },
    );
    const sent = session.send('And now?');
    if (stream === 'status$') await when(session.status$, (status) => status === 'waiting');
    else await when(session.approvals$, (calls) => calls.length > 0);
    ports.pass(1_000);
    expect(await sent).toMatchObject({ outcome: 'completed' });
    expect(statusesOf(session)).toEqual(['expired']);
    expect(runs).toHaveLength(0);
  },
);

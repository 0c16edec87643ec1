import { createAgent, defineTool, type SessionEvent } from 'brooklet';
import { createMemoryStore, exportSession } from 'brooklet/storage';
import { createScriptedClient, ReplayError, reply, toTest } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { heldIn } from '../../support/person.ts';
import type { Mutation } from '../../support/mutant.ts';
import { runPasted } from '../../support/pasted.ts';
import { until } from '../../support/until.ts';
import { record } from '../../review/recorded.ts';

/** A session whose provider gave no reason for the end of its answer: the call may be a part, so a person decides. */
async function recordCutAnswer(): Promise<readonly SessionEvent[]> {
  const store = createMemoryStore();
  const client = createScriptedClient([
    [reply.call('delete_files', { path: '/tmp' }), reply.finish('unknown')],
    [reply.text('Nothing was deleted.')],
  ]);
  const tool = defineTool({
    name: 'delete_files',
    description: 'Deletes files.',
    input: { type: 'object' },
    execute: () => 'deleted',
  });
  const agent = createAgent({ client, store, tools: [tool] });
  const session = await agent.openSession(agent.createSession());
  const answered = session.send('Clean up.');
  const callId = await until(() => heldIn(session)[0] ?? expect.unreachable());
  await session.reject(callId, { reason: 'The path is too short.' });
  await answered;
  await session.flushed();
  return (await store.read(session.id))?.events ?? [];
}

/** A session whose texts look like code. */
async function recordCode(): Promise<readonly SessionEvent[]> {
  const text = '`${process.exit(1)}` "__proto__": \\" </script> \u2028 {"__proto__":1}';
  const store = createMemoryStore();
  const client = createScriptedClient([reply.call('none', '{"__proto__":{"a":1},"b":2}')]);
  const agent = createAgent({ client, store, maxSteps: 1 });
  const session = await agent.openSession(agent.createSession());
  await session.send(text);
  await session.flushed();
  return (await store.read(session.id))?.events ?? [];
}

const cutAnswer = 'asks a person about a call that may be cut';

describe('a session as a test', { timeout: 120_000 }, () => {
  test('passes as it is pasted: with its log, with a log beside it, with texts that look like code', async () => {
    const { stored } = await record();
    const files = {
      'inlined.test.ts': toTest(stored.events),
      'beside.test.ts': toTest(stored.events, { file: './session.jsonl', name: 'reads its log' }),
      'session.jsonl': exportSession(stored),
      'code.test.ts': toTest(await recordCode(), { name: 'keeps what looks like code' }),
      'cut.test.ts': toTest(await recordCutAnswer(), { name: cutAnswer }),
    };
    const { output, hasFailed } = await runPasted({ files });
    expect(output).toContain('4 passed');
    for (const name of ['Please pay the bill.', 'reads its log', 'keeps what looks like code', cutAnswer])
      expect(output).toContain(`> ${name}`);
    expect(hasFailed).toBe(false);
  });

  test('fails while a bug is in the package', async () => {
    const bug: Mutation = {
      file: 'src/core/tools/decide.ts',
      swaps: [["finish === 'unknown' ? 'unknown-finish' : undefined", 'undefined']],
    };
    const files = { 'cut.test.ts': toTest(await recordCutAnswer(), { name: cutAnswer }) };
    const { output, hasFailed } = await runPasted({ files, mutations: [bug] });
    expect(hasFailed).toBe(true);
    expect(output).toContain(`> ${cutAnswer}`);
    expect(output).toContain('ReplayError: The call differs from the log');
    expect(output).toContain('cause: "unknown-finish"');
  });

  test('fails when what the person saw is not what the source says', async () => {
    const source = toTest(await recordCutAnswer()).replace('Nothing was deleted.', 'Everything was deleted.');
    expect(source).toContain('Everything');
    const { output, hasFailed } = await runPasted({ files: { 'seen.test.ts': source } });
    expect(hasFailed).toBe(true);
    expect(output).toContain('Everything');
  });

  test('does not exist for a log that cannot be replayed', () => {
    const log: readonly SessionEvent[] = [{ type: 'run.started', runId: 'r', seq: 1, at: 1, v: 2 }];
    expect(() => toTest(log)).toThrow(ReplayError);
  });
});

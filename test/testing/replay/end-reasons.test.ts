import { readFileSync } from 'node:fs';
import { defineTool, type JsonObject, type SessionEvent } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { replay, ReplayError } from 'brooklet/testing';
import { expect, test } from 'vitest';
import { call, say, settled } from '../../support/manual-client.ts';
import { callIdOf, stage } from '../../support/stage.ts';

type Ended = Extract<SessionEvent, { readonly type: 'call.ended' }>;

/** What `record` made in a version before the field `reason`. */
const golden = new URL('ends-before-reasons.json', import.meta.url);

/** A session whose calls end for every reason that one page can cause, and one call that succeeds. */
async function record(): Promise<readonly SessionEvent[]> {
  let isStrict = false;
  const input = { type: 'object', properties: { n: { type: 'number' } } } as const;
  const version = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value: unknown) => (isStrict ? { issues: [{ message: 'no' }] } : { value }),
      jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
    },
  } as const;
  const tools = [
    defineTool({ name: 'fine', description: 'F', input, execute: () => 'done' }),
    defineTool({ name: 'slow', description: 'S', input, timeout: 500, execute: () => new Promise(() => {}) }),
    defineTool({ name: 'gated', description: 'G', input: version, needsApproval: true, execute: () => 'done' }),
  ];
  const store = createMemoryStore();
  const on = stage({ tools, store });
  const answer = async (name: string, inputText: string): Promise<void> => {
    call(on.client.last(), [name, inputText]);
    await settled();
  };
  void on.session.send('Go');
  await settled();
  await answer('fine', '{"n":1}');
  await answer('fine', '{"n":');
  await answer('fine', '{"n":"x"}');
  await answer('unknown', '{}');
  await answer('gated', '{}');
  isStrict = true;
  await on.session.approve(callIdOf(on.session, 4));
  await settled();
  await answer('slow', '{}');
  on.ports.pass(500);
  await settled();
  on.client.last().chunks.next({ type: 'call', index: 0, name: 'fine', text: '{"n":' });
  on.client.last().chunks.next({ type: 'call-end', index: 0, name: 'fine', inputText: '{"n":' });
  on.client.last().chunks.next({ type: 'finish', reason: 'length' });
  on.client.last().chunks.complete();
  await settled();
  say(on.client.last(), 'Done');
  await settled();
  await on.session.flushed();
  const log: readonly SessionEvent[] = JSON.parse(JSON.stringify((await store.read(on.session.id))?.events));
  return log;
}

const endsIn = (log: readonly SessionEvent[]): readonly Ended[] => log.filter((event) => event.type === 'call.ended');

function changed(log: readonly SessionEvent[], change: (event: Ended) => JsonObject): readonly SessionEvent[] {
  const text = JSON.stringify(log.map((event) => (event.type === 'call.ended' ? change(event) : event)));
  const copy: readonly SessionEvent[] = JSON.parse(text);
  return copy;
}

const reasons = [undefined, 'no-object', 'schema', 'unknown-tool', 'schema', 'timeout', 'cut-off'];

test('a call that ends without a result of its tool has the reason, and a sentence for the model', async () => {
  const ends = endsIn(await record());
  expect(ends.map(({ reason }) => reason)).toEqual(reasons);
  expect(ends.map(({ outcome }) => outcome)).toEqual([
    'succeeded',
    'invalid',
    'invalid',
    'invalid',
    'failed',
    'timed-out',
    'invalid',
  ]);
  expect(ends[5]).toMatchObject({ timeout: 500, output: 'The tool took longer than 500 ms and was stopped.' });
});

test('a replay compares reasons, and no sentences', async () => {
  const log = await record();
  await replay(log);
  await replay(changed(log, (event) => ({ ...event, ...(event.reason && { output: 'Other words.' }) }) as never));
  for (const [index, { reason, seq }] of endsIn(log).entries()) {
    if (reason === undefined) continue;
    const other = changed(
      log,
      (event) =>
        ({ ...event, ...(event.seq === seq && { reason: reason === 'schema' ? 'no-object' : 'schema' }) }) as never,
    );
    await expect(replay(other), `${index} ${reason}`).rejects.toBeInstanceOf(ReplayError);
  }
});

test('a log without reasons, of an earlier version, is replayed, whatever its sentences', async () => {
  const old: readonly SessionEvent[] = JSON.parse(readFileSync(golden, 'utf8'));
  expect(endsIn(old).map(({ reason }) => reason)).toEqual(reasons.map(() => undefined));
  const { state } = await replay(old);
  expect(JSON.stringify(state.messages)).toContain('the input does not fit the schema');
  await replay(
    changed(
      old,
      (event) =>
        ({
          ...event,
          ...(event.outcome === 'invalid' &&
            typeof event.output === 'string' && { output: event.output.replace('does not fit', 'does not match') }),
        }) as never,
    ),
  );
});

import { defineTool, type SessionEvent } from 'brooklet';
import { replay, ReplayError, type ReplayOptions } from 'brooklet/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { play, schedules } from '../../support/schedule.ts';
import { seeded } from '../../support/seeded.ts';

const recorded = {
  instructions: 'Be brief.',
  model: 'm1',
  temperature: 0.5,
  providerParams: { top_k: 1, seed: 2 },
} satisfies ReplayOptions;

/** Returns the tools of a log, with the first one changed. */
function changedTools(log: readonly SessionEvent[], change: object): NonNullable<ReplayOptions['tools']> {
  const specs = log.find((event) => event.type === 'tools.changed')?.tools ?? [];
  return specs.map(({ name, description, inputSchema }, index) =>
    defineTool({ name, description, input: inputSchema, execute: () => 'done', ...(index === 0 && change) }),
  );
}

/** What somebody may change, and what the difference names. */
const changes: Record<string, (log: readonly SessionEvent[]) => readonly [ReplayOptions, place: string]> = {
  'the instructions': () => [{ instructions: 'Be long.' }, '+ messages[0].content[0].text: "Be long."'],
  'no instructions': () => [{ instructions: '' }, 'messages[0]'],
  'the model': () => [{ model: 'm2' }, '+ model: "m2"'],
  'a parameter': () => [{ temperature: 0.6 }, '+ temperature: 0.6'],
  'the order of parameters': () => [{ providerParams: { seed: 2, top_k: 1 } }, 'the fields of providerParams'],
  'the description of a tool': (log) => [
    { tools: changedTools(log, { description: 'Other.' }) },
    '+ tools[0].description: "Other."',
  ],
  'the schema of a tool': (log) => [
    { tools: changedTools(log, { input: { type: 'object', properties: { n: { type: 'string' } } } }) },
    '+ tools[0].inputSchema.properties.n.type: "string"',
  ],
  'the name of a tool': (log) => [{ tools: changedTools(log, { name: 'other' }) }, '+ tools[0].name: "other"'],
};

test.each(Object.entries(changes))(
  'a replay of any session names what was changed, and the first request that has it: %s',
  { timeout: 120_000 },
  async (_name, plant) => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(schedules, async (schedule) => {
        const { log } = await play(schedule, { agent: recorded });
        await replay(log, recorded);
        const first = log.find(({ type }) => type === 'reply.started');
        if (first === undefined) return;
        const [change, place] = plant(log);
        const error: unknown = await replay(log, { ...recorded, ...change }).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(ReplayError);
        expect(error).toMatchObject({ what: 'request', step: 1, seq: first.seq });
        expect(String(error)).toContain(place);
        found++;
      }),
      { ...seeded(30, 8), endOnFailure: true },
    );
    expect(found).toBeGreaterThan(1);
  },
);

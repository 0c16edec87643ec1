import { readFileSync } from 'node:fs';
import type { SessionEvent } from 'brooklet';
import { readExport } from 'brooklet/storage';
import { replay } from 'brooklet/testing';
import fc from 'fast-check';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { record } from '../../review/recorded.ts';
import { runSeeds } from '../../simulation/run-seeds.ts';
import { play, type PlayOptions, schedules } from '../../support/schedule.ts';
import { seeded } from '../../support/seeded.ts';

const settings: Record<string, PlayOptions> = {
  'with instructions and tools': { agent: { instructions: 'Be brief.', model: 'm1', temperature: 0.5 } },
  'with options of their own for each run': {
    agent: { instructions: 'Be brief.', providerParams: { top_k: 1 } },
    run: (pick) =>
      pick % 2
        ? { model: `m${pick}`, maxTokens: pick + 10, providerParams: { seed: pick }, tools: ['quick', 'gated'] }
        : { toolChoice: 'required', scratch: 'It is Tuesday.' },
  },
  'of a few messages': { agent: { maxMessages: 3, presets: [{ role: 'user', content: 'Hi.' }] } },
  'with compactions and shortened outputs': {
    agent: {
      instructions: 'Be brief.',
      contextWindow: 900,
      context: { strategy: () => 'They talked.', toolOutput: 4, trigger: 0.3, target: 0.2 },
    },
  },
};

/** A log as a file or a database returns it. */
function stored(log: readonly SessionEvent[]): readonly SessionEvent[] {
  const again: readonly SessionEvent[] = JSON.parse(JSON.stringify(log));
  return again;
}

/** Returns the logs of these seeds of the simulation. */
async function simulated(from: number, count: number): Promise<readonly (readonly SessionEvent[])[]> {
  const folder = await mkdtemp(join(tmpdir(), 'logs-'));
  const file = join(folder, 'logs.jsonl');
  try {
    await runSeeds('--from', String(from), '--count', String(count), '--logs', file);
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    const logs: readonly (readonly SessionEvent[])[] = JSON.parse(`[${lines.join()}]`);
    return logs;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Races between pages, tabs and people, from runs of the simulation; each log ends behind its race. */
const races: readonly { readonly name: string; readonly log: readonly SessionEvent[] }[] = JSON.parse(
  `[${readFileSync(new URL('races.jsonl', import.meta.url), 'utf8')
    .trim()
    .replaceAll('\n', ',')}]`,
);

describe('a replay repeats', () => {
  test.each(races.map(({ name, log }) => [name, log] as const))('%s', async (_name, log) => {
    const { requests } = await replay(log);
    expect(requests).toHaveLength(log.filter(({ type }) => type === 'reply.started').length);
  });

  test('approvals, an edited input, a failed tool, a compaction and a failed run, request by request', async () => {
    const { stored: session, requests } = await record();
    const replayed = await replay(session.events);
    expect(JSON.stringify(replayed.requests)).toBe(JSON.stringify(requests));
    expect(replayed.state.messages).toHaveLength(7);
  });

  test('a session with edited messages, regenerated answers and steps between their versions', async () => {
    const { sessions } = await readExport(
      readFileSync(new URL('../../storage/golden/v2.versions.jsonl', import.meta.url), 'utf8'),
    );
    expect((await replay(sessions[0]?.events ?? [])).state.alternatives).toHaveLength(3);
  });

  test.each(Object.entries(settings))(
    'every session of random people in two tabs %s',
    { timeout: 240_000 },
    async (_name, options) => {
      let requests = 0;
      await fc.assert(
        fc.asyncProperty(schedules, async (schedule) => {
          const { log } = await play(schedule, options);
          const replayed = await replay(stored(log));
          requests += replayed.requests.length;
          expect(replayed.requests).toHaveLength(log.filter(({ type }) => type === 'reply.started').length);
        }),
        { ...seeded(60, 8), endOnFailure: true },
      );
      expect(requests).toBeGreaterThan(5);
    },
  );

  test('every session of the simulation, with its crashes, lost writes, wrong clocks and expired calls', async () => {
    const logs = await simulated(1, 40);
    expect(logs).toHaveLength(40);
    await Promise.all(logs.map((log) => replay(log)));
    const types = new Set(logs.flat().map(({ type }) => type));
    expect(types).toEqual(new Set([...types, 'session.rewound', 'message.queued', 'approval.decided', 'rule.revoked']));
  });
});

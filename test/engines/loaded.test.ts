import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../../scripts/serve-folder.mjs';
import { eventually } from '../e2e/support/eventually.ts';
import { during } from '../e2e/support/stage.ts';
import type { EngineTab } from './support/engine.ts';
import { type Conversation, type Pace, startModelServer } from './support/model-server.ts';
import { buildSite } from './support/site.ts';
import { engines, startEngine } from './support/start-engine.ts';
import type { Shown } from './support/verbs/main.tsx';

const model = during(startModelServer, (its) => its.stop());

/** An answer that goes on until it is stopped. */
const slow: Pace = { everyMs: 25, pieces: 100_000 };
const quick: Pace = { everyMs: 5, pieces: 4 };
const whole = 'word 0 word 1 word 2 word 3 END';

/** Serves a copy of the page, which can be taken away. */
async function serveCopy() {
  const folder = await mkdtemp(join(tmpdir(), 'loaded-'));
  await cp(await buildSite('verbs'), folder, { recursive: true });
  const { url, stop } = await serve(folder);
  return {
    url,
    /** Every file of the page is gone: 404. */
    redeploy: () => rm(join(folder, 'assets'), { recursive: true }),
    stop: async () => {
      stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const shown = (tab: EngineTab): Promise<Shown> => tab.run(() => globalThis.verbs.shown());
const last = async (tab: EngineTab): Promise<string> => (await shown(tab)).rows.at(-1) ?? '';
const status = async (tab: EngineTab): Promise<string> => (await shown(tab)).status;

describe.each(engines)('a page that was loaded in %s', (name) => {
  const engine = during(
    () => startEngine(name),
    (its) => its.close(),
  );

  describe.each([
    ['and whose server was redeployed under it', (site: Awaited<ReturnType<typeof serveCopy>>) => site.redeploy()],
    ['and whose server cannot be reached any more', (site: Awaited<ReturnType<typeof serveCopy>>) => site.stop()],
  ])('%s', (_what, take) => {
    let site: Awaited<ReturnType<typeof serveCopy>>;
    let conversation: Conversation;
    let tab: EngineTab;
    beforeAll(async () => {
      site = await serveCopy();
      conversation = model().converse(quick);
      tab = await engine().open();
      await tab.goto(`${site.url}?${new URLSearchParams({ model: conversation.baseURL })}`);
    });
    afterAll(async () => {
      await tab.close().catch(() => {});
      await site.stop();
    });

    // The tests are the steps of one visit.
    it('is shown', async () => {
      await eventually(() => status(tab).catch(() => '')).toBe('idle');
      await take(site);
    });

    it('sends the first message', async () => {
      await tab.run(() => verbs.begin('send', 'hello'));
      await eventually(() => last(tab)).toBe(`assistant: ${whole}`);
      await eventually(() => status(tab)).toBe('idle');
    });

    it('stops an answer, keeps a message that is queued meanwhile, and takes one back', async () => {
      conversation.pace(slow);
      await tab.run(() => verbs.begin('send', 'slowly'));
      await eventually(() => last(tab)).toContain('word 3 ');
      await tab.run(() => verbs.begin('send', 'and this', { whenBusy: 'queue' }));
      await eventually(async () => (await shown(tab)).queued).toEqual(['and this']);
      await tab.run(() => verbs.begin('stop'));
      await eventually(() => status(tab)).toBe('idle');
      conversation.pace(quick);
    });

    it('resumes, which answers what was queued', async () => {
      await tab.run(() => verbs.begin('resume'));
      await eventually(() => last(tab)).toBe(`assistant: ${whole}`);
      await eventually(() => status(tab)).toBe('idle');
      expect((await shown(tab)).queued).toEqual([]);
    });

    it('asks for an approval and runs the tool', async () => {
      await tab.run(() => verbs.begin('send', 'Pay 20 for invoice A-17.'));
      await eventually(async () => (await shown(tab)).waiting).toHaveLength(1);
      expect(await tab.run(() => verbs.decide('approve', verbs.shown().waiting[0]))).toBe(true);
      await eventually(() => last(tab)).toContain('The tool said: Paid 20 for A-17.');
      await eventually(() => status(tab)).toBe('idle');
    });

    it('takes a rejection', async () => {
      await tab.run(() => verbs.begin('send', 'Pay 20 again for invoice A-17.'));
      await eventually(async () => (await shown(tab)).waiting).toHaveLength(1);
      expect(await tab.run(() => verbs.decide('reject', verbs.shown().waiting[0]))).toBe(true);
      await eventually(() => last(tab)).toContain('The tool said: ');
      await eventually(() => status(tab)).toBe('idle');
      expect(await last(tab)).not.toContain('Paid');
    });

    it('takes the answer to a question', async () => {
      await tab.run(() => verbs.begin('send', 'Ask me where to go.'));
      await eventually(async () => (await shown(tab)).waiting).toHaveLength(1);
      expect(await tab.run(() => verbs.decide('answer', verbs.shown().waiting[0], 'Oslo'))).toBe(true);
      await eventually(() => last(tab)).toContain('Oslo');
      await eventually(() => status(tab)).toBe('idle');
    });

    it('attaches a file', async () => {
      await tab.run(() => verbs.sendFile('look'));
      await eventually(async () => (await shown(tab)).media).toBe(1);
      await eventually(() => last(tab)).toBe(`assistant: ${whole}`);
      await eventually(() => status(tab)).toBe('idle');
    });

    it('regenerates an answer, edits the first message, and shows the version before', async () => {
      const before = (await shown(tab)).rows;
      await tab.run(() => verbs.begin('regenerate'));
      await eventually(() => last(tab)).toBe(`assistant: ${whole}`);
      await eventually(() => status(tab)).toBe('idle');
      await tab.run(() => verbs.begin('edit', verbs.first(), 'hello again'));
      await eventually(async () => (await shown(tab)).rows).toEqual(['user: hello again', `assistant: ${whole}`]);
      await eventually(() => status(tab)).toBe('idle');
      expect(await tab.run(() => verbs.decide('selectAlternative', verbs.first(), 0))).toBe(true);
      await eventually(async () => (await shown(tab)).rows).toEqual(before);
    });

    it('forks, and opens another stored session', async () => {
      const { sessionId, rows } = await shown(tab);
      const forkId = await tab.run(() => verbs.decide('fork'));
      expect(forkId).toEqual(expect.any(String));
      await tab.run((id) => verbs.open(id), String(forkId));
      await eventually(async () => (await shown(tab)).sessionId).toBe(forkId);
      await eventually(async () => (await shown(tab)).rows).toEqual(rows);
      await tab.run(() => verbs.begin('send', 'in the fork'));
      await eventually(() => last(tab)).toBe(`assistant: ${whole}`);
      await tab.run((id) => verbs.open(id), String(sessionId));
      await eventually(async () => (await shown(tab)).rows).toEqual(rows);
    });

    it('has reported no error', async () => {
      expect((await shown(tab)).error).toBe('');
      expect(tab.problems()).toEqual([]);
    });
  });
});

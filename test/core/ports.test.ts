import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createMemoryStore, exportSession, importSessions } from 'brooklet/storage';
import { build } from 'esbuild';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { browserPorts } from '../../src/core/ports.ts';
import { toEvents, toStored } from '../storage/arbitrary-log.ts';

afterEach(() => vi.unstubAllGlobals());

describe('a page without HTTPS', () => {
  test('has ids, also for the copies of imported sessions', async () => {
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const ids = Array.from({ length: 100 }, browserPorts.id);
    expect(new Set(ids).size).toBe(100);
    const store = createMemoryStore();
    const file = exportSession(toStored(toEvents([{ type: 'session.renamed', title: 'Boats' }], 'a'), 'a'));
    await importSessions(store, file);
    const { imported, problems } = await importSessions(store, file, { onConflict: 'copy' });
    expect(problems).toEqual([]);
    expect(imported).toHaveLength(1);
    expect((await store.list()).sessions).toHaveLength(2);
  });
});

describe('a dedicated worker', () => {
  test('has frames by a timer: it has requestAnimationFrame, but no document', async () => {
    vi.stubGlobal('requestAnimationFrame', () => expect.unreachable());
    await new Promise<void>((resolve) => browserPorts.frame(resolve));
  });
});

describe('a Node process', () => {
  const script = `
    import { createAgent, createChatCompletionsClient } from './src/index.ts';
    import { createMemoryStore } from './src/storage/index.ts';
    const answer = 'data: {"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}]}\\n\\n';
    const fetch = async () => new Response(answer, { headers: { 'content-type': 'text/event-stream' } });
    const client = createChatCompletionsClient({ baseURL: 'https://api.test/v1', fetch });
    const agent = createAgent({ client, store: createMemoryStore(), idleTimeout: 3_600_000 });
    const session = await agent.openSession(agent.createSession());
    session.messages$.subscribe();
    console.log((await session.send('Hello')).outcome);
  `;

  test('that used an agent exits by itself', async () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const folder = await mkdtemp(join(tmpdir(), 'brooklet-'));
    const outfile = join(folder, 'agent.mjs');
    try {
      await build({
        stdin: { contents: script, resolveDir: root },
        outfile,
        bundle: true,
        format: 'esm',
        platform: 'node',
        logLevel: 'error',
      });
      // Rejects when the process has to be ended.
      const { stdout } = await promisify(execFile)(process.execPath, [outfile], { timeout: 30_000 });
      expect(stdout).toBe('completed\n');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

import { readFile } from 'node:fs/promises';
import { sandboxHTML } from 'brooklet/mcp/apps';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../e2e/support/eventually.ts';
import { during } from '../e2e/support/stage.ts';
import { serveApp } from '../mcp/support/app-server.ts';
import { serve } from '../mcp/support/serve.ts';
import { serveStateless } from '../mcp/support/servers.ts';
import type { EngineTab } from './support/engine.ts';
import { buttons, interfaceHTML } from './support/rooms-tools/interface.ts';
import type { Allowing } from './support/rooms-tools/main.ts';
import { servePage } from './support/site.ts';
import { engines, startEngine } from './support/start-engine.ts';

const site = servePage('rooms-tools');
const air = during(
  () => serveStateless(),
  (its) => its.close(),
);
/** Another origin, which code of the sandbox and an interface try to reach. A page there says whether it has an opener; one is the sandbox of an interface. */
const elsewhere = during(
  () =>
    serve(({ url }, response) => {
      const html = '<!doctype html><link rel="icon" href="data:,"><script>fetch(`/opener-${opener !== null}`)</script>';
      response.writeHead(200, { 'content-type': 'text/html' }).end(url === '/sandbox.html' ? sandboxHTML : html);
    }),
  (its) => its.close(),
);
const weather = during(
  () => serveApp(interfaceHTML(elsewhere().origin)),
  (its) => its.close(),
);
const reached = (): readonly string[] => elsewhere().seen.map(({ path }) => path);

/** The private file system of Safari 15.2, and what Safari 26 adds. WebKitGTK has both switched off. */
const olderSafari = ['FileSystem', 'AccessHandle', 'StorageAPI'];
const features = [...olderSafari, 'FileSystemWritableStream'];

const call = (tab: EngineTab, ...its: Parameters<typeof globalThis.rooms.call>) =>
  tab.run((...args: Parameters<typeof globalThis.rooms.call>) => globalThis.rooms.call(...args), ...its);
const lastCall = (tab: EngineTab) => tab.run(async () => (await globalThis.rooms.calls()).at(-1));
const code = (tab: EngineTab, ...its: Parameters<typeof globalThis.rooms.code>) =>
  tab.run((...args: Parameters<typeof globalThis.rooms.code>) => globalThis.rooms.code(...args), ...its);
const read = async (tab: EngineTab, path: string): Promise<{ readonly hash: string; readonly text: string }> => {
  const [, hash = '', text = ''] =
    /^\[hash (\w+)\]\n([^]*)$/u.exec(String((await call(tab, 'read_file', { path }))?.output)) ?? [];
  return { hash, text };
};

describe.each(engines)('the tools in %s', (name) => {
  const engine = during(
    () => startEngine(name, { features }),
    (its) => its.close(),
  );
  const tabs: EngineTab[] = [];
  const open = async (url = site()): Promise<EngineTab> => {
    const opened = await engine().open();
    tabs.push(opened);
    await opened.goto(url);
    return opened;
  };
  let tab: EngineTab;
  beforeEach(async () => {
    tab = await open();
  });
  afterEach(async () => {
    for (const one of tabs.splice(0)) await one.close().catch(() => {});
  });

  it('sandbox: a result, a log, and an error with its line', async () => {
    const sum = 'console.log("adding", { a: 1 });\nreturn { sum: await Promise.resolve(3) };';
    expect(await code(tab, sum)).toEqual({
      status: 'succeeded',
      output: { result: { sum: 3 }, logs: 'adding {"a":1}\n' },
    });
    const failures = [
      ['\n\nthrow new TypeError("no");', /^TypeError: no \(line 3\)$/],
      ['await Promise.reject(new Error("later"))', /^Error: later \(line 1\)$/],
      ['setTimeout(() => { throw new Error("aside") });\nawait new Promise(() => {})', /Error: aside \(line 1\)$/],
      ['\nfunction f() { throw new RangeError("deep") }\nf()', /^RangeError: deep \(line 2\)$/],
      ['console.log("step 1"); throw new Error("no")', /Logged before:\nstep 1/],
      [
        'const a = 1;\nconst = 2;',
        name === 'firefox' ? /^SyntaxError: The code cannot be parsed\./ : /SyntaxError: .*\(line 2\)$/,
      ],
    ] as const;
    for (const [text, message] of failures)
      expect(await code(tab, text)).toEqual({ status: 'failed', output: expect.stringMatching(message) });
    const buffers = 'const all = []; for (;;) all.push(new Uint8Array(100_000))';
    expect((await code(tab, buffers, { maxMemory: 1_000_000 }))?.output).toContain('more than 1000000 bytes');
  });

  it('sandbox: code that never ends is ended at its time limit, and when the run is cancelled', async () => {
    expect(await code(tab, 'for (;;);', { timeout: 300 })).toMatchObject({ status: 'timed-out' });
    await tab.run(() => globalThis.rooms.begin('run_javascript', { code: 'for (;;);' }));
    await eventually(() => tab.run(() => globalThis.rooms.frames())).toBe(1);
    await tab.run(() => globalThis.rooms.cancel());
    await eventually(() => lastCall(tab)).toMatchObject({ status: 'cancelled' });
    expect(await tab.run(() => globalThis.rooms.frames())).toBe(0);
    expect(await call(tab, 'run_javascript', { code: 'return 1' })).toMatchObject({ output: { result: 1 } });
  });

  it('sandbox: code reaches neither the network, nor the storage of the page, nor its channels', async () => {
    const url = JSON.stringify(`${elsewhere().origin}/sandbox`);
    const names =
      'fetch XMLHttpRequest WebSocket EventSource importScripts indexedDB caches Worker BroadcastChannel navigator location postMessage close document window parent WebAssembly eval';
    const left = await code(tab, `return '${names}'.split(' ').filter((name) => name in globalThis)`);
    expect(left?.output).toEqual({ result: [] });
    expect(await code(tab, 'return new Function("return 1")()')).toMatchObject({ status: 'failed' });

    // What the worker has without the prelude: the frame is the wall. WebKit reports no violations in a worker: the server counts.
    const attempts = [
      `fetch(${url}, { mode: 'no-cors' })`,
      `new XMLHttpRequest().open('GET', ${url}, false)`,
      `new Promise((resolve, reject) => { const s = new WebSocket(${url}.replace('http', 'ws')); s.onopen = resolve; s.onerror = reject })`,
      `importScripts(${url})`,
      `import(${url})`,
      `new FontFace('f', 'url(' + ${url} + ')').load()`,
      `eval('1')`,
      `new Promise((resolve, reject) => { const w = new Worker(URL.createObjectURL(new Blob(['fetch(' + JSON.stringify(${url}) + ').then(() => postMessage(1))']))); w.onmessage = resolve; setTimeout(reject, 300) })`,
      `new Promise((resolve, reject) => { const r = indexedDB.open('x'); r.onsuccess = resolve; r.onerror = reject })`,
      `navigator.storage.getDirectory()`,
      `navigator.locks.request('x', () => 1)`,
      `caches.keys().then((names) => { if (names.length === 0) throw 0 })`,
    ];
    const source = `const outcomes = []; (async () => {
      for (const attempt of [${attempts.map((one) => `() => ${one}`).join(', ')}])
        try { const made = await attempt(); outcomes.push(made instanceof XMLHttpRequest ? 'opened' : 'done'); } catch { outcomes.push('refused'); }
      const late = new XMLHttpRequest(); late.open('GET', ${url}); late.send();
      try { new EventSource(${url}); } catch {}
      postMessage(outcomes.join());
    })()`;
    await tab.run(async () => void (await caches.open('of the page')));
    const outcomes = attempts.map((one) => (one.includes('XMLHttpRequest') ? 'done' : 'refused')).join();
    expect(await tab.run((its: string) => globalThis.rooms.inFrame(its), source)).toBe(outcomes);
    expect(await tab.run(() => globalThis.rooms.inFrame('postMessage(self.origin)'))).toBe('null');
    expect(await tab.run(() => globalThis.rooms.heard())).toBe(1);
    expect(reached().filter((path) => path.includes('sandbox'))).toEqual([]);
  });

  it('sandbox: a page with a strict policy allows it as the docs say, and is told when it does not', async () => {
    const docs = await readFile(new URL('../../docs/ready-tools.md', import.meta.url), 'utf8');
    const [policy = '', hash = ''] = /script-src ('sha256-[^']+'); worker-src blob:/u.exec(docs) ?? [];
    const types = `require-trusted-types-for 'script'; trusted-types`;
    const obeying = async (text: string, pace = 1) => {
      const strict = await open();
      await strict.run((its: string) => globalThis.rooms.obey(its), `default-src 'none'; ${text}`);
      return code(strict, 'return 1', {}, pace);
    };
    const works = { status: 'succeeded', output: { result: 1 } };
    expect(await obeying(policy)).toEqual(works);
    expect(await obeying(`${policy}; ${types} brooklet-sandbox`)).toEqual(works);
    const refused = { status: 'failed', output: expect.stringContaining('it must allow the sandbox') };
    expect(await obeying(`${policy}; ${types} 'none'`)).toEqual(refused);
    expect(await obeying('script-src blob:; worker-src blob:', 8)).toEqual(refused);
    expect(await obeying(`script-src ${hash}`, 8)).toEqual(refused);
  });

  const here = (applies: boolean): readonly string[] => (applies ? [name] : []);

  // MiniBrowser gives no private file system to a page, as a private window of Safari does.
  it.each(here(name === 'webkit'))(
    'workspace: without a private file system, a call fails with what is missing, in %s',
    async () => {
      expect(await tab.run(() => globalThis.rooms.openWorkspace())).toBe('STORAGE_UNAVAILABLE');
      const written = await call(tab, 'write_file', { path: 'a.md', content: 'one' });
      expect(written).toMatchObject({ status: 'failed', output: expect.stringContaining('no private file system') });
    },
  );

  it.each(here(name !== 'webkit'))(
    'workspace: files are written, listed, changed by two tabs, and restored, over a reload, in %s',
    async () => {
      const path = 'notes/ü 二 🦦.md';
      const content = 'one\n二 🦦\n';
      expect(await call(tab, 'write_file', { path, content })).toMatchObject({ status: 'succeeded' });
      expect(await call(tab, 'write_file', { path, content: 'x' })).toMatchObject({ status: 'failed' });
      expect((await call(tab, 'list_files', {}))?.output).toEqual({ files: [{ path, bytes: 13 }] });
      const { hash, text } = await read(tab, path);
      expect(text).toBe(content);
      for (const [wrong, problem] of [
        ['notes', 'is a file, or the file is a folder'],
        [`${path}/b`, 'is a file, or the file is a folder'],
        ['../a', '..'],
      ] as const)
        expect((await call(tab, 'write_file', { path: wrong, content }))?.output).toContain(problem);

      const other = await open();
      const edits = [{ old_text: 'one', new_text: 'two' }];
      const both = await Promise.all([tab, other].map((one) => call(one, 'patch_file', { path, hash, edits })));
      expect(new Set(both.map((one) => one?.status))).toEqual(new Set(['failed', 'succeeded']));
      const winner = both[0]?.status === 'succeeded' ? tab : other;
      expect((await read(tab, path)).text).toBe('two\n二 🦦\n');

      await winner.run(() => globalThis.rooms.flushed());
      await winner.reload();
      await winner.run(() => globalThis.rooms.undo());
      expect((await read(tab, path)).text).toBe(content);
      await tab.run((its) => globalThis.rooms.begin('write_file', its), { path, content: 'z', hash });
      await eventually(() => lastCall(tab)).toMatchObject({ status: 'awaiting-approval' });
      expect(await tab.run(() => globalThis.rooms.preview())).toMatchObject({ oldContent: content, newContent: 'z' });
      const { callId = '' } = (await lastCall(tab)) ?? {};
      await tab.run((id) => globalThis.rooms.approve(id), callId);
      await eventually(() => tab.run(() => globalThis.rooms.status())).toBe('idle');
      expect((await read(tab, path)).text).toBe('z');
    },
  );

  describe.each(here(name === 'webkit-disk'))('an older %s', () => {
    const older = during(
      () => startEngine(name, { features: olderSafari }),
      (its) => its.close(),
    );
    it('workspace: where a page cannot write files, a call says so, and leaves no file', async () => {
      const old = await older().open();
      await old.goto(site());
      for (let attempt = 0; attempt < 2; attempt++)
        expect(await call(old, 'write_file', { path: 'a.md', content: 'one' })).toMatchObject({
          status: 'failed',
          output: expect.stringContaining('cannot write files'),
        });
      expect((await call(old, 'list_files', {}))?.output).toEqual({ files: [] });
      await old.close();
    });
  });

  it('skills: a zip is read, and a damaged one refused', async () => {
    const [names, outputs, damaged] = await tab.run(() => globalThis.rooms.readZip());
    expect(names).toEqual(['forms']);
    expect(outputs).toEqual([
      expect.stringContaining('Read guide.md.'),
      expect.stringMatching(/Fill every field\. ü 二 🦦\n/u),
    ]);
    expect(damaged).toContain('SkillError');
  });

  it('files of a message are the same after a reload', async () => {
    const data = 'AAECAwT//v38'.repeat(100_000);
    const parts = [
      { type: 'text', text: 'See these.' },
      { type: 'image', mediaType: 'image/png', data, name: 'a.png' },
      { type: 'file', mediaType: 'application/pdf', data: 'JVBERi0xLjQK', name: 'ü 二.pdf' },
    ] as const;
    await tab.run((its) => globalThis.rooms.attach(its), parts);
    await tab.reload();
    expect(await tab.run(() => globalThis.rooms.attached())).toEqual(parts);
  });

  it('MCP: a call after approval, its progress and its end, and a question over a reload', async () => {
    expect(await tab.run((url) => globalThis.rooms.connect(url, 'air'), air().url)).toContain('air__add');
    expect(await call(tab, 'air__add', { a: 1, b: 2 })).toMatchObject({ status: 'succeeded', output: { sum: 3 } });
    expect(await call(tab, 'air__broken', {})).toMatchObject({
      status: 'failed',
      output: expect.stringContaining('disk'),
    });
    const cancelled = air().done.cancelled.length;
    await tab.run(() => globalThis.rooms.begin('air__slow', {}));
    await approveLast(tab);
    await eventually(() => lastCall(tab)).toMatchObject({ progress: { message: 'one of three' } });
    await tab.run(() => globalThis.rooms.cancel());
    await eventually(() => air().done.cancelled.length).toBe(cancelled + 1);
    await eventually(() => tab.run(() => globalThis.rooms.status())).toBe('idle');

    await tab.run(() => globalThis.rooms.begin('air__book', { flight: 'LH1' }));
    await approveLast(tab);
    await eventually(() => lastCall(tab)).toMatchObject({ status: 'awaiting-approval', question: 'Which seat?' });
    await tab.run(() => globalThis.rooms.flushed());
    await tab.reload();
    await eventually(() => lastCall(tab)).toMatchObject({ status: 'awaiting-approval', question: 'Which seat?' });
    await tab.run((url) => globalThis.rooms.connect(url, 'air'), air().url);
    const { callId = '' } = (await lastCall(tab)) ?? {};
    await tab.run((id) => globalThis.rooms.answer(id, { seat: '12A' }), callId);
    const output = [{ type: 'text', text: expect.stringMatching(/12A.*state of LH1/u) }];
    await eventually(() => lastCall(tab)).toMatchObject({ status: 'succeeded', output });
  });

  describe('the interface of a tool', () => {
    beforeEach(async () => {
      await tab.run(() => void (document.cookie = 'of=the page'));
      await tab.run((url) => globalThis.rooms.connect(url, 'weather'), weather().url);
      await call(tab, 'weather__weather', { city: 'Oslo' });
    });
    const show = async (sandbox?: string): Promise<void> => {
      await tab.run((its) => globalThis.rooms.show('weather', its), sandbox ?? null);
      await eventually(() => said(tab)).toContain('may ');
    };

    const said = (its: EngineTab): Promise<string> => its.run(() => globalThis.rooms.said());
    const press = async (button: (typeof buttons)[number]): Promise<void> => {
      const { x, y } = await tab.run(() => globalThis.rooms.place());
      await tab.clickAt(x + 100, y + 50 * buttons.indexOf(button) + 20);
    };

    it.each([
      ['a page without a policy', false],
      ['a page with a strict policy and Trusted Types', true],
    ])('reaches neither the page, nor its address, nor another origin, in %s', async (_where, isStrict) => {
      const { origin } = elsewhere();
      const policy = `script-src 'self'; base-uri 'none'; frame-src ${origin}; require-trusted-types-for 'script'`;
      if (isStrict) await tab.run((its) => globalThis.rooms.obey(its), policy);
      await show(isStrict ? `${origin}/sandbox.html` : undefined);
      expect(JSON.parse((await said(tab)).replace(/^[^]*may /u, ''))).toEqual({
        ...Object.fromEntries(
          'page sandbox storage cookies database fetch socket image worker popup top above eval'
            .split(' ')
            .map((attempt) => [attempt, 'refused']),
        ),
        base: 'about:srcdoc',
        referrer: '',
        mode: 'CSS1Compat',
      });
      expect(reached().filter((path) => path.includes('canary'))).toEqual([]);
    });

    it('grows, follows links within itself, calls a tool, and is removed when it is left', async () => {
      await show();
      await press('grow');
      await eventually(() => tab.run(() => globalThis.rooms.place().height)).toBe(333);
      await press('within');
      await eventually(() => said(tab)).toContain('true #pushed');
      await press('call');
      await eventually(() => lastCall(tab)).toMatchObject({ name: 'weather__refresh', status: 'awaiting-approval' });
      await approveLast(tab);
      await eventually(() => said(tab)).toContain('Bergen');
      expect(await tab.run(() => globalThis.rooms.shown())).toEqual({ state: 'shown' });
      await press('leave');
      await eventually(() => tab.run(() => globalThis.rooms.shown())).toMatchObject({ state: 'failed' });
      expect(await tab.run(() => globalThis.rooms.frames())).toBe(0);
    });

    it('has a link opened that the person allows, and is told when the browser blocks it', async () => {
      const link = async (allowing: Allowing): Promise<void> => {
        await tab.run((its) => globalThis.rooms.allow(its), allowing);
        await press('link');
        if (allowing === 'click' || allowing === 'late') await tab.click('#allow');
      };
      const linked = () => reached().filter((path) => /linked|opener/u.test(path));
      await show();
      const before = linked().length;
      await link('never');
      await eventually(() => said(tab)).toContain('did not allow');
      expect(linked().slice(before)).toEqual([]);
      await link('click');
      await eventually(() => said(tab)).toContain('opened');
      await eventually(() => linked().slice(before)).toEqual(['/linked', '/opener-false']);
      expect(elsewhere().seen.findLast(({ path }) => path === '/linked')?.headers.referer).toBeUndefined();
      // After a request WebKit opens no window.
      if (!name.startsWith('webkit')) return;
      await link('late');
      await eventually(() => said(tab)).toContain('blocked');
      expect(linked().slice(before)).toHaveLength(2);
    });
  });

  it('agents within agents, AG-UI and WebMCP', async () => {
    const [output, texts] = await tab.run(() => globalThis.rooms.delegate());
    expect(output).toBe('An otter.');
    expect(texts).toEqual(['Which animal?', 'An otter.']);
    expect(await tab.run(() => globalThis.rooms.remote())).toBe('Hello from afar.');
    expect(await tab.run(() => globalThis.rooms.offer())).toEqual([false, false]);
  });
});

async function approveLast(tab: EngineTab): Promise<void> {
  await eventually(() => lastCall(tab)).toMatchObject({ status: 'awaiting-approval' });
  const { callId = '' } = (await lastCall(tab)) ?? {};
  await tab.run((id) => globalThis.rooms.approve(id), callId);
}

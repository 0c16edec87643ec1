import { sandboxTool } from 'brooklet/tools';
import { afterEach, describe, expect, it } from 'vitest';
import { cdp } from 'vitest/browser';
import { frameScript, runInFrame, type WorkerEnd } from '../../src/tools/sandbox-frame.ts';
import { run } from './run.ts';
import { strictPage } from './strict-page.ts';

const sandbox = sandboxTool();
const resultOf = async (code: string): Promise<unknown> => (await run(sandbox, { code })).output;

afterEach(() => {
  const left = document.querySelectorAll('iframe[sandbox]').length;
  if (left > 0) throw new Error(`${left} frames are left.`);
});

describe('sandboxTool', () => {
  it('returns the result of the code, and its log', async () => {
    const { output, presentation } = await run(sandbox, {
      code: 'console.log("adding", { a: 1 });\nconst sum = await Promise.resolve(1 + 2);\nreturn { sum };',
    });
    expect(output).toEqual({ result: { sum: 3 }, logs: 'adding {"a":1}\n' });
    expect(presentation).toEqual({
      summary: 'Result: {"sum":3}',
      details: { type: 'commandOutput', stdout: 'adding {"a":1}\n', stderr: '', exitCode: 0 },
    });
  });

  it.each([
    ['nothing', 'let a = 1;', null],
    ['text', 'return "a\\u2028\\n</script>"', 'a\u2028\n</script>'],
    ['a big integer', 'return 2n ** 64n', '18446744073709551616'],
    [
      'a Map, a Set and bytes',
      'return [new Map([[1, 2]]), new Set("ab"), new Uint8Array(2)]',
      [[[1, 2]], ['a', 'b'], [0, 0]],
    ],
    ['a function', 'return () => 1', null],
    ['what timers bring', 'return new Promise((done) => setTimeout(() => done("late"), 1))', 'late'],
    ['an error that is no exception', 'return new Error("e")', 'Error: e'],
    ['a comment at its end', 'return 1 // one', 1],
  ])('returns %s as JSON', async (_what, code, result) => {
    expect(await resultOf(code)).toEqual({ result });
  });

  it.each([
    ['a mistake in the grammar', 'const a = 1;\nconst = 2;', /SyntaxError.*\(line 2\)$/],
    ['an exception', '\n\nthrow new TypeError("no");', /^TypeError: no \(line 3\)$/],
    ['a rejection', 'await Promise.reject(new Error("later"))', /^Error: later \(line 1\)$/],
    [
      'an exception in a timer',
      'setTimeout(() => { throw new Error("aside"); });\nawait new Promise(() => {})',
      /Error: aside \(line 1\)$/,
    ],
    ['something that is no error', 'throw "text"', /^text$/],
    ['a circle', 'const a = {}; a.a = a; return a', /circular/],
    ['what it logged before it failed', 'console.log("step 1"); throw new Error("no")', /Logged before:\nstep 1/],
  ])('reports %s to the model', async (_what, code, message) => {
    await expect(run(sandbox, { code })).rejects.toThrow(message);
  });

  it('terminates code that never ends, and everything that the code started', async () => {
    const tool = sandboxTool({ timeout: 300 });
    await expect(run(tool, { code: 'for (;;);' })).rejects.toThrow('The code took longer than 300 ms and was stopped.');
    await expect(run(tool, { code: 'await new Promise(() => {})' })).rejects.toThrow('was stopped');
    await expect.poll(workers).toEqual([]);
  });

  it('stops at once when the call is cancelled, before and during the run', async () => {
    const controller = new AbortController();
    const running = run(sandbox, { code: 'for (;;);' }, { signal: controller.signal });
    await expect.poll(workers).toHaveLength(1);
    controller.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
    await expect.poll(workers).toEqual([]);
    await expect(run(sandbox, { code: '1' }, { signal: controller.signal })).rejects.toThrow('cancelled');
  });

  it('limits the output', async () => {
    const tool = sandboxTool({ maxOutput: 100 });
    await expect(run(tool, { code: 'return "x".repeat(99)' })).rejects.toThrow(
      'The result has 101 characters; 100 are allowed.',
    );
    const { output } = await run(tool, { code: 'for (let n = 0; n < 1e5; n++) console.log("line", n); return 1' });
    expect(output).toMatchObject({ result: 1, logs: expect.stringMatching(/^line 0\n[^]{93}…$/) });
    await expect(run(tool, { code: 'throw new Error("x".repeat(1e6))' })).rejects.toThrow(
      /^Error: x{93}( \(line 1\))?$/,
    );
  });

  it('limits the buffers that code creates', async () => {
    const tool = sandboxTool({ maxMemory: 1_000_000 });
    const all = 'const all = []; for (;;) all.push(new Uint8Array(100_000).fill(1));';
    await expect(run(tool, { code: all })).rejects.toThrow(
      'The code created binary buffers of more than 1000000 bytes.',
    );
    const { output } = await run(tool, {
      code: 'const { buffer } = new Uint8Array(600_000); return new DataView(new Float64Array(buffer).buffer).byteLength',
    });
    expect(output).toEqual({ result: 600_000 });
  });

  it('gives code no access to the outside', async () => {
    const names =
      'fetch XMLHttpRequest WebSocket EventSource WebTransport importScripts indexedDB caches Worker BroadcastChannel navigator location postMessage close document window parent cookieStore WebAssembly eval self.Function.call.missing';
    expect(await resultOf(`return '${names}'.split(' ').filter((name) => name in globalThis)`)).toEqual({ result: [] });
    await expect(resultOf('return new Function("return 1")()')).rejects.toThrow('EvalError');
    await expect(resultOf('await import("data:text/javascript,1")')).rejects.toThrow('TypeError');
  });

  it('starts a new worker for each call', async () => {
    await resultOf('globalThis.kept = 1; Array.prototype.map = null;');
    expect(await resultOf('return [typeof kept, typeof [].map]')).toEqual({ result: ['undefined', 'function'] });
  });

  it('does not accept a result from code outside the function', async () => {
    await expect(resultOf('}); run(async () => { return "second"')).rejects.toThrow(
      /run is not defined|is not a function/,
    );
    await expect(resultOf('}); postMessage("{}"); (() => {')).rejects.toThrow('postMessage is not defined');
  });

  it('does not change the page', async () => {
    const before = [Object.keys(globalThis).length, document.body.childElementCount];
    await resultOf('globalThis.leak = 1; return Object.getOwnPropertyNames(globalThis).length');
    expect([Object.keys(globalThis).length, document.body.childElementCount]).toEqual(before);
    expect(globalThis).not.toHaveProperty('leak');
  });
});

/** A worker in the frame without the prelude: tests the frame's own protection. */
describe('the frame', () => {
  const walls = async (source: string): Promise<string> => {
    const signal = AbortSignal.timeout(8_000);
    const end: WorkerEnd = await runInFrame(source, { signal, delay: () => () => {} });
    return end.type === 'said' ? end.data : `failed: ${end.message}`;
  };
  const here = JSON.stringify(new URL('/sandbox-leak', location.href).href);

  it('has an opaque origin', async () => {
    expect(await walls('postMessage(self.origin)')).toBe('null');
  });

  // The violation report of the policy proves the block: a request that fails for CORS or an unreachable server would
  // have been sent.
  it.each([
    ['fetch', `fetch(${here}, { mode: 'no-cors' }).catch(() => {})`, 'connect-src'],
    ['XMLHttpRequest', `const x = new XMLHttpRequest(); x.open('GET', ${here}); x.send()`, 'connect-src'],
    ['WebSocket', `try { new WebSocket(${here}.replace('http', 'ws')) } catch {}`, 'connect-src'],
    ['EventSource', `new EventSource(${here})`, 'connect-src'],
    ['importScripts', `try { importScripts(${here}) } catch {}`, 'script-src-elem'],
    ['import()', `import(${here}).catch(() => {})`, 'script-src-elem'],
    ['a font', `new FontFace('f', 'url(' + ${here} + ')').load().catch(() => {})`, 'font-src'],
    ['eval', `try { eval('1') } catch {}`, 'script-src'],
  ])('has a policy that forbids %s', async (_way, source, directive) => {
    const report = `addEventListener('securitypolicyviolation', (event) => postMessage(event.effectiveDirective));`;
    expect(await walls(`${report}${source}`)).toBe(directive);
  });

  it.each([
    ['IndexedDB', `indexedDB.open('x')`],
    ['caches', `caches.open('x')`],
    ['the file system', `navigator.storage.getDirectory()`],
  ])('has no %s', async (_what, source) => {
    const ask = `Promise.resolve().then(() => ${source}).then(() => postMessage('had'), () => postMessage('refused'))`;
    expect(await walls(ask)).toBe('refused');
  });

  it('cannot send to the channels of the page', async () => {
    const channel = new BroadcastChannel('sandbox');
    let heard = 0;
    channel.addEventListener('message', () => (heard += 1));
    await walls(`new BroadcastChannel('sandbox').postMessage(1); postMessage('said')`);
    const echo = new BroadcastChannel('sandbox');
    // Messages of one channel arrive in order: after our own message, any other message would have arrived.
    await new Promise<void>((resolve) => {
      channel.addEventListener('message', () => resolve());
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel, not a window
      echo.postMessage(2);
    });
    expect(heard).toBe(1);
    channel.close();
    echo.close();
  });
});

describe('a page with a strict content security policy', () => {
  it('can allow the sandbox by the hash in the docs', async () => {
    const parent = await strictPage(`script-src '${await hashOf(frameScript)}'; worker-src blob:`);
    const signal = AbortSignal.timeout(8_000);
    expect(await runInFrame('postMessage("hi")', { signal, delay: () => () => {}, parent })).toEqual({
      type: 'said',
      data: 'hi',
    });
  });

  it('can require Trusted Types as well, and name the policy of the sandbox', async () => {
    const parent = await strictPage(
      `script-src '${await hashOf(frameScript)}'; worker-src blob:; require-trusted-types-for 'script'; trusted-types brooklet-sandbox`,
    );
    for (const word of ['once', 'and again']) {
      const signal = AbortSignal.timeout(8_000);
      const end = await runInFrame(`postMessage("${word}")`, { signal, delay: () => () => {}, parent });
      expect(end).toEqual({ type: 'said', data: word });
    }
  });

  it('gets an error with advice if its policy for Trusted Types does not name the sandbox', async () => {
    const parent = await strictPage(`require-trusted-types-for 'script'; trusted-types 'none'`);
    const running = runInFrame('postMessage("hi")', {
      signal: AbortSignal.timeout(8_000),
      delay: () => () => {},
      parent,
    });
    await expect(running).rejects.toThrow('The sandbox did not start. If the page has a content security policy');
    expect(parent.querySelector('iframe')).toBeNull();
  });

  it('gets an error with advice if it does not allow the sandbox', async () => {
    const parent = await strictPage(`script-src 'self'`);
    const delay = (callback: () => void): (() => void) => {
      callback();
      return () => {};
    };
    const running = runInFrame('postMessage("hi")', { signal: AbortSignal.timeout(8_000), delay, parent });
    await expect(running).rejects.toThrow('The sandbox did not start. If the page has a content security policy');
  });
});

async function hashOf(script: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(script));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

/** The number of live sandbox workers, as the browser counts them. */
async function workers(): Promise<readonly string[]> {
  const { targetInfos } = await cdp().send('Target.getTargets');
  return targetInfos.filter(({ type, url }) => type === 'worker' && url.startsWith('blob:null')).map(({ url }) => url);
}

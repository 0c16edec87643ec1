import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../e2e/support/eventually.ts';
import { during } from '../e2e/support/stage.ts';
import type { EngineTab } from './support/engine.ts';
import { type Conversation, type Pace, startModelServer } from './support/model-server.ts';
import { servePage } from './support/site.ts';
import { engines, startEngine } from './support/start-engine.ts';

const site = servePage('ui');
const model = during(startModelServer, (its) => its.stop());

/** An answer that goes on until it is stopped. */
const slow: Pace = { everyMs: 25, pieces: 100_000 };
const quick: Pace = { everyMs: 5, pieces: 4 };

const field = '[data-part=composer] textarea';
const text = (tab: EngineTab, css: string): Promise<string> =>
  tab
    .run((its) => Array.from(document.querySelectorAll<HTMLElement>(its), (one) => one.innerText).join('\n'), css)
    .catch(() => '');
const count = (tab: EngineTab, css: string): Promise<number> =>
  tab.run((its) => document.querySelectorAll(its).length, css).catch(() => 0);
const state = (tab: EngineTab): Promise<string> =>
  tab.run(() => document.querySelector('[data-part=chat]')?.getAttribute('data-state') ?? '').catch(() => '');
const lastAnswer = async (tab: EngineTab): Promise<string> =>
  tab
    .run(() => Array.from(document.querySelectorAll<HTMLElement>('[data-part=answer]')).at(-1)?.innerText ?? '')
    .catch(() => '');
/** Presses a button by its name, also one that moves down with each line of an answer. */
const press = (tab: EngineTab, name: string): Promise<boolean> =>
  tab.run((its) => {
    const buttons = Array.from(document.querySelectorAll<HTMLButtonElement>('[data-part=chat] button'));
    const button = buttons.findLast((one) => (one.getAttribute('aria-label') ?? one.textContent) === its);
    button?.click();
    return button !== undefined;
  }, name);

describe.each(engines)('ten lines with Chat in %s', (name) => {
  const engine = during(
    () => startEngine(name, { width: 390, height: 844 }),
    (its) => its.close(),
  );
  let conversation: Conversation;
  let tab: EngineTab;
  beforeAll(async () => {
    conversation = model().converse(quick);
    tab = await engine().open();
    await tab.goto(`${site()}?${new URLSearchParams({ model: conversation.baseURL })}`);
  });
  afterAll(() => tab?.close().catch(() => {}));

  // The tests are the steps of one visit.
  it('show an answer as Markdown', async () => {
    await tab.type(field, 'Format it\n');
    await eventually(() => count(tab, '[data-part=markdown] table')).toBe(1);
    expect(await text(tab, '[data-part=markdown] h1, [data-part=markdown] strong, [data-part=markdown] code')).toBe(
      'A title\nbold\ncode',
    );
    await eventually(() => state(tab)).toBe('idle');
  });

  it('stop an answer, and keep the draft', async () => {
    conversation.pace(slow);
    await tab.type(field, 'slowly\n');
    await eventually(() => lastAnswer(tab)).toContain('word 8 ');
    await tab.type(field, 'a draft');
    expect(await press(tab, 'Stop')).toBe(true);
    await eventually(() => state(tab)).toBe('idle');
    await eventually(() => conversation.answers.at(-1)?.closedAt).toBeDefined();
    expect(await tab.run((css) => document.querySelector<HTMLTextAreaElement>(css)?.value, field)).toBe('a draft');
  });

  it('queue a message, and take it back', async () => {
    await tab.run((css) => document.querySelector<HTMLTextAreaElement>(css)?.select(), field);
    await tab.type(field, 'slowly again\n');
    await eventually(() => lastAnswer(tab)).toContain('word 2 ');
    await tab.type(field, 'and then\n');
    await eventually(() => text(tab, '[data-part=queue]')).toContain('and then');
    expect(await press(tab, 'Do not send “and then”')).toBe(true);
    await eventually(() => count(tab, '[data-part=queue]')).toBe(0);
    await press(tab, 'Stop');
    await eventually(() => state(tab)).toBe('idle');
    conversation.pace(quick);
  });

  it('ask for an approval, also after a reload', async () => {
    await tab.type(field, 'Pay 20 for invoice A-17.\n');
    await eventually(() => text(tab, '[data-part=approval]')).toContain('Approve');
    await tab.reload();
    await eventually(() => text(tab, '[data-part=approval]')).toContain('Approve');
    expect(await press(tab, 'Approve')).toBe(true);
    await eventually(() => lastAnswer(tab)).toContain('The tool said: Paid 20 for A-17.');
    await eventually(() => state(tab)).toBe('idle');
  });

  it('make a version of a message, and step back to the one before', async () => {
    await tab.type(field, 'first wording\n');
    await eventually(() => lastAnswer(tab)).toContain('END');
    await eventually(() => state(tab)).toBe('idle');
    expect(await press(tab, 'Edit')).toBe(true);
    await tab.run(() => document.querySelector<HTMLTextAreaElement>('[data-part=question] textarea')?.select());
    await tab.type('[data-part=question] textarea', 'second wording\n');
    await eventually(() => text(tab, '[data-part=versions]')).toContain('2');
    await eventually(() => text(tab, '[data-part=question]')).toContain('second wording');
    await eventually(() => state(tab)).toBe('idle');
    expect(await press(tab, 'Previous version')).toBe(true);
    await eventually(() => text(tab, '[data-part=question]')).toContain('first wording');
  });

  it('attach a picture, which the model receives', async () => {
    await tab.run(() => {
      const input = document.querySelector<HTMLInputElement>('[data-part=composer] input[type=file]');
      const bytes = Uint8Array.from(
        atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
        (character) => character.charCodeAt(0),
      );
      const files = new DataTransfer();
      files.items.add(new File([bytes], 'dot.png', { type: 'image/png' }));
      if (input) input.files = files.files;
      input?.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await eventually(() => text(tab, '.bk-attachments')).toContain('dot.png');
    await tab.type(field, 'look\n');
    await eventually(() => count(tab, '[data-part=question] img[src^="data:image/png"]')).toBe(1);
    await eventually(() => state(tab)).toBe('idle');
    expect(conversation.answers.at(-1)?.asked).toContain('image_url');
  });

  it('say why a message failed, and what helps', async () => {
    await tab.type(field, 'Refuse this\n');
    await eventually(() => text(tab, '[data-part=run-notice]')).toContain('The key was refused');
    expect(await text(tab, '[data-part=run-notice]')).toContain('Check the key.');
    expect(await text(tab, '[data-part=run-notice]')).toContain('Try again');
  });

  it('keep an answer that a reload cuts off, and resume it', async () => {
    conversation.pace(slow);
    await tab.type(field, 'slowly, the last time\n');
    await eventually(() => lastAnswer(tab)).toContain('word 9 ');
    await tab.reload();
    await eventually(() => lastAnswer(tab)).toContain('word 3 ');
    conversation.pace(quick);
    // The page resumes by itself what a reload has cut, unless the person was faster.
    await eventually(async () => (await press(tab, 'Resume')) || (await state(tab)) !== 'interrupted').toBe(true);
    await eventually(() => lastAnswer(tab)).toMatch(/END/u);
    await eventually(() => state(tab)).toBe('idle');
    expect(await text(tab, '[data-part=markdown] h1')).toBe('A title');
  });

  it('fit a small screen, and keep the policy of the page', async () => {
    await tab.resize(320, 640);
    await eventually(() => tab.run(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await tab.run(() => globalThis.refused)).toEqual([]);
    // The refused message is an error of the network, which the engines that report problems report.
    expect(tab.problems().filter((line) => !line.includes('401'))).toEqual([]);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../e2e/support/eventually.ts';
import { type Answer, startAnswers } from '../e2e/support/first-chat/answers.ts';
import { during } from '../e2e/support/stage.ts';
import type { EngineTab } from './support/engine.ts';
import { servePage } from './support/site.ts';
import { engines, startEngine } from './support/start-engine.ts';

const site = servePage('readme');
const answers = during(startAnswers, (its) => its.stop());

const text = (tab: EngineTab): Promise<string> => tab.run(() => document.body.innerText).catch(() => '');
const questions = (tab: EngineTab): Promise<readonly string[]> =>
  tab
    .run(() =>
      Array.from(
        document.querySelectorAll('[data-part=question] bdi, [data-part=queue] bdi'),
        (row) => row.textContent ?? '',
      ),
    )
    .catch((): readonly string[] => []);
const draft = (tab: EngineTab): Promise<string> => tab.run(() => document.querySelector('textarea')?.value ?? '');
const hasStopped = (tab: EngineTab): Promise<boolean> =>
  tab.run(
    () => document.querySelector('[data-part=composer]') !== null && document.querySelector('[part~=stop]') === null,
  );
const alerts = (tab: EngineTab): Promise<string> =>
  tab.run(() => document.querySelector('[role=alert]')?.textContent ?? '');

/** Whether a database of the page has a text. */
const isStored = (tab: EngineTab, wanted: string): Promise<boolean> =>
  tab.run(async (its: string) => {
    const resultOf = <Value>(request: IDBRequest<Value>): Promise<Value> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error ?? new Error('The request failed.')));
      });
    let found = false;
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await resultOf(indexedDB.open(name));
      for (const table of database.objectStoreNames) {
        const rows = await resultOf(database.transaction(table).objectStore(table).getAll());
        found ||= JSON.stringify(rows).includes(its);
      }
      database.close();
    }
    return found;
  }, wanted);

const field = 'textarea';
const key = 'input[type=password]';
const stop = '[part~=stop]';
const onward = '[data-part=run-notice] .bk-buttons button';

describe.each(engines)("the README's first chat on a phone, in %s", (name) => {
  const engine = during(
    () => startEngine(name, { width: 390, height: 844 }),
    (its) => its.close(),
  );
  let tab: EngineTab;
  const address = (): string => `${site()}?${new URLSearchParams({ server: answers().url })}`;

  beforeAll(async () => {
    tab = await engine().open();
  });
  afterAll(() => tab?.close().catch(() => {}));
  afterEach(() => answers().reset());

  /** Enters a key, as after each load of the page. */
  async function enterKey(): Promise<void> {
    await eventually(() => tab.run((its: string) => document.querySelector(its) !== null, key).catch(() => false)).toBe(
      true,
    );
    await tab.type(key, 'sk-test\n');
    await eventually(() => tab.run((its: string) => document.querySelector(its) === null, key)).toBe(true);
  }

  /** Opens an empty chat and asks. Resolves with the answer, of which `begin` has arrived. */
  async function ask(question: string, begin: string): Promise<Answer> {
    await tab.goto(address());
    await enterKey();
    await tab.type(field, `${question}\n`);
    await eventually(() => answers().asked.length).toBe(1);
    const [first] = answers().asked;
    first?.write(begin);
    await eventually(() => text(tab)).toContain(begin.trim());
    return first ?? expect.unreachable();
  }

  it('stops with a text in the field, and sends that text next', async () => {
    const first = await ask('What is a brooklet?', 'A very ');
    await tab.type(field, 'A draft');
    await tab.click(stop);
    await eventually(first.isCut).toBe(true);
    await eventually(() => hasStopped(tab)).toBe(true);
    expect([await draft(tab), await questions(tab), await alerts(tab)]).toEqual([
      'A draft',
      ['What is a brooklet?'],
      '',
    ]);
    await tab.type(field, '\n');
    await eventually(() => answers().asked.map(({ question }) => question)).toEqual(['What is a brooklet?', 'A draft']);
  });

  it('sends no blank message, and a message during an answer afterwards', async () => {
    const first = await ask('The first', 'It is ');
    await tab.type(field, '  \n');
    await tab.run(() => {
      const draft = document.querySelector('textarea');
      draft?.select();
      draft?.focus();
    });
    await tab.type(field, 'The second\n');
    await eventually(async () => (await questions(tab)).map((question) => question.trim())).toEqual([
      'The first',
      'The second',
    ]);
    expect(answers().asked).toHaveLength(1);
    first.end();
    await eventually(() => answers().asked.length).toBe(2);
    expect(await alerts(tab)).toBe('');
  });

  it('shows everything after a reload in the middle of an answer, and continues it', async () => {
    await ask('What is a brooklet?', 'A very small ');
    await eventually(async () => new URL(await tab.url()).hash).not.toBe('');
    // WebKit may lose what was written while the page was left (test/engines/leave.test.ts states how much).
    await eventually(() => isStored(tab, 'A very small')).toBe(true);
    await tab.reload();
    await eventually(() => text(tab)).toContain('A very small');
    expect(await questions(tab)).toEqual(['What is a brooklet?']);
    await enterKey();
    await tab.click(onward);
    await eventually(() => answers().asked.length).toBe(2);
    answers().asked[1]?.write('brook.');
    answers().asked[1]?.end();
    await eventually(() => text(tab)).toContain('brook.');
    await eventually(() => hasStopped(tab)).toBe(true);
    expect(await alerts(tab)).toBe('');
  });

  it('shows everything after a visit of another page and Back, and goes on', async () => {
    await ask('What is a brooklet?', 'A very small ');
    await eventually(async () => new URL(await tab.url()).hash).not.toBe('');
    await tab.goto(`${site()}missing`);
    await tab.back();
    await eventually(() => text(tab)).toContain('A very small');
    expect(await questions(tab)).toEqual(['What is a brooklet?']);
    await eventually(() => tab.run((its: string) => document.querySelector(its) !== null, onward)).toBe(true);
    // A page out of the page cache still has the key.
    if (await tab.run((its: string) => document.querySelector(its) !== null, key)) await enterKey();
    await tab.click(onward);
    await eventually(() => answers().asked.length).toBe(2);
    answers().asked[1]?.write('brook.');
    answers().asked[1]?.end();
    await eventually(() => text(tab)).toContain('brook.');
  });

  it('begins a new chat, and Back shows the one before', async () => {
    const first = await ask('The first', 'It is the first.');
    first.end();
    await eventually(() => hasStopped(tab)).toBe(true);
    await tab.click('nav a');
    await eventually(() => questions(tab)).toEqual([]);
    await tab.back();
    await eventually(() => questions(tab)).toEqual(['The first']);
    await eventually(() => text(tab)).toContain('It is the first.');
  });
});

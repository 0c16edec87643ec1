import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { soon } from './soon.ts';
import { failures } from './act-failures.ts';
import type { Ability } from './samples.ts';
import { timesIn, type Visit } from './visit.ts';

/** What a person does with a chat, and what it must do then. */
export interface Act {
  readonly name: string;
  /** What a sample needs to have. */
  readonly needs: readonly Ability[];
  play(visit: Visit): Promise<void>;
  /** Plays in `npm test`, too. */
  readonly isShort?: true;
}

const question = 'What is a brooklet?';
const begin = 'A very small ';
const longWord = 'x'.repeat(400);

const sends: readonly Act[] = [
  {
    name: 'answers a message that Send sends, and empties the field',
    needs: ['message'],
    isShort: true,
    async play({ hands, field, send, model, ...visit }) {
      await hands.fill(field, question);
      await hands.click(send);
      const asked = await visit.request(0);
      asked.write('A very small brook.');
      asked.end();
      await visit.seesOnce('A very small brook.');
      await soon(visit.isIdle).toBe(true);
      expect([await hands.valueOf(field), model.asked[0]?.question]).toEqual(['', question]);
    },
  },
  {
    name: 'sends once at a double click on Send',
    needs: ['message'],
    isShort: true,
    async play({ hands, field, send, model, ...visit }) {
      await hands.fill(field, question);
      await hands.click(send, 2);
      const asked = await visit.request(0);
      asked.write('A very small brook.');
      asked.end();
      await soon(visit.isIdle).toBe(true);
      // A second message would be sent by now.
      await visit.hear('And then?', 'The sea.');
      expect(model.asked.map((one) => one.question)).toEqual([question, 'And then?']);
      await visit.seesOnce(question);
    },
  },
  {
    name: 'sends no blank message, and says nothing of it',
    needs: ['message'],
    async play({ hands, field, send, model, ...visit }) {
      const before = await hands.readNotices();
      for (const text of ['', '   ']) {
        await hands.fill(field, text);
        await hands.press('Enter');
        await hands.click(send);
      }
      expect(await hands.readNotices()).toEqual(before);
      await visit.hear(question, 'A brook.');
      expect(model.asked.map((asked) => asked.question)).toEqual([question]);
    },
  },
  {
    name: 'keeps the text that Tab leaves, and reaches Send by Tab',
    needs: ['message'],
    async play({ hands, field, model, ...visit }) {
      await hands.fill(field, question);
      const path: string[] = [];
      for (let step = 0; step < 8 && !path.at(-1)?.startsWith('button “Send'); step++) {
        await hands.press('Tab');
        path.push(await hands.readFocus());
        expect([await hands.valueOf(field), model.asked]).toEqual([question, []]);
        if (path.at(-1)?.includes(String(visit.send.name))) break;
      }
      expect(path.at(-1)).toContain(String(visit.send.name));
      await hands.press('Enter');
      const asked = await visit.request(0);
      asked.end();
      await soon(visit.isIdle).toBe(true);
    },
  },
  {
    name: 'breaks a long word on a phone',
    needs: ['message'],
    async play({ hands, ...visit }) {
      await hands.tab.resize(320, 640);
      await visit.hear(longWord, `https://example.com/${'path/'.repeat(60)}`);
      // A window of the engine may not become as narrow as asked.
      const overflow = await hands.tab.run(() => [
        document.documentElement.scrollWidth - document.documentElement.clientWidth,
        document.body.scrollWidth - innerWidth,
      ]);
      expect(Math.max(...overflow)).toBeLessThanOrEqual(0);
    },
  },
];

const stops: readonly Act[] = [
  {
    name: 'stops with a text in the field, which stays and is sent next',
    needs: ['message', 'stop'],
    isShort: true,
    async play({ hands, field, stop, model, ...visit }) {
      const asked = await visit.ask(question, begin);
      await hands.fill(field, 'A draft');
      await hands.click(stop, 2);
      await soon(asked.isCut).toBe(true);
      await soon(visit.isIdle).toBe(true);
      expect([await hands.valueOf(field), model.asked.length]).toEqual(['A draft', 1]);
      await hands.click(field);
      await hands.press('Enter');
      (await visit.request(1)).end();
      expect(model.asked.map((one) => one.question)).toEqual([question, 'A draft']);
      await visit.seesOnce('A draft');
    },
  },
  {
    name: 'stops with an empty field, and says nothing of a message',
    needs: ['message', 'stop'],
    async play({ hands, stop, model, ...visit }) {
      const asked = await visit.ask(question, begin);
      await hands.click(stop);
      await soon(asked.isCut).toBe(true);
      await soon(visit.isIdle).toBe(true);
      expect((await hands.readNotices()).join('\n')).not.toMatch(/empty|failed|error/iu);
      expect(model.asked).toHaveLength(1);
      await visit.seesOnce(begin.trim());
      await visit.hear('And then?', 'The sea.');
    },
  },
  {
    name: 'shows a message that is sent during an answer, and sends it afterwards',
    needs: ['message', 'queue'],
    async play({ hands, field, model, ...visit }) {
      const first = await visit.ask(question, begin);
      await hands.fill(field, 'And then?');
      await hands.press('Enter');
      await visit.seesOnce('And then?');
      expect([await hands.valueOf(field), model.asked.length]).toEqual(['', 1]);
      first.end();
      const second = await visit.request(1);
      expect(second.question).toBe('And then?');
      second.write('The sea.');
      second.end();
      await visit.seesOnce('The sea.');
      await visit.seesOnce('And then?');
    },
  },
];

/** Opens and closes each database that the page has begun to open: the page has its own before. Runs in the page. Returns how many there are. */
async function openDatabases(): Promise<number> {
  const databases = await indexedDB.databases();
  const open = (name = ''): Promise<void> =>
    new Promise((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.addEventListener('error', () => reject(opening.error ?? new Error(name)));
      opening.addEventListener('success', () => {
        opening.result.close();
        resolve();
      });
    });
  await Promise.all(databases.map(({ name }) => open(name)));
  return databases.length;
}

/** What is left of an answer that was cut is there, and goes on. */
async function continueAfterReload({ hands, goOn, again, model, ...visit }: Visit): Promise<void> {
  await visit.seesOnce(question);
  // The page goes on by itself, or offers it. A reload before the request was sent leaves an answer that has not begun.
  let pressed = false;
  await soon(async () => {
    // One of them may be of the page that was left: its end arrives at the server later than the page was left.
    for (const asked of model.asked.filter((one) => one.isOpen())) {
      asked.write('brook.');
      asked.end();
    }
    if (!pressed && (await hands.has(again))) {
      pressed = true;
      await hands.click(again);
    }
    return timesIn(await hands.read(), 'brook.');
  }).toBe(1);
  await soon(visit.isIdle).toBe(true);
  expect(await hands.has(goOn)).toBe(false);
}

const reloads: readonly Act[] = [
  ...[0, 20, 50, 100, 400].map((ms): Act => ({
    name: `has the message after a reload ${ms} ms after Enter, and answers it`,
    needs: ['message', 'stored', 'continue'],
    ...(ms === 50 && { isShort: true }),
    async play(visit) {
      const { hands, field, model } = visit;
      // A person types after the page has come to rest: its database is open.
      await soon(() => hands.tab.run(openDatabases)).toBeGreaterThan(0);
      await hands.fill(field, question);
      await hands.press('Enter');
      // The moment is what is tested.
      await pause(ms);
      await visit.reload();
      await continueAfterReload(visit);
      await soon(() => model.asked.length).toBeLessThanOrEqual(2);
      await visit.seesOnce(question);
    },
  })),
  {
    name: 'has everything after a reload in the middle of an answer, and goes on',
    needs: ['message', 'stored', 'continue'],
    async play(visit) {
      const { hands, model } = visit;
      await visit.hear('First?', 'The first answer.');
      await visit.ask(question, begin);
      await visit.reload();
      await visit.seesOnce('The first answer.');
      await continueAfterReload(visit);
      // A plain shared worker ends with its last page, which a reload may be.
      const outlives = (await hands.read()).includes('outlive every page') ? [2] : [2, 3];
      expect(visit.sample.outlives ? outlives : [3]).toContain(model.asked.length);
      for (const text of ['First?', 'The first answer.', question]) expect(timesIn(await hands.read(), text)).toBe(1);
    },
  },
];

const addresses: readonly Act[] = [
  {
    name: 'goes Back to the conversation before a new chat, and forward',
    needs: ['message', 'address'],
    isShort: true,
    async play({ hands, newChat, ...visit }) {
      await visit.hear('The first', 'It is the first.');
      await hands.click(newChat);
      await soon(async () => timesIn(await hands.read(), 'The first')).toBe(0);
      await visit.settle();
      await visit.hear('The second', 'It is the second.');
      await hands.tab.back();
      await visit.seesOnce('It is the first.');
      await soon(async () => timesIn(await hands.read(), 'It is the second.')).toBe(0);
      await hands.tab.run(() => void setTimeout(() => history.forward()));
      await visit.seesOnce('It is the second.');
      await soon(async () => timesIn(await hands.read(), 'It is the first.')).toBe(0);
    },
  },
  {
    name: 'comes back from another page in the middle of an answer, and goes on',
    needs: ['message', 'address', 'continue'],
    async play(visit) {
      const { hands, model } = visit;
      await visit.ask(question, begin);
      await hands.tab.goto(`${new URL(visit.url).origin}/elsewhere.html`);
      await hands.tab.back();
      await visit.settle();
      await continueAfterReload(visit);
      expect(model.asked.length).toBeLessThanOrEqual(2);
    },
  },
  {
    name: 'is the same in a second tab, which stops the answer',
    needs: ['message', 'address', 'stop'],
    async play({ hands, field, stop, model, ...visit }) {
      const asked = await visit.ask(question, begin);
      const second = await visit.openTab(await hands.tab.url());
      await soon(() => second.read()).toContain(begin.trim());
      asked.write('brook');
      for (const one of [hands, second]) await soon(() => one.read()).toContain(`${begin}brook`);
      await second.fill(field, 'A draft');
      await second.click(stop);
      await soon(asked.isCut).toBe(true);
      for (const one of [hands, second]) await soon(() => one.isEnabled(stop)).toBe(false);
      expect([await second.valueOf(field), model.asked.length]).toEqual(['A draft', 1]);
    },
  },
];

const approvals: readonly Act[] = [
  {
    name: 'asks before it runs a tool, also after a reload, and runs it once',
    needs: ['approval'],
    isShort: true,
    async play({ hands, field, send, sample, model, ...visit }) {
      const { ask, tool, approve, says } = sample.approval ?? expect.unreachable('The table has no approval.');
      const button = { role: 'button' as const, name: approve };
      if (ask !== '') await hands.fill(field, ask);
      await hands.click(send);
      if (tool) (await visit.request(0)).call(...tool);
      await soon(() => hands.has(button)).toBe(true);
      if (!('stored' in sample.lacks)) {
        await visit.reload();
        await soon(() => hands.has(button)).toBe(true);
      }
      await hands.click(button, 2);
      if (tool) {
        const result = await visit.request(1);
        result.write('It is done.');
        result.end();
      }
      await visit.seesOnce(says ?? 'It is done.');
      expect(model.asked).toHaveLength(tool ? 2 : 0);
      expect(await hands.has(button)).toBe(false);
    },
  },
];

export const acts: readonly Act[] = [...sends, ...stops, ...reloads, ...addresses, ...approvals, ...failures];

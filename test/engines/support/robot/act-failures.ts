import { expect } from 'vitest';
import { soon } from './soon.ts';
import type { Act } from './acts.ts';
import type { Failure } from './model.ts';
import type { Visit } from './visit.ts';

const question = 'What is a brooklet?';

/** Ids of requests, organizations, sessions; parts of JSON; names of codes. A variable of Ollama is what a person sets. */
const noSentence =
  /[0-9a-f]{8}-[0-9a-f]{4}-|\b(?:req|org|resp|call|msg)[-_]\w{6,}|[{}]|\b(?!OLLAMA_)[A-Z]+_[A-Z_]+\b|undefined|\[object/u;

/** What the page says itself. A service that is quoted writes ids into its words, and asks for them: "include the request ID req_…". */
const withoutQuotes = (text: string): string => text.replaceAll(/[“"][^”"]*[”"]/gu, '…');

/** Waits for a sentence that says what is wrong. */
async function seesProblem({ hands }: Visit): Promise<void> {
  await soon(async () => (await hands.readNotices()).join('\n')).toMatch(/\p{L}{3,}.*[.!?]/u);
  const said = (await hands.readNotices()).join('\n');
  expect(withoutQuotes(said)).not.toMatch(noSentence);
}

/** What went wrong is over: what the page offers answers the same message. */
async function recovers(visit: Visit): Promise<void> {
  const { hands, again, field, sample } = visit;
  if ('continue' in sample.lacks) {
    await hands.fill(field, question);
    await hands.press('Enter');
  } else await hands.click(again);
  const asked = await visit.request(0);
  expect(asked.question).toContain(question);
  asked.write('A very small brook.');
  asked.end();
  await soon(() => hands.read()).toContain('A very small brook.');
}

const refused = (failure: Failure, name: string, more: Partial<Act> = {}): Act => ({
  name,
  needs: ['message', 'service'],
  ...more,
  async play(visit) {
    const { hands, field, again, model, sample } = visit;
    model.fail(failure);
    await hands.fill(field, question);
    await hands.press('Enter');
    await seesProblem(visit);
    await visit.seesOnce(question);
    // A service that is away or busy is asked again first, without a person.
    if (!('continue' in sample.lacks)) await soon(() => hands.has(again)).toBe(true);
    await seesProblem(visit);
    if (failure === 'wrong key') expect(model.failed).toBe(1);
    model.fail(undefined);
    await recovers(visit);
    await visit.seesOnce(question);
  },
});

export const failures: readonly Act[] = [
  refused('wrong key', 'says that the key is wrong, and goes on with a right one', { isShort: true }),
  refused('too many requests', 'says that there were too many requests, and goes on'),
  refused('broken service', 'says that the service is broken, and goes on'),
  refused('no network', 'says that there is no network, and goes on'),
  {
    name: 'shows what there is of an answer that is cut, and goes on',
    needs: ['message', 'service', 'continue'],
    async play(visit) {
      const { hands, again, model } = visit;
      const asked = await visit.ask(question, 'A very small ');
      asked.cut();
      await seesProblem(visit);
      await visit.seesOnce(question);
      expect(await hands.read()).toContain('A very small');
      if (!model.asked.slice(1).some((one) => one.isOpen())) await hands.click(again);
      const next = await visit.request(1);
      next.write('brook.');
      next.end();
      await soon(() => hands.read()).toContain('brook.');
    },
  },
];

import { type ChatInput, defineTool, extractTextContent, toolParts } from 'brooklet';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { call, say } from '../support/manual-client.ts';
import { seeded } from '../support/seeded.ts';
import { until } from '../support/until.ts';
import { createWorkerWorld, type WorldPage } from '../support/worker-world.ts';

/** What happens around the runs: pages come and go, a new version is deployed, the worker is killed, the model says a word. */
const moves = fc.array(
  fc.record({
    what: fc.constantFrom(
      'open',
      'close',
      'close',
      'send',
      'send',
      'send and leave',
      'word',
      'word',
      'word',
      'end',
      'deploy',
      'kill',
    ),
    pick: fc.nat({ max: 3 }),
    turns: fc.nat({ max: 3 }),
  }),
  { minLength: 6, maxLength: 20, size: 'max' },
);

type Script = typeof moves extends fc.Arbitrary<infer T> ? T : never;

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Plays a script, then lets every run end. Returns which laws were broken. */
async function play(script: Script) {
  const runs: string[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object' },
    execute(_input, { idempotencyKey }) {
      runs.push(idempotencyKey);
      return 'paid';
    },
  });
  const world = createWorkerWorld({ tools: [pay], agent: { autoResume: false } });
  const pages: WorldPage[] = [world.openPage()];
  const id = pages[0]?.agent.createSession() ?? '';
  await (await pages[0]?.agent.openSession(id))?.flushed();
  const said = new Map<number, string>();
  const answered = new Set<object>();
  const prompts: string[] = [];
  const left: string[] = [];
  let kills = 0;

  const pageAt = (pick: number): WorldPage => {
    if (pages.length === 0) pages.push(world.openPage());
    return pages[pick % pages.length] ?? expect.unreachable();
  };
  const openAsked = () =>
    world.client.asked
      .map((asked, index) => ({ asked, index }))
      .filter(({ asked }) => !asked.aborted && !answered.has(asked));
  const finish = (): void => {
    for (const { asked, index } of openAsked()) {
      answered.add(asked);
      const last = asked.request.messages.at(-1);
      const isPaid = last?.role === 'user' && index % 2 === 0;
      if (isPaid) call(asked, ['pay', '{}']);
      else say(asked, '.');
      said.set(index, `${said.get(index) ?? ''}${isPaid ? '' : '.'}`);
    }
  };

  for (const { what, pick, turns } of script) {
    if (what === 'open') pages.push(world.openPage());
    else if (what === 'close') pages.splice(pick % Math.max(1, pages.length), 1)[0]?.kill();
    else if (what === 'send') {
      const text = `prompt ${prompts.length}`;
      prompts.push(text);
      const { agent } = pageAt(pick);
      agent
        .openSession(id)
        .then((session) => session.send(text, { whenBusy: 'queue' }))
        .catch(() => {});
      // The message is with the worker, or in the store, before the page may close.
      for (let wait = 0; wait < 6; wait++) await turn();
    } else if (what === 'send and leave') {
      const page = pageAt(pick);
      const session = await page.agent.openSession(id);
      const text = `prompt ${prompts.length}`;
      session.send(text, { whenBusy: 'queue' }).catch(() => {});
      prompts.push(text);
      left.push(text);
      for (let wait = 0; wait < turns; wait++) await turn();
      pages.splice(pages.indexOf(page), 1);
      page.leave();
      // A plain shared worker ends with its last page.
      if (pick % 2 === 1) {
        world.killWorker();
        kills++;
      }
    } else if (what === 'word') {
      for (const { asked, index } of openAsked()) {
        const word = `w${pick} `;
        asked.chunks.next({ type: 'text', text: word });
        said.set(index, `${said.get(index) ?? ''}${word}`);
      }
    } else if (what === 'end') finish();
    else if (what === 'deploy') world.deploy();
    else {
      world.killWorker();
      kills++;
    }
    for (let wait = 0; wait <= turns; wait++) await turn();
  }

  const last = world.openPage();
  const session = await last.agent.openSession(id);
  await until(() => {
    finish();
    expect(['idle', 'interrupted', 'failed']).toContain(session.getStatus());
    expect(openAsked()).toEqual([]);
  });
  // What waits behind a cut run is sent by a person.
  const messages = session.getMessages();
  const problems: string[] = [];
  for (const text of prompts) {
    const requests = world.client.asked.filter(({ request }) => {
      const prompt = request.messages.findLast(({ role }) => role === 'user');
      return prompt && extractTextContent(prompt) === text && request.messages.at(-1) === prompt;
    });
    if (requests.length > 1) problems.push(`${requests.length} requests for ${text}`);
    if (messages.filter((message) => extractTextContent(message) === text).length > 1) problems.push(`${text} twice`);
  }
  const known = [...messages, ...session.getState().queue.map(({ message }) => message)].map((one) =>
    extractTextContent(one),
  );
  for (const text of left) if (!known.includes(text)) problems.push(`${text} is lost`);
  if (new Set(runs).size < runs.length) problems.push('a call has run twice');
  const shown = messages.filter(({ role }) => role === 'assistant');
  for (const [index, text] of said) {
    const asked = world.client.asked[index];
    if (kills > 0) continue;
    if (asked?.aborted) problems.push(`cut: ${JSON.stringify(text)}`);
    if (!shown.some((message) => extractTextContent(message) === text)) problems.push(`lost: ${JSON.stringify(text)}`);
  }
  const calls = messages.flatMap(toolParts).filter(({ status }) => status === 'succeeded');
  if (calls.length > runs.length) problems.push('a call has succeeded that did not run');
  for (const page of pages) page.kill();
  last.kill();
  world.killWorker();
  return { problems, requests: world.client.asked.length, workers: world.workers(), kills };
}

test('pages that come and go, new versions and killed workers lose no word, ask once, and run no call twice', async () => {
  const met = { requests: 0, workers: 0, kills: 0 };
  await fc.assert(
    fc.asyncProperty(moves, async (script) => {
      const { problems, ...seen } = await play(script);
      met.requests += seen.requests;
      met.workers += seen.workers;
      met.kills += seen.kills;
      expect(problems).toEqual([]);
    }),
    seeded(200),
  );
  expect(Object.values(met).every((count) => count > 5)).toBe(true);
}, 120_000);

/** A page that has edited its message `Counf`, and is left before the worker has read it. */
async function editAndLeave(input: string | ChatInput) {
  const world = createWorkerWorld();
  const page = world.openPage();
  const session = await page.agent.openSession(page.agent.createSession());
  const sent = session.send('Counf');
  await until(() => expect(world.client.asked).toHaveLength(1));
  say(world.client.last(), 'What?');
  await sent;
  const [prompt] = session.getMessages();
  session.edit(prompt?.id ?? '', input).catch(() => {});
  page.leave();
  return { world, id: session.id };
}

test.each([
  ['a text', 'Count'],
  ['a message', { content: 'Count' }],
])(
  '%s that is edited right before a reload stays where the worker ends, and is answered once',
  async (_what, input) => {
    const { world, id } = await editAndLeave(input);
    world.killWorker();
    const next = await world.openPage().agent.openSession(id);
    await until(() => expect(next.getMessages().map((message) => extractTextContent(message))).toEqual(['Count']));
    await until(() => expect(next.getStatus()).toBe('interrupted'));
    void next.resume();
    await until(() => expect(world.client.asked).toHaveLength(2));
    say(world.client.last(), 'One');
    await until(() =>
      expect(next.getMessages().map((message) => extractTextContent(message))).toEqual(['Count', 'One']),
    );
    world.killWorker();
  },
);

test('a message that is edited right before a reload is there once where the worker lives', async () => {
  const { world, id } = await editAndLeave('Count');
  const next = await world.openPage().agent.openSession(id);
  await until(() => {
    for (const asked of world.client.asked.slice(1)) if (!asked.aborted) say(asked, 'One');
    expect(['idle', 'interrupted']).toContain(next.getStatus());
    expect(extractTextContent(next.getMessages()[0] ?? expect.unreachable())).toBe('Count');
  });
  expect(next.getMessages().filter(({ role }) => role === 'user')).toHaveLength(1);
  world.killWorker();
});

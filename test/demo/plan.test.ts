import type { AgentErrorCode, JsonObject, LLMRequest, Message, ToolPart } from 'brooklet';
import { reply, type Script } from 'brooklet/testing';
import { chinese, english } from 'brooklet/ui';
import { describe, expect, it } from 'vitest';
import { createPlan } from '../../demo/src/offline/plan.ts';
import { wordsZh } from '../../demo/src/offline/words-zh.ts';
import { wordsEn } from '../../demo/src/offline/words.ts';
import { en } from '../../demo/src/texts/en/en.ts';
import { zh } from '../../demo/src/texts/zh/zh.ts';
import { tools } from '../../demo/src/tools/tools.ts';
import { engine } from '../../src/core/tools/tool.ts';

const user = (text: string, id = 'question'): Message => ({
  id,
  role: 'user',
  content: [{ type: 'text', text }],
  timestamp: 0,
});

const agent = (content: Message['content'], status: Message['status'] = 'complete'): Message => ({
  id: 'reply',
  role: 'assistant',
  content,
  timestamp: 0,
  status,
});

const call = (name: string, input: JsonObject, rest: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool',
  callId: `${name}-1`,
  name,
  input,
  inputText: JSON.stringify(input),
  status: 'succeeded',
  ...rest,
});

const request = (...messages: readonly Message[]): LLMRequest => ({ sessionId: 's', messages, tools });

const textOf = (script: Script): string =>
  script.flatMap((step) => (step.do === 'say' && step.type === 'text' ? [step.text] : [])).join('');
const callsOf = (script: Script): readonly (readonly [name: string, input: JsonObject])[] =>
  script.flatMap((step) => {
    if (step.do !== 'call') return [];
    const input: JsonObject = JSON.parse(step.inputText);
    return [[step.name, input] as const];
  });
const codesOf = (script: Script) => script.flatMap((step) => (step.do === 'fail' ? [step.error.code] : []));

const notes = call('list_notes', {}, { output: { notes: [{ id: 1, text: 'Buy milk', createdAt: '' }], total: 1 } });

describe('the offline model', () => {
  it('requests a tool after its reasoning', () => {
    const script = createPlan()(request(user('What is 6 * 7?')));
    expect(callsOf(script)).toEqual([['calculate', { expression: '6 * 7' }]]);
    expect(script.some((step) => step.do === 'say' && step.type === 'reasoning')).toBe(true);
  });

  it('requests two tools in one reply', () => {
    const script = createPlan()(request(user('What time is it in Tokyo, and what is 6 * 7?')));
    expect(callsOf(script)).toEqual([
      ['current_time', { timeZone: 'Asia/Tokyo' }],
      ['calculate', { expression: '6 * 7' }],
    ]);
  });

  it('answers with the results, and requests no call twice', () => {
    const made = agent([call('calculate', { expression: '6 * 7' }, { output: { result: 42 } })]);
    const script = createPlan()(request(user('What is 6 * 7?'), made));
    expect(callsOf(script)).toEqual([]);
    expect(textOf(script)).toBe('`6 * 7` is **42**.');
  });

  it('mentions an input that the user edited', () => {
    const made = agent([call('add_note', { text: 'milk' }, { editedInput: { text: 'oat milk' }, output: { id: 1 } })]);
    expect(textOf(createPlan()(request(user('Remember milk'), made)))).toBe('Saved, with your change: “oat milk”.');
  });

  it('reads the notes before it deletes one', () => {
    const prompt = user('Delete the note about milk');
    const plan = createPlan();
    expect(callsOf(plan(request(prompt)))).toEqual([['list_notes', {}]]);
    expect(callsOf(plan(request(prompt, agent([notes]))))).toEqual([['delete_note', { id: 1, begins: 'Buy milk' }]]);

    const declined = call(
      'delete_note',
      { id: 1, begins: 'Buy milk' },
      { status: 'rejected', approval: { reason: 'I need it' } },
    );
    const script = plan(request(prompt, agent([notes]), agent([declined])));
    expect(callsOf(script)).toEqual([]);
    expect(textOf(script)).toBe('You declined `delete_note` (“I need it”), so nothing was done.');
  });

  it('saves several notes in one reply', () => {
    expect(callsOf(createPlan()(request(user('Save three notes: bread, milk, eggs'))))).toEqual([
      ['add_note', { text: 'bread' }],
      ['add_note', { text: 'milk' }],
      ['add_note', { text: 'eggs' }],
    ]);
  });

  it('doubles one step at a time, each with the result of the step before', () => {
    const plan = createPlan();
    const prompt = user('Double 3 2 times');
    const first = agent([call('calculate', { expression: '3 * 2' }, { output: { result: 6 } })]);
    const second = agent([call('calculate', { expression: '6 * 2' }, { output: { result: 12 } })]);
    expect(callsOf(plan(request(prompt)))).toEqual([['calculate', { expression: '3 * 2' }]]);
    expect(callsOf(plan(request(prompt, first)))).toEqual([['calculate', { expression: '6 * 2' }]]);
    expect(callsOf(plan(request(prompt, first, second)))).toEqual([]);
    expect(textOf(plan(request(prompt, first, second)))).toContain('`6 * 2` is **12**.');
  });

  it('reads a file before fixing it, and does not change a file without a mistake', () => {
    const plan = createPlan();
    const prompt = user('Fix the typo in poem.txt');
    const read = (output: string) => agent([call('read_file', { path: 'poem.txt' }, { output })]);
    expect(callsOf(plan(request(prompt)))).toEqual([['read_file', { path: 'poem.txt' }]]);
    expect(callsOf(plan(request(prompt, read('it leaves the stoen,'))))).toEqual([
      ['edit_file', { path: 'poem.txt', old_string: 'it leaves the stoen,', new_string: 'it leaves the stone,' }],
    ]);
    expect(textOf(plan(request(prompt, read('it leaves the stone,'))))).toContain('no mistake');
  });

  it('asks for the route, then for the details, and answers with a plan', () => {
    const plan = createPlan();
    const prompt = user('Plan a walk with me');
    const made: Message[] = [];
    for (const output of ['Along the meadow', { day: 'Friday', people: 3, picnic: true }]) {
      const [requested] = callsOf(plan(request(prompt, ...made)));
      expect(requested?.[0]).toBe('ask_user');
      made.push(agent([call('ask_user', requested?.[1] ?? {}, { output })]));
    }
    const text = textOf(plan(request(prompt, ...made)));
    expect(text).toContain('**along the meadow**, on Friday');
    expect(text).toContain('3 of us');
    expect(text).toContain('A picnic');
  });

  it('requests only tools that exist, with valid inputs', async () => {
    const prompts = ['What time is it?', '6 * 7', 'Show my notes', 'Remember milk', 'Which files are there?'];
    prompts.push('How many primes are below 100?', 'Draw the brook', 'Run some code', 'Plan a walk', 'Fix the typo');
    for (const text of prompts) {
      const calls = callsOf(createPlan()(request(user(text))));
      expect(calls).toHaveLength(1);
      for (const [name, input] of calls) {
        const checked = await tools.find((tool) => tool.name === name)?.[engine].check(input);
        expect({ name, isThere: checked !== undefined, problem: checked?.problem }).toEqual({ name, isThere: true });
      }
    }
  });

  it('states that no note matches', () => {
    const script = createPlan()(request(user('Delete the note about cheese'), agent([notes])));
    expect(callsOf(script)).toEqual([]);
    expect(textOf(script)).toContain('None of your notes is about “cheese”');
  });

  it('answers with the error of a tool', () => {
    const failed = call(
      'calculate',
      { expression: '1/0' },
      { status: 'failed', isError: true, output: 'Division by zero at character 2.' },
    );
    expect(textOf(createPlan()(request(user('1/0'), agent([failed]))))).toBe(
      '`calculate` failed: Division by zero at character 2.',
    );
  });

  it('requests only tools of the request', () => {
    const script = createPlan()({ sessionId: 's', messages: [user('What is 6 * 7?')] });
    expect(callsOf(script)).toEqual([]);
  });

  it('explains its abilities if it understands nothing', () => {
    expect(textOf(createPlan()(request(user('Who painted the Mona Lisa?'))))).toContain('not a real model');
  });

  it('continues an interrupted answer', () => {
    const prompt = user('Tell me a long story');
    const plan = createPlan();
    const whole = textOf(plan(request(prompt)));
    const begun = agent([{ type: 'text', text: whole.slice(0, 100) }], 'interrupted');
    expect(textOf(plan(request(prompt, begun, user('Go on.', 'reply-go-on'))))).toBe(whole.slice(100));
  });

  it('answers a new message after a stopped answer', () => {
    const begun = agent([{ type: 'text', text: '# Where the' }], 'interrupted');
    const script = createPlan()(request(user('Tell me a long story'), begun, user('What is 6 * 7?', 'next')));
    expect(callsOf(script)).toEqual([['calculate', { expression: '6 * 7' }]]);
  });

  it('fails once on request, then works', () => {
    const plan = createPlan();
    const prompt = request(user('Fail with a refused key'));
    expect(codesOf(plan(prompt))).toEqual(['AUTHENTICATION_FAILED']);
    expect(codesOf(plan(prompt))).toEqual([]);
    expect(codesOf(plan(request(user('Fail midway', 'other'))))).toEqual(['STREAM_INTERRUPTED']);
  });

  it('reports a rate limit twice on request, with the time of the retry', () => {
    const plan = createPlan();
    const prompt = request(user('Fail with a rate limit'));
    for (const _ of [1, 2])
      expect(plan(prompt)).toContainEqual(
        expect.objectContaining({
          do: 'fail',
          error: expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED', retryable: true, retryAfter: 5_000 }),
        }),
      );
    expect(textOf(plan(prompt))).toMatch(/^Now it worked/);
  });
});

describe('the failure theatre', () => {
  const codes = {
    limit: 'RATE_LIMIT_EXCEEDED',
    cut: 'STREAM_INTERRUPTED',
    slow: undefined,
    json: undefined,
    credit: 'INSUFFICIENT_QUOTA',
    key: 'AUTHENTICATION_FAILED',
    cors: 'NETWORK_ERROR',
    overflow: 'CONTEXT_OVERFLOW',
    // An answer that a filter has ended is no error.
    refusal: undefined,
    network: 'NETWORK_ERROR',
  } as const satisfies Readonly<Record<keyof typeof en.welcome.failures, AgentErrorCode | undefined>>;

  it.each([
    ['English', en, english],
    ['Chinese', zh, chinese],
  ])('plays each failure by its prompt in %s, below a heading of its own', (_language, { welcome }, { notice }) => {
    const played = Object.entries(welcome.failures).map(([name, { text }]) => {
      const script = createPlan()(request(user(text)));
      const [code] = codesOf(script);
      return [name, code, code === undefined || Object.hasOwn(notice.causes, code)];
    });
    expect(played).toEqual(Object.entries(codes).map(([name, code]) => [name, code, true]));
  });

  it.each([en, zh])(
    'waits where it is slow, requests a call that cannot be read, and ends an answer by a filter',
    ({ welcome }) => {
      const { slow, json, refusal } = welcome.failures;
      const paused = createPlan()(request(user(slow.text))).flatMap((step) => (step.do === 'wait' ? [step.ms] : []));
      expect(Math.max(...paused)).toBeGreaterThan(2_000);
      const [input = ''] = createPlan()(request(user(json.text))).flatMap((step) =>
        step.do === 'call' ? [step.inputText] : [],
      );
      expect(() => JSON.parse(input) as unknown).toThrow(SyntaxError);
      expect(createPlan()(request(user(refusal.text)))).toContainEqual(reply.finish('content-filter'));
    },
  );
});

describe('the offline model in Chinese', () => {
  const plan = () => createPlan(() => wordsZh);
  const latin = /[a-z]{4,}/giu;
  /** Without what is the same in every language: code, addresses, names of tools, files and formats. */
  const prose = (text: string): string =>
    text.replaceAll(/```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|\(https?:[^)]*\)|\(javascript[^)]*\)|<[^>]*>/gsu, '');
  const known = new Set(['Markdown', 'HTML', 'CORS', 'JSON', 'poem', 'Asia', 'Tokyo']);
  const foreign = (text: string): readonly string[] =>
    (prose(text).match(latin) ?? []).filter((word) => !known.has(word));
  const prompts = [
    ...Object.values(zh.welcome.prompts).map(({ text }) => text),
    ...Object.values(zh.welcome.morePrompts),
    '你好',
    '谢谢',
    '嗯',
  ];

  it.each(prompts)('answers %s without a word of English', (prompt) => {
    const script = plan()(request(user(prompt)));
    const said = script.flatMap((step) => (step.do === 'say' ? [step.text] : [])).join('');
    expect(said).toMatch(/\p{Script=Han}/u);
    expect(foreign(said)).toEqual([]);
  });

  it('asks in Chinese, and understands the answers', () => {
    const ask = plan()(request(user('和我一起计划散步')));
    const [[name, input] = ['', {}]] = callsOf(ask);
    expect([name, input['question']]).toEqual(['ask_user', '我们走哪条路？']);
    const way = call('ask_user', input, { callId: '1', output: '沿着草地走' });
    const [[, details] = ['', {}]] = callsOf(plan()(request(user('和我一起计划散步'), agent([way]))));
    const answered = call('ask_user', details, { callId: '2', output: { day: '星期六', people: 2, picnic: true } });
    expect(textOf(plan()(request(user('和我一起计划散步'), agent([way, answered]))))).toBe(
      '那就定了：星期六，**沿着草地走**。\n\n- 2 个人，九点，在磨坊旁\n- 篮子里带着野餐',
    );
  });

  it('describes every result, and fails, in Chinese', () => {
    const statuses = ['succeeded', 'rejected', 'expired', 'cancelled', 'uncertain', 'failed'] as const;
    for (const status of statuses) {
      const made = call(
        'calculate',
        { expression: '6 * 7' },
        {
          status,
          output: status === 'failed' ? '除以零' : { result: 42 },
        },
      );
      expect(foreign(textOf(plan()(request(user('6 * 7'), agent([made])))))).toEqual([]);
    }
    // A connection that is cut is an error of the package, and shown by its code.
    const { cut: _cut, ...failures } = zh.welcome.failures;
    for (const { text } of Object.values(failures)) {
      const steps = plan()(request(user(text)));
      const said = steps.flatMap((step) =>
        step.do === 'say' ? [step.text] : step.do === 'fail' ? [step.error.message] : [],
      );
      expect(foreign(said.join(''))).toEqual([]);
    }
  });
});

it('shows a diagram and a page, in either language', () => {
  const languages = [
    [wordsEn, 'Show me a diagram', 'Write a small page'],
    [wordsZh, '画一张图表', '写一个小网页'],
  ] as const;
  for (const [words, diagram, page] of languages) {
    const answer = createPlan(() => words);
    expect(textOf(answer(request(user(diagram))))).toContain('```mermaid\n');
    expect(textOf(answer(request(user(page))))).toContain('```html\n');
  }
});

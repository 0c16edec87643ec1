import type { JsonObject, LLMRequest, Message, ToolPart } from 'brooklet';
import type { Script } from 'brooklet/testing';
import { describe, expect, it } from 'vitest';
import { createPlan } from '../../demo/src/offline/plan.ts';
import { tools } from '../../demo/src/tools/tools.ts';
import { engine } from '../../src/core/tools/tool.ts';

const person = (text: string, id = 'question'): Message => ({
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

describe('the offline plan', () => {
  it('asks for a tool, thinking first', () => {
    const script = createPlan()(request(person('What is 6 * 7?')));
    expect(callsOf(script)).toEqual([['calculate', { expression: '6 * 7' }]]);
    expect(script.some((step) => step.do === 'say' && step.type === 'reasoning')).toBe(true);
  });

  it('asks for two tools in one reply', () => {
    const script = createPlan()(request(person('What time is it in Tokyo, and what is 6 * 7?')));
    expect(callsOf(script)).toEqual([
      ['current_time', { timeZone: 'Asia/Tokyo' }],
      ['calculate', { expression: '6 * 7' }],
    ]);
  });

  it('tells the results, and asks for nothing twice', () => {
    const made = agent([call('calculate', { expression: '6 * 7' }, { output: { result: 42 } })]);
    const script = createPlan()(request(person('What is 6 * 7?'), made));
    expect(callsOf(script)).toEqual([]);
    expect(textOf(script)).toBe('`6 * 7` makes **42**.');
  });

  it('tells what a person changed', () => {
    const made = agent([call('add_note', { text: 'milk' }, { editedInput: { text: 'oat milk' }, output: { id: 1 } })]);
    expect(textOf(createPlan()(request(person('Remember milk'), made)))).toBe('Saved, with your change: “oat milk”.');
  });

  it('looks at the notes before it deletes one of them', () => {
    const asked = person('Delete the note about milk');
    const plan = createPlan();
    expect(callsOf(plan(request(asked)))).toEqual([['list_notes', {}]]);
    expect(callsOf(plan(request(asked, agent([notes]))))).toEqual([['delete_note', { id: 1, begins: 'Buy milk' }]]);

    const declined = call(
      'delete_note',
      { id: 1, begins: 'Buy milk' },
      { status: 'rejected', approval: { reason: 'I need it' } },
    );
    const script = plan(request(asked, agent([notes]), agent([declined])));
    expect(callsOf(script)).toEqual([]);
    expect(textOf(script)).toBe('You declined `delete_note` (“I need it”), so nothing was done.');
  });

  it('asks for several notes at once', () => {
    expect(callsOf(createPlan()(request(person('Save three notes: bread, milk, eggs'))))).toEqual([
      ['add_note', { text: 'bread' }],
      ['add_note', { text: 'milk' }],
      ['add_note', { text: 'eggs' }],
    ]);
  });

  it('doubles one step at a time, each with what came of the one before', () => {
    const plan = createPlan();
    const asked = person('Double 3 2 times');
    const first = agent([call('calculate', { expression: '3 * 2' }, { output: { result: 6 } })]);
    const second = agent([call('calculate', { expression: '6 * 2' }, { output: { result: 12 } })]);
    expect(callsOf(plan(request(asked)))).toEqual([['calculate', { expression: '3 * 2' }]]);
    expect(callsOf(plan(request(asked, first)))).toEqual([['calculate', { expression: '6 * 2' }]]);
    expect(callsOf(plan(request(asked, first, second)))).toEqual([]);
    expect(textOf(plan(request(asked, first, second)))).toContain('`6 * 2` makes **12**.');
  });

  it('reads a file before it mends it, and leaves alone what has no mistake', () => {
    const plan = createPlan();
    const asked = person('Fix the typo in poem.txt');
    const read = (output: string) => agent([call('read_file', { path: 'poem.txt' }, { output })]);
    expect(callsOf(plan(request(asked)))).toEqual([['read_file', { path: 'poem.txt' }]]);
    expect(callsOf(plan(request(asked, read('it leaves the stoen,'))))).toEqual([
      ['edit_file', { path: 'poem.txt', old_string: 'it leaves the stoen,', new_string: 'it leaves the stone,' }],
    ]);
    expect(textOf(plan(request(asked, read('it leaves the stone,'))))).toContain('no mistake');
  });

  it('asks for the way first, then for the rest, and makes a plan of the answers', () => {
    const plan = createPlan();
    const asked = person('Plan a walk with me');
    const made: Message[] = [];
    for (const output of ['Along the meadow', { day: 'Friday', people: 3, picnic: true }]) {
      const [asking] = callsOf(plan(request(asked, ...made)));
      expect(asking?.[0]).toBe('ask_user');
      made.push(agent([call('ask_user', asking?.[1] ?? {}, { output })]));
    }
    const text = textOf(plan(request(asked, ...made)));
    expect(text).toContain('**along the meadow**, on Friday');
    expect(text).toContain('3 of us');
    expect(text).toContain('A picnic');
  });

  it('has every tool that it asks for', async () => {
    const said = ['What time is it?', '6 * 7', 'Show my notes', 'Remember milk', 'Which files are there?'];
    said.push('How many primes are below 100?', 'Draw the brook', 'Run some code', 'Plan a walk', 'Fix the typo');
    for (const text of said) {
      const calls = callsOf(createPlan()(request(person(text))));
      expect(calls).toHaveLength(1);
      for (const [name, input] of calls) {
        const checked = await tools.find((tool) => tool.name === name)?.[engine].check(input);
        expect({ name, isThere: checked !== undefined, problem: checked?.problem }).toEqual({ name, isThere: true });
      }
    }
  });

  it('says so where there is no such note', () => {
    const script = createPlan()(request(person('Delete the note about cheese'), agent([notes])));
    expect(callsOf(script)).toEqual([]);
    expect(textOf(script)).toContain('None of your notes is about “cheese”');
  });

  it('tells the error of a tool', () => {
    const failed = call(
      'calculate',
      { expression: '1/0' },
      { status: 'failed', isError: true, output: 'Division by zero at character 2.' },
    );
    expect(textOf(createPlan()(request(person('1/0'), agent([failed]))))).toBe(
      '`calculate` did not work: Division by zero at character 2.',
    );
  });

  it('calls only tools that are offered', () => {
    const script = createPlan()({ sessionId: 's', messages: [person('What is 6 * 7?')] });
    expect(callsOf(script)).toEqual([]);
  });

  it('explains what it can do where it understands nothing', () => {
    expect(textOf(createPlan()(request(person('Who painted the Mona Lisa?'))))).toContain('not a real model');
  });

  it('goes on where an interrupted answer stopped', () => {
    const asked = person('Tell me a long story');
    const plan = createPlan();
    const whole = textOf(plan(request(asked)));
    const begun = agent([{ type: 'text', text: whole.slice(0, 100) }], 'interrupted');
    expect(textOf(plan(request(asked, begun, person('Go on.', 'reply-go-on'))))).toBe(whole.slice(100));
  });

  it('answers a new question after an answer that was stopped', () => {
    const begun = agent([{ type: 'text', text: '# Where the' }], 'interrupted');
    const script = createPlan()(request(person('Tell me a long story'), begun, person('What is 6 * 7?', 'next')));
    expect(callsOf(script)).toEqual([['calculate', { expression: '6 * 7' }]]);
  });

  it('fails once as it was asked to, and then works', () => {
    const plan = createPlan();
    const asked = request(person('Fail with a refused key'));
    expect(codesOf(plan(asked))).toEqual(['AUTHENTICATION_FAILED']);
    expect(codesOf(plan(asked))).toEqual([]);
    expect(codesOf(plan(request(person('Fail midway', 'other'))))).toEqual(['STREAM_INTERRUPTED']);
  });

  it('is busy twice where it is asked for a rate limit, and says when to ask again', () => {
    const plan = createPlan();
    const asked = request(person('Fail with a rate limit'));
    for (const _ of [1, 2])
      expect(plan(asked)).toContainEqual(
        expect.objectContaining({
          do: 'fail',
          error: expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED', retryable: true, retryAfter: 5_000 }),
        }),
      );
    expect(textOf(plan(asked))).toMatch(/^Now it worked/);
  });
});

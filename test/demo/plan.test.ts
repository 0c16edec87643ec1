import type { JsonObject, LLMRequest, Message, ToolPart } from 'brooklet';
import type { Script } from 'brooklet/testing';
import { describe, expect, it } from 'vitest';
import { createPlan } from '../../demo/src/offline/plan.ts';
import { tools } from '../../demo/src/tools/tools.ts';

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
const callsOf = (script: Script) =>
  script.flatMap((step) => (step.do === 'call' ? [[step.name, JSON.parse(step.inputText)]] : []));
const codesOf = (script: Script) => script.flatMap((step) => (step.do === 'fail' ? [step.error.code] : []));

const notes = call('list_notes', {}, { output: { notes: [{ id: 'note-1', text: 'Buy milk', savedAt: '' }] } });

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
    const made = agent([
      call('save_note', { text: 'milk' }, { editedInput: { text: 'oat milk' }, output: { id: 'note-1' } }),
    ]);
    expect(textOf(createPlan()(request(person('Remember milk'), made)))).toBe('Saved, with your change: “oat milk”.');
  });

  it('looks at the notes before it deletes one of them', () => {
    const asked = person('Delete the note about milk');
    const plan = createPlan();
    expect(callsOf(plan(request(asked)))).toEqual([['list_notes', {}]]);
    expect(callsOf(plan(request(asked, agent([notes]))))).toEqual([['delete_note', { id: 'note-1' }]]);

    const declined = call('delete_note', { id: 'note-1' }, { status: 'rejected', approval: { reason: 'I need it' } });
    const script = plan(request(asked, agent([notes]), agent([declined])));
    expect(callsOf(script)).toEqual([]);
    expect(textOf(script)).toBe('You declined `delete_note` (“I need it”), so nothing was changed.');
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
      { status: 'failed', isError: true, output: 'Nothing can be divided by zero.' },
    );
    expect(textOf(createPlan()(request(person('1/0'), agent([failed]))))).toBe(
      '`calculate` did not work: Nothing can be divided by zero.',
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
});

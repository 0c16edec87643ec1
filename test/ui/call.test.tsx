import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { JsonObject, Json, ToolPart } from 'brooklet';
import { Approval, Diff, SchemaForm, ToolCall } from 'brooklet/ui';
import { describe, expect, it } from 'vitest';
import { schemaOf } from '../../src/ui/call/schema.ts';

const call: ToolPart = {
  type: 'tool',
  callId: 'c',
  name: 'pay_bill',
  status: 'awaiting-approval',
  inputText: '{"to":"Mill","amount":5}',
  input: { to: 'Mill', amount: 5 },
};

describe('ToolCall', () => {
  it('is one line that names the tool, its result and its state', () => {
    const { container } = render(
      <ToolCall call={{ ...call, status: 'succeeded', output: 'Paid.', summary: 'Paid 5' }} />,
    );
    expect(container.querySelector('details')?.open).toBe(false);
    expect(screen.getByText('Pay bill')).toBeTruthy();
    expect(screen.getByText('Paid 5')).toBeTruthy();
    expect(container.querySelector('[data-part]')?.getAttribute('data-state')).toBe('succeeded');
    fireEvent.click(container.querySelector('summary')!);
    expect(screen.getByText('Paid.')).toBeTruthy();
  });

  it('shows the input while it streams', () => {
    const { container } = render(
      <ToolCall call={{ type: 'tool', callId: 'd', name: 'pay_bill', status: 'streaming', inputText: '{"to":"Mi' }} />,
    );
    expect(container.querySelector('dd')?.textContent).toBe('Mi');
  });

  it('states the reason on its line when it has failed', () => {
    render(<ToolCall call={{ ...call, status: 'failed', isError: true, output: 'The account is closed.' }} />);
    expect(screen.getByText('The account is closed.')).toBeTruthy();
  });

  it('shows a result as the page presents it', () => {
    render(<ToolCall call={{ ...call, status: 'succeeded', output: 5 }} isOpen present={() => <b>five</b>} />);
    expect(screen.getByText('five')).toBeTruthy();
  });

  it('leaves out most of a result of megabytes, and says so', () => {
    const { container } = render(
      <ToolCall call={{ ...call, status: 'succeeded', output: 'x'.repeat(3_000_000) }} isOpen />,
    );
    expect(container.textContent?.length).toBeLessThan(30_000);
    expect(screen.getByText('2,980,000 more characters are not shown.')).toBeTruthy();
  });

  it('shows a picture of 20 MB on request', async () => {
    const output = [{ type: 'image', mediaType: 'image/png', data: 'A'.repeat(28_000_000) }] as const;
    render(<ToolCall call={{ ...call, status: 'succeeded', output }} isOpen />);
    expect(screen.queryByRole('img')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Picture (21 MB): show the picture' }));
    expect(screen.getByRole('img', { name: 'Picture' })).toBeTruthy();
  });

  it('shows a state of a newer version as calm', () => {
    const status = JSON.parse('"paused"');
    const { container } = render(<ToolCall call={{ ...call, status }} />);
    expect(container.querySelector('[data-tone=calm]')).toBeTruthy();
  });
});

describe('Approval', () => {
  it('decides once, for as long as the person has chosen', async () => {
    const approved: unknown[] = [];
    let end = (): void => {};
    const onApprove = (options: unknown): Promise<void> => {
      approved.push(options);
      return new Promise((resolve) => (end = resolve));
    };
    render(<Approval call={call} onApprove={onApprove} onReject={() => {}} />);
    fireEvent.click(screen.getByRole('radio', { name: 'Always' }));
    const approve = screen.getByRole('button', { name: 'Approve' });
    fireEvent.click(approve);
    fireEvent.click(approve);
    await waitFor(() => expect(approve.getAttribute('aria-disabled')).toBe('true'));
    await act(async () => end());
    expect(approved).toEqual([{ remember: 'agent' }]);
    await waitFor(() => expect(approve.getAttribute('aria-disabled')).toBe('false'));
  });

  it('shows why a decision was refused', async () => {
    const onApprove = (): Promise<void> => Promise.reject(new Error('Another tab was first.'));
    render(<Approval call={call} onApprove={onApprove} onReject={() => {}} />);
    fireEvent.click(screen.getByRole('button', { name: 'Approve' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Another tab was first.');
  });

  it('passes an edited input, and no input where nothing has changed', async () => {
    const approved: unknown[] = [];
    const person = userEvent.setup();
    render(<Approval call={call} onApprove={(options) => approved.push(options)} onReject={() => {}} />);
    await person.click(screen.getByRole('button', { name: 'Edit input' }));
    await person.click(screen.getByRole('button', { name: 'Approve with changes' }));
    await person.type(screen.getByRole('textbox', { name: 'to' }), '!');
    await person.click(screen.getByRole('button', { name: 'Approve with changes' }));
    expect(approved).toEqual([{ remember: 'once' }, { input: { to: 'Mill!', amount: 5 } }]);
  });

  it('edits JSON where the page asks for it, or no fields fit', async () => {
    const person = userEvent.setup();
    const approved: unknown[] = [];
    const nested: ToolPart = { ...call, input: { list: [1, 2] } };
    render(<Approval call={nested} onApprove={(options) => approved.push(options)} onReject={() => {}} />);
    await person.click(screen.getByRole('button', { name: 'Edit input' }));
    const field = screen.getByRole('textbox', { name: 'Answer as JSON' });
    await person.clear(field);
    await person.type(field, '[[1]');
    await person.click(screen.getByRole('button', { name: 'Approve with changes' }));
    expect((await screen.findByRole('alert')).textContent).toBe(
      'This is not a JSON object. Check commas, quotes and braces.',
    );
    fireEvent.change(field, { target: { value: '{"list":[' } });
    await person.click(screen.getByRole('button', { name: 'Approve with changes' }));
    expect(screen.getByText('This is not JSON. Check commas, quotes and braces.')).toBeTruthy();
    fireEvent.change(field, { target: { value: '{"list":[3]}' } });
    await person.type(field, '{Control>}{Enter}{/Control}');
    expect(approved).toEqual([{ input: { list: [3] } }]);
  });

  it('rejects with a reason, and leaves that with Escape', async () => {
    const rejected: unknown[] = [];
    const person = userEvent.setup();
    render(
      <Approval call={call} onApprove={() => {}} onReject={(options) => rejected.push(options)} remember={['once']} />,
    );
    expect(screen.queryByRole('radio')).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Reject' }));
    await person.keyboard('{Escape}');
    await person.click(screen.getByRole('button', { name: 'Reject' }));
    await person.keyboard('no{Enter}');
    expect(rejected).toEqual([{ remember: 'once', reason: 'no' }]);
  });

  it('offers no edit where the page forbids it', () => {
    render(<Approval call={call} edit={false} onApprove={() => {}} onReject={() => {}} />);
    expect(screen.queryByRole('button', { name: 'Edit input' })).toBeNull();
  });
});

describe('SchemaForm', () => {
  /** Shows a form, and returns what is submitted. */
  function show(schema: JsonObject, value?: Json) {
    const given: Json[] = [];
    const { container } = render(<SchemaForm schema={schema} value={value} onSubmit={(one) => given.push(one)} />);
    return { given, person: userEvent.setup(), container };
  }

  it('has a button for each of a few choices, and a list for many', async () => {
    const { given, person } = show({ enum: ['a', 'b'] });
    await person.click(screen.getByRole('button', { name: 'b' }));
    expect(given).toEqual(['b']);
    const many = show({ enum: Array.from({ length: 10_000 }, (_, index) => `choice ${index}`) });
    await many.person.selectOptions(screen.getByRole('combobox'), 'choice 77');
    await many.person.click(screen.getByRole('button', { name: 'Answer' }));
    expect(many.given).toEqual(['choice 77']);
  });

  it('asks for yes or no', async () => {
    const { given, person } = show({ type: 'boolean' });
    await person.click(screen.getByRole('button', { name: 'No' }));
    expect(given).toEqual([false]);
  });

  it('reads numbers, omits what is empty, and keeps what it does not show', async () => {
    const schema = {
      type: 'object',
      properties: { name: { type: 'string' }, age: { type: 'integer', title: 'Age' }, isChild: { type: 'boolean' } },
      required: ['age'],
    };
    const { given, person } = show(schema, { extra: [1] });
    await person.type(screen.getByRole('spinbutton', { name: 'Age' }), '7{Enter}');
    expect(given).toEqual([{ extra: [1], age: 7 }]);
  });

  it('says beside a field what is wrong with it, and moves the focus there', async () => {
    const { given, person } = show({ type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] });
    await person.click(screen.getByRole('button', { name: 'Answer' }));
    const field = screen.getByRole('spinbutton', { name: 'age' });
    expect(document.activeElement).toBe(field);
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Fill in this field.',
    );
    expect(given).toEqual([]);
  });

  it.each<JsonObject>([
    {},
    { type: 'array', items: { type: 'string' } },
    { type: 'object' },
    { type: 'object', properties: { a: { $ref: '#/$defs/a' } } },
    { type: 'object', properties: { a: true } },
    { enum: [] },
    { enum: [1, 'a'] },
    { anyOf: [{ type: 'string' }, { type: 'number' }] },
    {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`p${index}`, { type: 'string' }])),
    },
  ])('takes JSON for a schema that no fields can show: %#', async (schema) => {
    const { given, person } = show(schema, [1]);
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Answer as JSON' }).value).toBe('[\n  1\n]');
    await person.click(screen.getByRole('button', { name: 'Answer' }));
    expect(given).toEqual([[1]]);
  });

  it('has names of fields that objects have by themselves', async () => {
    const schema: JsonObject = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"toString":{"type":"string"}}}',
    );
    const { given, person, container } = show(schema);
    const [first] = container.querySelectorAll('input');
    await person.type(first!, 'x{Enter}');
    expect(JSON.stringify(given)).toBe('[{"__proto__":"x"}]');
  });

  it('keeps what was typed while a reason to decline is written', async () => {
    const declined: string[] = [];
    const person = userEvent.setup();
    render(
      <SchemaForm schema={{ type: 'string' }} onSubmit={() => {}} onDecline={(reason) => declined.push(reason)} />,
    );
    await person.type(screen.getByRole('textbox'), 'half');
    await person.click(screen.getByRole('button', { name: 'I’d rather not say' }));
    await person.keyboard('{Escape}');
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('half');
    await person.click(screen.getByRole('button', { name: 'I’d rather not say' }));
    await person.keyboard('private{Enter}');
    expect(declined).toEqual(['private']);
  });

  it('does not submit a text while an input method is at work', () => {
    const { given } = show({ type: 'string' });
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter', isComposing: true });
    expect(given).toEqual([]);
  });

  it('reads a schema of an input', () => {
    expect(schemaOf({ a: 'x', b: 1, c: true, d: null, e: [] })).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: 'number' },
        c: { type: 'boolean' },
        d: { type: 'object' },
        e: { type: 'object' },
      },
      required: ['a', 'b', 'c', 'd', 'e'],
    });
  });
});

describe('Diff', () => {
  it('marks what was removed and added, for a screen reader, too', () => {
    const { container } = render(<Diff name="poem.txt" before={'a\nb\n'} after={'a\nc\nd\n'} />);
    expect(screen.getByText('+2')).toBeTruthy();
    expect(screen.getByText('−1')).toBeTruthy();
    expect(container.querySelector('[data-state=removed]')?.textContent).toBe('−Removed: b\n');
  });

  it('shows the start of a change of 10,000 lines', () => {
    const lines = (letter: string): string => `${letter}\n`.repeat(10_000);
    const { container } = render(<Diff before={lines('a')} after={lines('b')} />);
    expect(container.querySelectorAll('.bk-diff-line')).toHaveLength(1_000);
    expect(screen.getByText('19000 more lines')).toBeTruthy();
  });
});

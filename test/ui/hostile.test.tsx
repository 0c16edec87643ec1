import { act, fireEvent, render, screen } from '@testing-library/react';
import { createAgent, type JsonObject, type Message, type ToolPart } from 'brooklet';
import { Approval, Chat, CodeBlock, Diff, Markdown, SchemaForm, ToolCall } from 'brooklet/ui';
import { describe, expect, it } from 'vitest';
import { createManualClient } from '../support/manual-client.ts';

/** A name that ends with `exe` and is shown as one that ends with `pdf`. */
const disguised = 'invoice\u202Efdp.exe';
const plain = 'invoice[U+202E]fdp.exe';

const call: ToolPart = {
  type: 'tool',
  callId: 'c',
  name: 'write_file',
  status: 'awaiting-approval',
  inputText: '{}',
  input: { path: disguised, text: 'a' },
};

const show = (text: string, role: 'user' | 'assistant'): HTMLElement => {
  const agent = createAgent({ client: createManualClient() });
  const message: Message = { id: 'm', role, content: [{ type: 'text', text }], timestamp: 0 };
  return render(<Chat agent={agent} initialMessages={[message]} />).container;
};

describe('a character that turns the direction of a text', () => {
  it('is shown in what a person approves', () => {
    const { container } = render(<Approval call={call} onApprove={() => {}} onReject={() => {}} />);
    expect(container.textContent).toContain(plain);
    expect(container.textContent).not.toContain('\u202E');
  });

  it.each([
    ['the name of a tool', <ToolCall key="a" call={call} title={`Open ${disguised}`} />],
    ['the summary of a call', <ToolCall key="b" call={{ ...call, status: 'succeeded', summary: disguised }} />],
    ['a result', <ToolCall key="c" call={{ ...call, status: 'succeeded', output: disguised }} isOpen />],
    [
      'a list of files',
      <ToolCall
        key="d"
        call={{ ...call, status: 'succeeded', details: { type: 'fileList', files: [disguised] } }}
        isOpen
      />,
    ],
    ['a change of a file', <Diff key="e" before="" after={`const name = '${disguised}';`} name={disguised} />],
    ['a block of code', <CodeBlock key="f" language="sh" text={`open ${disguised}`} />],
    ['code in a sentence', <Markdown key="g" text={`Run \`open ${disguised}\`.`} />],
    ['the text of a picture', <Markdown key="h" text={`![${disguised}](https://pictures.example/a.png)`} />],
    ['a choice', <SchemaForm key="i" schema={{ type: 'string', enum: [disguised, 'b'] }} onSubmit={() => {}} />],
  ])('is shown in %s', (_, element) => {
    const { container } = render(element);
    expect(container.textContent).toContain('[U+202E]');
    expect(container.textContent).not.toContain('\u202E');
  });

  it('is shown in the name of a file of a message', () => {
    const agent = createAgent({ client: createManualClient() });
    const file = { type: 'file', mediaType: 'application/pdf', data: 'AAAA', name: disguised } as const;
    render(<Chat agent={agent} initialMessages={[{ id: 'm', role: 'user', content: [file], timestamp: 0 }]} />);
    expect(screen.getByText(plain)).toBeTruthy();
  });

  it('stays in prose, and in what is edited', () => {
    expect(render(<Markdown text={'a \u2067مرحبا\u2069 b'} />).container.textContent).toContain('\u2067');
    render(<Approval call={call} onApprove={() => {}} onReject={() => {}} />);
    fireEvent.click(screen.getByRole('button', { name: 'Edit input' }));
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'path' }).value).toBe(disguised);
  });
});

it.each([
  'google\u200B.com',
  'google.\u200Bcom',
  'google\u2024com',
  'google。com',
  '\u202Emoc.elgoog',
  'goo\u00ADgle.com',
])('shows the address of a link whose text looks like another one: %j', (text) => {
  const { container } = render(<Markdown text={`[${text}](https://evil.example)`} />);
  expect(container.querySelector('a [data-state=shown]')?.textContent).toContain('https://evil.example/');
});

describe('what is too large', () => {
  it('folds a question of 1 MB, and shows all of it on request', () => {
    const text = 'a word and another '.repeat(55_000);
    const container = show(text, 'user');
    expect(container.textContent?.length).toBeLessThan(5_000);
    fireEvent.click(screen.getByRole('button', { name: 'Show the whole message' }));
    expect(container.querySelector('.bk-bubble bdi')?.textContent).toBe(text);
  });

  it('shows an input of 10,000 fields as JSON, and says what is left out', () => {
    const input: JsonObject = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`field ${index}`, index]),
    );
    const { container } = render(<ToolCall call={{ ...call, status: 'succeeded', input, output: 'ok' }} isOpen />);
    expect(container.querySelectorAll('dd')).toHaveLength(0);
    expect(screen.getByText(/more characters are not shown\./u)).toBeTruthy();
  });

  it('shows the start of a message that cannot be rendered', () => {
    const agent = createAgent({ client: createManualClient() });
    const fails = (): never => {
      throw new Error('A part of the page fails.');
    };
    const content = [{ type: 'text', text: 'x'.repeat(1_000_000) }] as const;
    const { container } = render(
      <Chat
        agent={agent}
        initialMessages={[{ id: 'm', role: 'assistant', content, timestamp: 0 }]}
        renderVerbs={fails}
      />,
    );
    expect(container.querySelector('.bk-source-text')?.textContent).toHaveLength(100_000);
    expect(screen.getByText('900,000 more characters are not shown.')).toBeTruthy();
  });

  it('says what the search of the browser does not reach', () => {
    const agent = createAgent({ client: createManualClient() });
    const messages = Array.from({ length: 300 }, (_, index): Message => ({
      id: `m${index}`,
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text: index === 0 ? 'y'.repeat(50_000) : `message ${index}` }],
      timestamp: index,
    }));
    const { container } = render(<Chat agent={agent} initialMessages={messages} />);
    expect(container.querySelector('.bk-earlier p')?.textContent).toMatch(/^y{20000}… 30,000 more characters/u);
  });

  it('asks for JSON where no form can show a schema', async () => {
    const schema: JsonObject = {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    };
    const given: unknown[] = [];
    render(<SchemaForm schema={schema} onSubmit={(value) => void given.push(value)} />);
    fireEvent.change(screen.getByRole('textbox'), { target: { value: '{"tree":{"next":{}}}' } });
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Answer' })));
    expect(given).toEqual([{ tree: { next: {} } }]);
  });
});

import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createAgent, defineTool, type Message } from 'brooklet';
import { AgentProvider } from 'brooklet/react';
import { createScriptedClient, reply } from 'brooklet/testing';
import { Chat, chinese } from 'brooklet/ui';
import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { createManualClient, say } from '../support/manual-client.ts';
import { pay, paying } from './paying.ts';
import { findMessage, showChat, untilChat } from './stage.tsx';

const history = (count: number): readonly Message[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `message ${index}` }],
    timestamp: index,
  }));

it('sends with Enter, clears the field, and shows the answer as Markdown', async () => {
  const { person, field, container } = showChat(createScriptedClient([reply.text('A **brook** is small.')]));
  await person.type(field, 'What is a brook?{Enter}');
  expect(field.value).toBe('');
  expect((await findMessage('brook')).tagName).toBe('STRONG');
  await untilChat(container, 'idle');
  expect(within(screen.getByRole('article', { name: 'You' })).getByText('What is a brook?')).toBeTruthy();
});

it('uses the agent of the provider around it', async () => {
  const agent = createAgent({ client: createScriptedClient([reply.text('Hello.')]) });
  render(
    <AgentProvider agent={agent}>
      <Chat empty={<p>Ask me.</p>} />
    </AgentProvider>,
  );
  expect(screen.getByText('Ask me.')).toBeTruthy();
  await userEvent.type(screen.getByRole('textbox', { name: 'Message' }), 'Hi{Enter}');
  await findMessage('Hello.');
});

it('is rendered on a server, without a style attribute', () => {
  const agent = createAgent({ client: createScriptedClient([reply.text('Hello.')]) });
  const html = renderToString(<Chat agent={agent} initialMessages={history(4)} />);
  expect(html).toContain('message 3');
  expect(html).not.toMatch(/\sstyle=/u);
});

it('speaks Chinese, and takes single texts from the page', () => {
  const agent = createAgent({ client: createManualClient() });
  const { rerender } = render(<Chat agent={agent} labels={chinese} />);
  expect(screen.getByRole('textbox', { name: '消息' })).toBeTruthy();
  rerender(<Chat agent={agent} labels={{ composer: { send: 'Ask' } }} />);
  expect(screen.getByRole('button', { name: 'Ask' })).toBeTruthy();
  expect(screen.getByRole('textbox', { name: 'Message' })).toBeTruthy();
});

it('shows parts of the page in the place of its own', async () => {
  const { person, field } = showChat(createScriptedClient([reply.text('**Hello**')]), {
    components: { Markdown: ({ text }) => <pre data-testid="mine">{text}</pre> },
    renderPart: (part) => (part.type === 'reasoning' ? <i>thought</i> : undefined),
    renderVerbs: (message, usual) => (message.role === 'assistant' ? <b>rated</b> : usual),
  });
  await person.type(field, 'Hi{Enter}');
  expect((await screen.findByTestId('mine')).textContent).toBe('**Hello**');
  expect(await screen.findByText('rated')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Copy answer' })).toBeNull();
});

describe('during a run', () => {
  it('queues what is sent, and removes it from the queue', async () => {
    const client = createManualClient();
    const { person, field, container } = showChat(client);
    await person.type(field, 'One{Enter}');
    await untilChat(container, 'running');
    await person.type(field, 'Two{Enter}');
    const queue = await screen.findByRole('list', { name: 'Waiting messages' });
    expect(within(queue).getByText('Two')).toBeTruthy();
    await person.click(within(queue).getByRole('button', { name: 'Do not send “Two”' }));
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Waiting messages' })).toBeNull());
    act(() => say(client.last(), 'Done.'));
    await untilChat(container, 'idle');
    expect(client.asked).toHaveLength(1);
  });

  it('stops with the button and keeps the draft', async () => {
    const client = createManualClient();
    const { person, field, container } = showChat(client);
    await person.type(field, 'One{Enter}');
    await untilChat(container, 'running');
    await person.type(field, 'a draft');
    await person.click(screen.getByRole('button', { name: 'Stop' }));
    await untilChat(container, 'idle');
    expect(client.last().aborted).toBe(true);
    expect(field.value).toBe('a draft');
    expect(client.asked).toHaveLength(1);
    expect(screen.getByText('You stopped this reply')).toBeTruthy();
  });

  it('stops with Escape, but not for an input method', async () => {
    const client = createManualClient();
    const { person, field, container } = showChat(client);
    await person.type(field, 'One{Enter}');
    await untilChat(container, 'running');
    fireEvent.keyDown(field, { key: 'Escape', isComposing: true });
    fireEvent.keyDown(field, { key: 'Escape', keyCode: 229 });
    expect(client.last().aborted).toBe(false);
    fireEvent.keyDown(field, { key: 'Escape' });
    await untilChat(container, 'idle');
  });
});

describe('a decision', () => {
  it('is not cancelled by Escape', async () => {
    const { person, field, container } = showChat(paying(), { agent: { tools: [pay] } });
    await person.type(field, 'Pay{Enter}');
    await untilChat(container, 'waiting');
    await person.keyboard('{Escape}{Escape}');
    expect(screen.getByRole('group', { name: 'Decide on Pay bill' })).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Approve' }));
    await findMessage('Thank you.');
  });

  it('approves with an edited input, field by field', async () => {
    const { person, field, container } = showChat(paying(), { agent: { tools: [pay] } });
    await person.type(field, 'Pay{Enter}');
    await untilChat(container, 'waiting');
    await person.click(screen.getByRole('button', { name: 'Edit input' }));
    const amount = screen.getByRole('spinbutton', { name: 'amount' });
    await person.clear(amount);
    await person.type(amount, '7{Enter}');
    await findMessage('Thank you.');
    fireEvent.click(container.querySelector('[data-part=tool-call] summary')!);
    expect(screen.getByText('Paid 7.')).toBeTruthy();
  });

  it('rejects with a reason', async () => {
    const client = paying();
    const { person, field, container } = showChat(client, { agent: { tools: [pay] } });
    await person.type(field, 'Pay{Enter}');
    await untilChat(container, 'waiting');
    await person.click(screen.getByRole('button', { name: 'Reject' }));
    await person.type(screen.getByRole('textbox', { name: 'Why not? The agent reads this.' }), 'too much{Enter}');
    await findMessage('Thank you.');
    expect(JSON.stringify(client.requests.at(-1)?.messages)).toContain('too much');
  });

  it('keeps the focus near when its form goes', async () => {
    const { person, field, container } = showChat(paying(), { agent: { tools: [pay] } });
    await person.type(field, 'Pay{Enter}');
    await untilChat(container, 'waiting');
    await person.click(screen.getByRole('button', { name: 'Approve' }));
    await findMessage('Thank you.');
    expect(container.contains(document.activeElement)).toBe(true);
    expect(document.activeElement?.closest('[data-part=tool-call]')).toBeTruthy();
  });

  it('says why it was refused in its form', async () => {
    const { person, field, container } = showChat(paying(), { agent: { tools: [pay] } });
    await person.type(field, 'Pay{Enter}');
    await untilChat(container, 'waiting');
    await person.click(screen.getByRole('button', { name: 'Edit input' }));
    fireEvent.change(screen.getByRole('spinbutton', { name: 'amount' }), { target: { value: '' } });
    await person.click(screen.getByRole('button', { name: 'Approve with changes' }));
    expect(screen.getByText('Fill in this field.')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('spinbutton', { name: 'amount' }));
  });

  it('answers a question of a tool', async () => {
    const walk = defineTool({
      name: 'walk',
      description: 'Plans.',
      input: { type: 'object' },
      answer: { type: 'string', enum: ['Upstream', 'Downstream'], title: 'Which way?' },
      execute: (_input, { answer }) => `We go ${JSON.stringify(answer)}.`,
    });
    const client = createScriptedClient((request) =>
      request.messages.at(-1)?.role === 'user' ? [reply.call('walk')] : [reply.text('Let us go.')],
    );
    const { person, field } = showChat(client, { agent: { tools: [walk] } });
    await person.type(field, 'Walk{Enter}');
    const question = await screen.findByRole('group', { name: 'Which way?' });
    expect(document.activeElement).toBe(within(question).getByRole('button', { name: 'Upstream' }));
    await person.keyboard('{Enter}');
    await findMessage('Let us go.');
    expect(JSON.stringify(client.requests.at(-1)?.messages)).toContain('Upstream');
  });
});

describe('versions', () => {
  it('are made by an edit and stepped through by keyboard', async () => {
    const client = createScriptedClient((request) => {
      const asked = JSON.stringify(request.messages.at(-1));
      return [reply.text(asked.includes('Two') ? 'Answer to two.' : 'Answer to one.')];
    });
    const { person, field, container } = showChat(client);
    await person.type(field, 'One{Enter}');
    await findMessage('Answer to one.');
    await untilChat(container, 'idle');
    await person.click(screen.getByRole('button', { name: 'Edit' }));
    const editor = screen.getByRole('textbox', { name: 'Edited message' });
    await person.clear(editor);
    await person.type(editor, 'Two{Enter}');
    await findMessage('Answer to two.');
    await untilChat(container, 'idle');
    const back = screen.getByRole('button', { name: 'Previous version' });
    act(() => back.focus());
    await person.keyboard('{Enter}');
    await findMessage('Answer to one.');
    // Another row: the focus has followed the step.
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Previous version' })));
    await person.click(screen.getByRole('button', { name: 'Next version' }));
    await findMessage('Answer to two.');
  });

  it('keep what was typed in an editor that was left', async () => {
    const { person, field, container } = showChat(createScriptedClient([reply.text('Answer.')]));
    await person.type(field, 'One{Enter}');
    await findMessage('Answer.');
    await untilChat(container, 'idle');
    await person.click(screen.getByRole('button', { name: 'Edit' }));
    await person.keyboard(' more{Escape}');
    await person.click(screen.getByRole('button', { name: 'Edit' }));
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Edited message' }).value).toBe('One more');
  });
});

describe('a long conversation', () => {
  it('shows its end, and earlier messages on request', async () => {
    const agent = createAgent({ client: createManualClient() });
    render(<Chat agent={agent} initialMessages={history(1_000)} />);
    expect(screen.getAllByRole('article').length).toBeLessThanOrEqual(121);
    expect(screen.getByText('message 999')).toBeTruthy();
    expect(screen.getByText('message 1').closest('article')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Show 880 earlier messages' }));
    expect(screen.getByText('message 761')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Show 760 earlier messages' })).toBeTruthy();
  });
});

describe('a print', () => {
  const code = Array.from({ length: 80 }, (_, line) => `line ${line}`).join('\n');
  const long: readonly Message[] = [
    ...history(300),
    { id: 'long', role: 'user', content: [{ type: 'text', text: `${'word '.repeat(1_000)}end` }], timestamp: 0 },
    { id: 'code', role: 'assistant', content: [{ type: 'text', text: `\`\`\`\n${code}\n\`\`\`` }], timestamp: 0 },
  ];

  it('has all messages, and nothing folded', async () => {
    const { container } = render(<Chat agent={createAgent({ client: createManualClient() })} initialMessages={long} />);
    const shown = () => [screen.getAllByRole('article').length, container.textContent?.includes('line 79')];
    expect(shown()).toEqual([expect.any(Number), false]);
    await act(async () => void dispatchEvent(new Event('beforeprint')));
    expect(shown()).toEqual([302, true]);
    expect(screen.queryByRole('button', { name: /earlier message|whole message|Show all/u })).toBeNull();
    await act(async () => void dispatchEvent(new Event('afterprint')));
    expect(shown()[0]).toBeLessThan(130);
    expect(screen.getByRole('button', { name: 'Show all 80 lines' })).toBeTruthy();
  });
});

describe('the search of the browser', () => {
  it('reaches the texts of messages that no row shows, and leaves shown what it has found', async () => {
    const agent = createAgent({ client: createScriptedClient([reply.text('Hello.')]) });
    render(<Chat agent={agent} initialMessages={history(2_000)} />);
    const found = screen.getByText('message 1000');
    expect(found.getAttribute('hidden')).toBe('until-found');
    // What the browser does with a match.
    found.removeAttribute('hidden');
    await userEvent.type(screen.getByRole('textbox', { name: 'Message' }), 'Hi{Enter}');
    await findMessage('Hello.');
    expect(screen.getByText('message 1000').hasAttribute('hidden')).toBe(false);
    expect(screen.getByText('message 998').getAttribute('hidden')).toBe('until-found');
  });
});

describe('an error', () => {
  it('names the cause, what helps, and leads to the settings', async () => {
    let opened = 0;
    const { person, field, container } = showChat(
      createScriptedClient([reply.fail('AUTHENTICATION_FAILED', '401 of the service')]),
      { onSettings: () => (opened += 1) },
    );
    await person.type(field, 'Hi{Enter}');
    await untilChat(container, 'failed');
    const alert = screen.getByRole('alert');
    expect(within(alert).getByText('The key was refused')).toBeTruthy();
    expect(within(alert).getByText('401 of the service')).toBeTruthy();
    await person.click(within(alert).getByRole('button', { name: 'Open settings' }));
    expect(opened).toBe(1);
    expect(within(alert).getByRole('button', { name: 'Try again' })).toBeTruthy();
  });

  it('offers no settings where the page has none', async () => {
    const { person, field, container } = showChat(createScriptedClient([reply.fail('AUTHENTICATION_FAILED')]));
    await person.type(field, 'Hi{Enter}');
    await untilChat(container, 'failed');
    expect(screen.queryByRole('button', { name: 'Open settings' })).toBeNull();
  });

  it('resumes an answer that was cut', async () => {
    const client = createScriptedClient([[reply.text('The brook '), reply.cut()], [reply.text('runs on.')]]);
    const { person, field, container } = showChat(client, { agent: { autoResume: false } });
    await person.type(field, 'Hi{Enter}');
    await untilChat(container, 'interrupted');
    await person.click(screen.getByRole('button', { name: 'Resume' }));
    await findMessage('The brook runs on.');
  });
});

it('reads an answer sentence by sentence in its only live region', async () => {
  const { person, field, container } = showChat(createScriptedClient([reply.text('One **bold** sentence. And two.')]));
  await person.type(field, 'Hi{Enter}');
  await untilChat(container, 'idle');
  const live = [...container.querySelectorAll('[aria-live]:not([aria-live=off])')];
  expect(live).toHaveLength(1);
  await waitFor(() => expect(live[0]?.textContent).toContain('And two.'));
  expect(live[0]?.textContent).toContain('One bold sentence.');
});

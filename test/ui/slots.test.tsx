import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Agent, createAgent, defineTool, type MediaPart, toolParts, type ToolPart } from 'brooklet';
import { AgentProvider, useChat } from 'brooklet/react';
import { createScriptedClient, reply, type Script } from 'brooklet/testing';
import {
  Announcer,
  Approval,
  chinese,
  type ComposerDraft,
  Composer,
  Markdown,
  PartsProvider,
  RunNotice,
  Thread,
  type ThreadProps,
  type ThreadRows,
  ToolCall,
  useSay,
} from 'brooklet/ui';
import { type ReactElement, type ReactNode, useLayoutEffect } from 'react';
import { describe, expect, it } from 'vitest';

const call: ToolPart = {
  type: 'tool',
  callId: 'c',
  name: 'pay_bill',
  status: 'succeeded',
  inputText: '{"to":"Mill"}',
  input: { to: 'Mill' },
  output: 'Paid.',
};

const pay = defineTool({
  name: 'pay_bill',
  description: 'Pays.',
  input: { type: 'object' },
  needsApproval: true,
  execute: () => 'Paid.',
});

/** Shows the messages of a new session, which begins with some of the user. */
async function showThread(
  script: readonly Script[],
  props: Omit<ThreadProps, 'chat'> = {},
  begin: readonly string[] = [],
) {
  const agent = createAgent({ client: createScriptedClient(script), tools: [pay] });
  const session = await agent.openSession(agent.createSession());
  for (const content of begin) session.addMessage({ role: 'user', content });
  const Page = (): ReactElement => <Thread {...props} chat={useChat({ sessionId: session.id })} />;
  render(<Page />, { wrapper: withAgent(agent) });
  return { agent, session };
}

describe('a provider', () => {
  it('gives the parts within it their texts, and keeps those of the provider around it', () => {
    render(
      <PartsProvider labels={chinese}>
        <PartsProvider components={{ Diff: () => null }}>
          <ToolCall call={call} isOpen />
        </PartsProvider>
      </PartsProvider>,
    );
    expect(screen.getByText(chinese.tool.input)).toBeTruthy();
  });
});

describe('a thread', () => {
  it('shows a row as the page does', async () => {
    const { session } = await showThread([[reply.text('Hello.')]], {
      renderRow: (message, usual) => (message.role === 'user' ? <i>{message.id}</i> : usual),
    });
    await session.send('Hi');
    await screen.findByText('Hello.');
    expect(screen.queryByText('Hi')).toBeNull();
    expect(screen.getByText(session.getMessages()[0]?.id ?? '').tagName).toBe('I');
  });

  it('gives all its rows to a virtualizer where there are many', async () => {
    const { session } = await showThread([], {
      virtualAbove: 3,
      renderRows: ({ keys, renderRow }) => (
        <ul>
          <li>{keys.length}</li>
          <li>{renderRow(keys.length - 1)}</li>
        </ul>
      ),
    });
    for (const content of ['one', 'two', 'three', 'four']) session.addMessage({ role: 'user', content });
    expect((await screen.findByText('four')).closest('ul')?.firstChild?.textContent).toBe('4');
    expect(screen.queryByText('one')).toBeNull();
  });

  it('asks a virtualizer for the rows when there is an element that scrolls, in a chat that is opened with many', async () => {
    const seen: boolean[] = [];
    function Rows({ keys, scroller }: ThreadRows): ReactElement {
      useLayoutEffect(() => void seen.push(scroller.current?.isConnected === true), [scroller]);
      return <ul aria-label="rows">{keys.length}</ul>;
    }
    await showThread([], { virtualAbove: 3, renderRows: (rows) => <Rows {...rows} /> }, [
      'one',
      'two',
      'three',
      'four',
    ]);
    expect((await screen.findByLabelText('rows')).textContent).toBe('4');
    expect(seen).not.toContain(false);
    expect(seen.length).toBeGreaterThan(0);
  });

  it('asks the page before a decision is stored, and shows why it may not be', async () => {
    const verdicts: string[] = [];
    let isReady = false;
    const { session } = await showThread([[reply.call('pay_bill')], [reply.text('Done.')]], {
      beforeDecision: async (_call, verdict) => {
        verdicts.push(verdict);
        if (!isReady) throw new Error('The server does not answer.');
        return { userName: 'Ada' };
      },
    });
    const sent = session.send('Pay');
    fireEvent.click(await screen.findByRole('button', { name: 'Approve' }));
    await screen.findByText('The server does not answer.');
    expect(session.getStatus()).toBe('waiting');
    isReady = true;
    fireEvent.click(screen.getByRole('button', { name: 'Approve' }));
    await screen.findByText('Done.');
    await sent;
    expect(verdicts).toEqual(['approved', 'approved']);
    expect(session.getMessages().flatMap(toolParts)[0]?.approval?.userName).toBe('Ada');
    expect(screen.getByText('Approved by Ada')).toBeTruthy();
  });

  it('says by whom a call was decided where the decision came too late', async () => {
    const { session } = await showThread([[reply.call('pay_bill')], [reply.text('Done.')]]);
    void session.send('Pay');
    const approve = await screen.findByRole('button', { name: 'Approve' });
    const first = session.reject(session.getMessages().flatMap(toolParts)[0]?.callId ?? '', { userName: 'Ada' });
    approve.click();
    await first;
    await screen.findByText('Your decision came too late: declined by Ada.');
  });
});

describe('a call', () => {
  it('has a mark beside its title, and what the page adds to its record', () => {
    const { container } = render(
      <ToolCall call={call} tag="bank.example" renderBody={(usual) => <section>{usual}and more</section>} />,
    );
    expect(container.querySelector('summary')?.textContent).toContain('bank.example');
    expect(screen.queryByText('Paid.')).toBeNull();
    fireEvent.click(container.querySelector('summary') ?? expect.unreachable());
    expect(screen.getByText('Paid.').closest('section')?.textContent).toContain('and more');
    // What was open stays in the page.
    fireEvent.click(container.querySelector('summary') ?? expect.unreachable());
    expect(screen.getByText('Paid.')).toBeTruthy();
  });

  it('shows its progress on its line', () => {
    const { container } = render(<ToolCall call={{ ...call, status: 'started', progress: 0.5 }} />);
    expect(container.querySelector('summary progress')?.getAttribute('value')).toBe('0.5');
  });

  it('that no tool has says so on its line', () => {
    const output = 'There is no tool "pay_bill". There are: none.';
    const { container } = render(<ToolCall call={{ ...call, status: 'invalid', isError: true, output }} />);
    expect(container.querySelector('.bk-tool-summary')?.textContent).toBe(output);
    expect(container.querySelector('summary')?.textContent).toMatch(/Not run$/u);
  });
});

describe('an approval', () => {
  it('shows what the call would do as the page does', () => {
    render(
      <Approval call={call} onApprove={() => {}} onReject={() => {}} renderPreview={() => <q>the mill is paid</q>} />,
    );
    expect(screen.getByText('the mill is paid')).toBeTruthy();
    expect(screen.queryByText('Mill')).toBeNull();
  });

  it('keeps what was typed when the person looks back', async () => {
    const person = userEvent.setup();
    render(<Approval call={call} onApprove={() => {}} onReject={() => {}} />);
    await person.click(screen.getByRole('button', { name: 'Edit input' }));
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'to' }));
    await person.keyboard('ers{Escape}');
    await person.click(screen.getByRole('button', { name: 'Reject' }));
    await person.keyboard('No{Escape}');
    await person.click(screen.getByRole('button', { name: 'Edit input' }));
    expect(screen.getByRole('textbox', { name: 'to' })).toHaveProperty('value', 'Millers');
    await person.click(screen.getByRole('button', { name: 'Back' }));
    await person.click(screen.getByRole('button', { name: 'Reject' }));
    expect(screen.getByRole('textbox', { name: /^Why not/u })).toHaveProperty('value', 'No');
  });
});

describe('the message field', () => {
  it('lets a control of the page add a text and files', async () => {
    const chat = { status: 'idle', send: () => Promise.resolve(undefined), stop: () => {} } as const;
    let draft: ComposerDraft | undefined;
    const show = (given: ComposerDraft): ReactElement => {
      draft = given;
      return <b>more</b>;
    };
    render(<Composer chat={chat} slots={{ start: show }} />);
    const field = screen.getByRole('textbox', { name: 'Message' });
    fireEvent.change(field, { target: { value: 'One' } });
    draft?.addText('Two');
    await waitFor(() => expect(field).toHaveProperty('value', 'One\n\nTwo'));
    await draft?.addFiles([new File(['x'], 'notes.txt', { type: 'text/plain' })]);
    await screen.findByText('notes.txt');
  });
});

describe('a notice', () => {
  it('has the buttons of the page after the usual ones', async () => {
    const agent = createAgent({ client: createScriptedClient([[reply.fail('OVERLOADED', 'Busy.')]]) });
    const session = await agent.openSession(agent.createSession());
    await session.send('Hi');
    const Page = (): ReactElement => (
      <RunNotice
        chat={useChat({ sessionId: session.id })}
        renderButtons={(error) => <button type="button">Report {error?.code}</button>}
      />
    );
    render(<Page />, { wrapper: withAgent(agent) });
    const names = (await screen.findAllByRole('button')).map(({ textContent }) => textContent);
    expect(names.at(-1)).toBe('Report OVERLOADED');
    expect(names.length).toBeGreaterThan(1);
  });
});

describe('announcers', () => {
  it('within each other have one live region', () => {
    const Saying = (): ReactElement => {
      const say = useSay();
      return (
        <button type="button" onClick={() => say('Here.')}>
          say
        </button>
      );
    };
    const { container } = render(
      <Announcer session={undefined}>
        <Announcer session={undefined}>
          <Saying />
        </Announcer>
      </Announcer>,
    );
    fireEvent.click(screen.getByRole('button'));
    const regions = container.querySelectorAll('[aria-live=polite]');
    expect([...regions].map(({ textContent }) => textContent)).toEqual(['Here.']);
  });
});

describe('a file of a message', () => {
  const withFile = async (file: MediaPart): Promise<void> => {
    const { session } = await showThread([]);
    session.addMessage({ role: 'user', content: [file] });
  };

  it('opens if it is a picture, and closes again', async () => {
    await withFile({ type: 'image', mediaType: 'image/png', data: 'iVBORw==', name: 'brook.png' });
    fireEvent.click(await screen.findByTitle('Open brook.png'));
    const viewer = document.querySelector<HTMLElement>('dialog') ?? expect.unreachable();
    expect(within(viewer).getByAltText('brook.png')).toBeTruthy();
    fireEvent.click(viewer.querySelector('button') ?? expect.unreachable());
    expect(document.querySelector('dialog')).toBeNull();
  });

  it('opens as text if it is one', async () => {
    await withFile({ type: 'file', mediaType: 'text/plain', data: btoa('# Notes'), name: 'notes.md' });
    fireEvent.click(await screen.findByTitle('Open notes.md'));
    expect(document.querySelector('dialog pre')?.textContent).toBe('# Notes');
  });
});

describe('links of Markdown', () => {
  it.each(['docs/page.md', '../page#part', '/page?a=1', './a_b.html'])(
    'lead nowhere from %s, which is no attack',
    (url) => {
      const { container } = render(<Markdown text={`[the page](${url})`} />);
      expect(container.querySelector('a, .bk-refused-link')).toBeNull();
      expect(container.textContent).toContain(`the page ${url}`);
    },
  );

  it.each(['//evil.example/a', 'javascript:alert(1)', 'data:text/html,x'])('are refused for %s', (url) => {
    const { container } = render(<Markdown text={`[press](${url})`} />);
    expect(container.querySelector('.bk-refused-link')).not.toBeNull();
  });

  it('are their text where they lead within the text', () => {
    const { container } = render(<Markdown text="[below](#end)" />);
    expect(container.textContent).toBe('below');
  });

  it('open nothing in a text that is only looked at', () => {
    const { container } = render(<Markdown isInert text={'[a](https://a.example/) ![b](https://b.example/b.png)'} />);
    expect(container.querySelector('a, button, img')).toBeNull();
    expect(container.textContent).toContain('https://a.example/');
    expect(container.textContent).toContain('b.example');
  });
});

function withAgent(agent: Agent): (props: { readonly children: ReactNode }) => ReactElement {
  return ({ children }) => <AgentProvider agent={agent}>{children}</AgentProvider>;
}

import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { AgentError, createAgent, type AgentErrorCode, type Message } from 'brooklet';
import type { UseChatResult } from 'brooklet/react';
import { createScriptedClient, reply } from 'brooklet/testing';
import { Announcer, chinese, english, RunNotice, type RunNoticeProps, useSay } from 'brooklet/ui';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AgentProvider, useChat } from 'brooklet/react';
import { newSession } from '../react/stage.tsx';

afterEach(() => vi.useRealTimers());

/** A notice over a chat, some of whose state the test sets. */
function Stage({ state, ...props }: { readonly state: Partial<UseChatResult> } & Omit<RunNoticeProps, 'chat'>) {
  const chat = useChat();
  return <RunNotice chat={{ ...chat, ...state }} {...props} />;
}

function show(state: Partial<UseChatResult>, props: Omit<RunNoticeProps, 'chat'> = {}): HTMLElement {
  const agent = createAgent({ client: createScriptedClient([reply.text('Hello.')]) });
  return render(
    <AgentProvider agent={agent}>
      <Stage state={state} {...props} />
    </AgentProvider>,
  ).container;
}

const error = (code: AgentErrorCode, message = 'The message.') => new AgentError(message, { code });
const buttons = (): readonly string[] =>
  [...document.querySelectorAll('.bk-buttons > *')].map(({ textContent }) => textContent ?? '');

describe('RunNotice', () => {
  it('shows nothing after a run that has completed', () => {
    expect(show({ status: 'idle', outcome: 'completed' }).textContent).toBe('');
  });

  it.each<[AgentErrorCode, readonly string[]]>([
    ['AUTHENTICATION_FAILED', ['Open settings', 'Try again']],
    ['INSUFFICIENT_QUOTA', ['Top up', 'Open settings', 'Try again']],
    ['CONTEXT_OVERFLOW', ['New chat', 'Try again']],
    ['MODULE_UNAVAILABLE', ['Reload', 'Try again']],
    ['NETWORK_ERROR', ['Try again', 'Open settings']],
    ['RATE_LIMIT_EXCEEDED', ['Try again']],
  ])('offers after %s what helps first', (code, expected) => {
    const can = { onSettings: () => {}, onNewChat: () => {}, billingURL: 'https://pay.example/' };
    show({ status: 'failed', error: error(code) }, can);
    expect(buttons()).toEqual(expected);
    expect(within(screen.getByRole('alert')).getByText('The message.')).toBeTruthy();
  });

  it.each<[AgentErrorCode, sessionId: string | undefined, readonly string[]]>([
    ['SESSION_NOT_FOUND', 'a', ['New chat']],
    // A new conversation, whose message was refused.
    ['MISSING_CLIENT', undefined, ['Open settings', 'Dismiss']],
    ['INVALID_INPUT', undefined, ['Dismiss']],
  ])('offers what helps after the refusal %s of the session %j', (code, sessionId, expected) => {
    show({ status: 'idle', error: error(code), sessionId }, { onSettings: () => {}, onNewChat: () => {} });
    expect(buttons()).toEqual(expected);
  });

  const question = (...content: Message['content']): Message => ({ id: 'q', role: 'user', content, timestamp: 0 });
  const log = {
    type: 'file',
    mediaType: 'text/plain',
    name: 'big.log',
    data: btoa('one\ntwo\nthree\nfour\nfive'),
  } as const;

  it('offers to send less where the first message was too long, and keeps the question', async () => {
    const edits: unknown[] = [];
    const edit: UseChatResult['edit'] = async (...args) => void edits.push(args);
    const messages = [question(log, { type: 'text', text: 'Why?' })];
    show({ status: 'failed', error: error('CONTEXT_OVERFLOW'), messages, edit }, { onNewChat: () => {} });
    expect(buttons()).toEqual(['Send the first part of big.log', 'Send without big.log', 'Try again']);
    fireEvent.click(screen.getByText('Send the first part of big.log'));
    fireEvent.click(screen.getByText('Send without big.log'));
    const cut = btoa('one\ntwo\n\n[The rest of the file is left out: 16 characters.]\n');
    expect(edits).toEqual([
      [
        'q',
        {
          content: [
            { ...log, data: cut },
            { type: 'text', text: 'Why?' },
          ],
        },
      ],
      ['q', { content: [{ type: 'text', text: 'Why?' }] }],
    ]);
  });

  it('offers a new chat, too, where earlier messages need the room', () => {
    const messages = [
      question({ type: 'text', text: 'Hi' }),
      { ...question(log, { type: 'text', text: 'Why?' }), id: 'r' },
    ];
    show({ status: 'failed', error: error('CONTEXT_OVERFLOW'), messages }, { onNewChat: () => {} });
    expect(buttons().slice(2)).toEqual(['New chat', 'Try again']);
  });

  it('offers nothing that the page cannot do, and what the page adds', () => {
    const remedies: RunNoticeProps['remedies'] = (usual) => ['reload', ...usual];
    show({ status: 'failed', error: error('INSUFFICIENT_QUOTA') }, { remedies });
    expect(buttons()).toEqual(['Reload', 'Try again']);
  });

  it('shows the message of an error without texts of its own', () => {
    show({ status: 'failed', error: error('TOOL_FAILED', 'The pump is broken.') });
    expect(screen.getByText('Something went wrong')).toBeTruthy();
    expect(screen.getAllByText('The pump is broken.')).toHaveLength(1);
  });

  it('names a call whose result is not known', () => {
    const part = { type: 'tool', callId: 'c', name: 'pay_bill', status: 'uncertain', inputText: '{}' } as const;
    const messages = [{ id: 'm', role: 'assistant', content: [part], timestamp: 0 }] as const;
    show({ status: 'interrupted', messages });
    expect(screen.getByText(/whether “Pay bill” ran/u)).toBeTruthy();
    expect(buttons()).toEqual(['Resume', 'Try again']);
  });

  it('lets a paused agent continue', () => {
    const resumed: string[] = [];
    const resume = (): Promise<undefined> => {
      resumed.push('resume');
      return Promise.resolve(undefined);
    };
    show({ status: 'limit', limit: 'steps', resume });
    expect(screen.getByText('It reached its limit of requests to the model.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    expect(resumed).toEqual(['resume']);
  });

  it('says why an action was refused, and lets the person dismiss it', () => {
    let cleared = 0;
    const session = newSession(createAgent({ client: createScriptedClient([]) }));
    show({ session, error: error('SESSION_BUSY'), clearError: () => (cleared += 1) });
    expect(screen.getByText('The agent is still working')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(cleared).toBe(1);
  });

  it('counts down to the next attempt, outside of any live region', () => {
    vi.useFakeTimers();
    let stops = 0;
    const retrying = { sessionId: 's', attempt: 2, attempts: 3, ms: 5_000, error: error('OVERLOADED', 'Busy.') };
    const container = show({ status: 'running', retrying, stop: () => (stops += 1) });
    expect(container.textContent).toContain('2 of 3');
    expect(screen.getByText('Busy.')).toBeTruthy();
    act(() => void vi.advanceTimersByTime(3_000));
    expect(screen.getByRole('timer').textContent).toMatch(/in [12] s/u);
    act(() => void vi.advanceTimersByTime(3_000));
    expect(screen.getByRole('timer').textContent).toBe('now');
    expect(screen.getByRole('timer').closest('[aria-live], [role=alert], [role=status]')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Stop trying' }));
    expect(stops).toBe(1);
  });

  it('says what a run that was cut waits for', () => {
    const resuming = { runId: 'r', attempt: 1, attempts: 2, ms: 500, until: 'online' } as const;
    expect(show({ status: 'interrupted', resuming }).textContent).toContain('when there is a network');
  });
});

describe('Announcer', () => {
  it('reads what the parts within it say, and removes it after a while', () => {
    vi.useFakeTimers();
    const Part = () => {
      const say = useSay();
      return <button onClick={() => say('Copied')}>Copy</button>;
    };
    const { container } = render(
      <Announcer session={undefined}>
        <Part />
      </Announcer>,
    );
    const region = container.querySelector('[data-part=announcer]');
    expect(region?.textContent).toBe('');
    fireEvent.click(screen.getByRole('button'));
    expect(region?.textContent).toBe('Copied');
    act(() => void vi.advanceTimersByTime(9_000));
    expect(region?.textContent).toBe('');
  });

  it('does not read what was there before', async () => {
    const agent = createAgent({
      client: createScriptedClient([[reply.text('Before.')], [reply.text('# After. \n- **x**')]]),
    });
    const session = newSession(agent);
    await session.send('One');
    const { container } = render(<Announcer session={session} />);
    await act(() => session.send('Two'));
    const sentences = [...container.querySelectorAll('p')].map(({ textContent }) => textContent);
    expect(sentences).toEqual(['The agent is working.', 'After. x']);
  });
});

describe('the texts', () => {
  /** The paths of all texts of an object. */
  const paths = (value: object, at = ''): readonly string[] =>
    Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
      typeof inner === 'object' && inner !== null ? paths(inner, `${at}${name}.`) : [`${at}${name}`],
    );

  it('are the same in Chinese', () => {
    expect(paths(chinese)).toEqual(paths(english));
  });
});

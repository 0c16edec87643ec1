import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { SessionEvent } from 'brooklet';
import { createReview } from 'brooklet/review';
import { createMemoryStore, importHistory } from 'brooklet/storage';
import { type AnnotationChange, Markdown, ReviewView, type ReviewViewProps } from 'brooklet/ui';
import { StrictMode } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { record, streamedLog } from '../../review/recorded.ts';
import { toEvents } from '../../storage/arbitrary-log.ts';
import { everyEvent } from '../../storage/every-event.ts';

// jsdom has no modal dialogs.
beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = () => {};
});
afterEach(cleanup);

function show(props: ReviewViewProps) {
  const view = (more: Partial<ReviewViewProps> = {}) => (
    <StrictMode>
      <ReviewView keys="page" {...props} {...more} />
    </StrictMode>
  );
  const { rerender, container } = render(view());
  return { container, update: (more: Partial<ReviewViewProps>) => rerender(view(more)) };
}

const press = (key: string, options: KeyboardEventInit = {}): void =>
  act(() => void fireEvent.keyDown(document.body, { key, ...options }));
const region = (name: string | RegExp): HTMLElement => screen.getByRole('region', { name });
const seen = (): HTMLElement => region('What the person saw');
const logged = (): HTMLElement => region('What the log has');
const events = async (): Promise<readonly SessionEvent[]> => (await record()).stored.events;

const answer = (text: string): readonly SessionEvent[] =>
  toEvents(
    [
      { type: 'message.added', message: { id: 'm', role: 'user', content: [{ type: 'text', text }], timestamp: 1 } },
      { type: 'run.started', runId: 'r' },
      { type: 'reply.started', messageId: 'n' },
      { type: 'text.delta', text },
      { type: 'reply.ended', finish: 'stop' },
      { type: 'run.ended', runId: 'r', outcome: 'completed' },
    ],
    's',
  );

describe('what the person saw', () => {
  test('is formatted as in the chat', () => {
    show({ log: answer('It is **06:36** and `x`') });
    const article = within(seen()).getByRole('article', { name: 'Agent' });
    expect(within(article).getByText('06:36').tagName).toBe('STRONG');
    expect(within(article).getByText('x').tagName).toBe('CODE');
    // The person's own message is as it was typed.
    expect(within(seen()).getByRole('article', { name: 'You' }).textContent).toBe('It is **06:36** and `x`');
  });

  test('has no link, no picture of another host and no button that loads one', () => {
    show({ log: answer('[a](https://evil.example) ![b](https://evil.example/b.png) <img src=x> [c](javascript:x)') });
    expect(seen().querySelectorAll('a, img, button')).toHaveLength(0);
    const article = within(seen()).getByRole('article', { name: 'Agent' });
    expect(article.textContent).toContain('https://evil.example');
    expect(article.textContent).toContain('b (picture at evil.example)');
  });

  test('has the form of a decision, which cannot be filled in', async () => {
    const log = await events();
    show({ log, at: log.find(({ type }) => type === 'approval.requested')?.seq });
    const form = within(seen()).getByRole('group', { name: 'Decide on Pay' });
    for (const button of within(form).getAllByRole('button')) expect(button.matches(':disabled')).toBe(true);
    press('End');
    expect(within(seen()).queryByRole('group', { name: 'Decide on Pay' })).toBeNull();
  });

  test('shows no clock that runs: what waited then does not wait now', () => {
    const log = toEvents(
      [
        { type: 'run.started', runId: 'r' },
        { type: 'reply.started', messageId: 'n' },
        { type: 'call.requested', callId: 'c', name: 'pay', inputText: '{}', input: {} },
        { type: 'reply.ended', finish: 'tool-calls' },
        { type: 'approval.requested', callId: 'c', expiresAt: 5 },
        { type: 'approval.decided', callId: 'c', verdict: 'approved', decidedBy: 'user' },
        { type: 'call.started', callId: 'c', attempt: 1 },
      ],
      's',
    );
    show({ log });
    expect(seen().querySelector('.bk-time')).toBeNull();
    press('ArrowLeft');
    press('ArrowLeft');
    expect(within(seen()).getByRole('group', { name: 'Decide on Pay' })).toBeTruthy();
    expect(within(seen()).queryByRole('timer')).toBeNull();
  });

  test('is shown with the parts of the page', () => {
    show({
      log: answer('Hi'),
      components: { Markdown: (props) => <Markdown {...props} className="own" /> },
    });
    expect(seen().querySelector('.own')?.textContent).toBe('Hi');
  });
});

describe('the position', () => {
  test('begins at the end, moves with the keys, and is counted by the numbers of the events', async () => {
    const log = (await events()).map((event) => ({ ...event, seq: event.seq * 3 }));
    const last = log.at(-1)?.seq ?? 0;
    show({ log });
    screen.getByText(`Event ${last} of ${last}`);
    press('Home');
    expect(seen().textContent).toContain('Nothing yet.');
    screen.getByText(`Event 0 of ${last}`);
    press('ArrowRight');
    screen.getByText(`Event 3 of ${last}`);
    press('ArrowRight', { shiftKey: true });
    screen.getByRole('heading', { name: 'What the model was sent in step 1' });
    expect(logged().textContent).toContain('"type": "reply.started"');
    press(' ');
    press(' ');
    screen.getByRole('button', { name: 'Play' });
  });

  test('is that of the page, which is told where the person goes', async () => {
    const log = await events();
    const onAt = vi.fn<(seq: number) => void>();
    const { update } = show({ log, at: 4, onAt });
    screen.getByText(/^Event 4 of/);
    expect(onAt).not.toHaveBeenCalled();
    press('ArrowRight');
    expect(onAt.mock.calls).toEqual([[5]]);
    update({ at: 5 });
    screen.getByText(/^Event 5 of/);
    update({ at: 2 });
    screen.getByText(/^Event 2 of/);
    expect(onAt.mock.calls).toEqual([[5]]);
  });

  test('stays when the log grows, or stays at its end', async () => {
    const log = await events();
    const some = log.slice(0, 10);
    const { update } = show({ log: some, at: 4 });
    update({ log: log.slice(0, 12) });
    screen.getByText(`Event 4 of ${log[11]?.seq}`);
    press('End');
    update({ log });
    const last = log.at(-1)?.seq;
    screen.getByText(`Event ${last} of ${last}`);
    // Another session begins at its end.
    update({ log: streamedLog(({ seq }) => seq) });
    screen.getByText('Event 7 of 7');
  });

  test('is moved by keys inside only, unless the page says otherwise', async () => {
    show({ log: await events(), keys: 'inside' });
    press('Home');
    expect(seen().textContent).not.toContain('Nothing yet.');
    act(() => void fireEvent.keyDown(screen.getByRole('button', { name: 'Next event' }), { key: 'Home' }));
    expect(seen().textContent).toContain('Nothing yet.');
    act(() => void fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'End' }));
    expect(seen().textContent).toContain('Nothing yet.');
  });

  test('of a review of the page is shared with it', async () => {
    const review = createReview(await events());
    show({ log: review });
    act(() => void review.goTo({ seq: 0 }));
    expect(seen().textContent).toContain('Nothing yet.');
  });
});

describe('the search', () => {
  test('goes to the first match with Enter', async () => {
    show({ log: await events() });
    const field = screen.getByRole('searchbox');
    fireEvent.change(field, { target: { value: 'lever' } });
    await screen.findByText(/^\d found$/);
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(logged().textContent).toContain('The lever came off.');
    expect(field).toHaveProperty('value', '');
  });

  test('closes on a click elsewhere, and opens again with the focus', async () => {
    const { container } = show({ log: await events() });
    const field = screen.getByRole('searchbox');
    const list = (): boolean => container.querySelector<HTMLElement>('.bk-matches')?.hidden === false;
    fireEvent.change(field, { target: { value: 'lever' } });
    await screen.findByText(/^\d found$/);
    fireEvent.pointerDown(within(container).getAllByRole('listitem')[0] ?? container);
    fireEvent.pointerDown(screen.getByText(/^\d found$/));
    fireEvent.pointerDown(seen());
    expect(list()).toBe(false);
    fireEvent.focus(field);
    expect(list()).toBe(true);
    fireEvent.blur(field, { relatedTarget: screen.getByRole('button', { name: 'Play' }) });
    expect(list()).toBe(false);
  });

  test('leaves the Enter and the Escape of an input method alone', async () => {
    show({ log: await events() });
    const field = screen.getByRole('searchbox');
    fireEvent.change(field, { target: { value: 'lever' } });
    await screen.findByText(/^\d found$/);
    for (const marks of [{ isComposing: true }, { keyCode: 229 }])
      for (const key of ['Enter', 'Escape']) fireEvent.keyDown(field, { key, ...marks });
    expect(field).toHaveProperty('value', 'lever');
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(field).toHaveProperty('value', '');
  });
});

describe('the views', () => {
  test('are those that the page offers, and the keys count them', async () => {
    show({ log: await events(), views: ['steps', 'errors'] });
    const tabs = within(screen.getByRole('navigation', { name: 'Views' })).getAllByRole('button');
    expect(tabs.map(({ textContent }) => textContent)).toEqual(['Steps5', 'Errors2']);
    expect(region('Steps').textContent).toContain('INSUFFICIENT_QUOTA');
    press('2');
    expect(region('Errors').textContent).toContain('The lever came off.');
    press('3');
    region('Errors');
  });

  test('lead to the moment of what they list', async () => {
    show({ log: await events() });
    press('3');
    fireEvent.click(within(region('Tool calls')).getByRole('button', { name: 'Pay' }));
    expect(logged().textContent).toContain('"type": "call.requested"');
  });

  test('show a cost where the page knows prices', async () => {
    const log = await events();
    const { update } = show({ log, views: ['usage'] });
    expect(screen.queryByText('Cost')).toBeNull();
    update({ costOf: () => 0.5 });
    screen.getByText(/^about \$/);
    update({ costOf: () => undefined });
    screen.getByText('unknown price');
  });

  test('show another form of the request where the page has one', async () => {
    show({ log: await events(), renderRequest: (request) => <p>{`${request.messages.length} messages`}</p> });
    fireEvent.click(screen.getByRole('radio', { name: 'Bytes' }));
    expect(within(region(/What the model was sent/)).getByText(/^\d+ messages$/)).toBeTruthy();
  });

  test('compare two moments by the names of their steps, and say what a message without a text is', () => {
    const log = toEvents(
      [
        { type: 'message.added', message: { id: 'a', role: 'assistant', content: [], timestamp: 1 } },
        ...['r', 'q'].flatMap((runId) => [
          { type: 'run.started', runId },
          { type: 'reply.started', messageId: `of ${runId}` },
          { type: 'text.delta', text: `Of ${runId}` },
          { type: 'reply.ended', finish: 'stop' },
          { type: 'run.ended', runId, outcome: 'completed' },
        ]),
      ],
      's',
    );
    show({ log });
    press('Home');
    press('m');
    press('End');
    const { textContent } = region('Compare');
    expect(textContent).toContain('From Start to End, run,');
    expect(textContent).not.toMatch(/#\d/);
    expect(textContent).toContain('assistant: (no text)');
    expect(textContent).toContain('3 added');
  });

  test('compare the session with another log of the page', async () => {
    const log = await events();
    const other = { title: 'The other', log: answer('Hi') };
    show({
      log,
      renderCompare: (compare) => (
        <>
          <button onClick={() => compare(Promise.resolve(other))}>Take it</button>
          <button onClick={() => compare(Promise.reject(new Error('It is gone.')))}>Fail</button>
        </>
      ),
    });
    press('7');
    fireEvent.click(screen.getByRole('radio', { name: 'Two sessions' }));
    fireEvent.click(screen.getByRole('button', { name: 'Fail' }));
    expect((await screen.findByRole('alert')).textContent).toBe('It is gone.');
    fireEvent.click(screen.getByRole('button', { name: 'Take it' }));
    await screen.findByText('The other');
    expect(region('Compare').textContent).toContain('Only this session has this step');
  });

  test('list the keys', async () => {
    show({ log: await events() });
    press('?');
    screen.getByRole('dialog', { name: 'Keys' });
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('notes', () => {
  const note = { id: 'n', seq: 3, text: 'Here.', at: 1, userName: 'Ada' };

  test('are read where they cannot be written, and lead to their events', async () => {
    show({ log: await events(), annotations: [note] });
    fireEvent.click(screen.getByRole('button', { name: /^Notes/ }));
    expect(screen.queryByRole('textbox')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Event 3' }));
    expect(logged().textContent).toContain('"seq": 3');
    expect(region('Moment').textContent).toContain('Ada: Here.');
  });

  test('are no view where there are none and none can be written', async () => {
    show({ log: await events() });
    expect(screen.queryByRole('button', { name: /^Notes/ })).toBeNull();
    press('n');
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  test('are written and removed by the page, and a refusal keeps what was typed', async () => {
    const changes: AnnotationChange[] = [];
    const onAnnotate = vi.fn<(change: AnnotationChange) => unknown>((change) => void changes.push(change));
    onAnnotate.mockRejectedValueOnce(new Error('Too many notes.'));
    show({ log: await events(), annotations: [note], onAnnotate, at: 5 });
    press('n');
    const field = screen.getByRole('textbox');
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: ' Look ' } });
    fireEvent.click(screen.getByRole('button', { name: 'Add note' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Too many notes.');
    expect(field).toHaveProperty('value', ' Look ');
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Add note' })));
    await waitFor(() => expect(field).toHaveProperty('value', ''));
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Delete the note on event 3' })));
    expect(changes).toEqual([
      { type: 'add', seq: 5, text: 'Look' },
      { type: 'remove', id: 'n' },
    ]);
  });
});

describe('any log', () => {
  test('that is empty says so', () => {
    show({ log: [] });
    expect(seen().textContent).toContain('Nothing yet.');
    for (const key of ['2', '3', '4', '5', '6', '7']) press(key);
    press('Home');
    press('End');
    press('m');
    screen.getByText('Event 0 of 0');
  });

  test('is shown at each of its events and in each of its views', () => {
    const log = everyEvent();
    show({ log });
    press('Home');
    for (const event of log) {
      press('ArrowRight');
      expect(logged().textContent).toContain(`"seq": ${event.seq}`);
    }
    for (const key of ['2', '3', '4', '5', '6', '7', '1']) press(key);
    expect(screen.queryByText('This moment cannot be shown.')).toBeNull();
  });

  test('with events of a newer version is shown with their names', () => {
    const log = [...answer('Hi'), { type: 'moon.risen', seq: 90, at: 9, v: 2, phase: 'full' }];
    // A newer version has written it.
    show({ log: log as readonly SessionEvent[] });
    expect(logged().textContent).toContain('moon.risen');
    press('m');
    expect(region('Compare').textContent).toContain('End, session');
  });

  test('that begins in the middle is shown', async () => {
    const log = await events();
    show({ log: log.slice(7) });
    for (const key of ['2', '3', '4', '5', '6', '1']) press(key);
    press('Home');
    for (let count = 7; count < log.length; count++) press('ArrowRight');
    const last = log.at(-1)?.seq;
    screen.getByText(`Event ${last} of ${last}`);
  });

  test('of 10,000 messages shows the last ones first', () => {
    const log = toEvents(
      Array.from({ length: 10_000 }, (_none, index) => ({
        type: 'message.added',
        message: { id: `m${index}`, role: 'user', content: [{ type: 'text', text: `No. ${index}` }], timestamp: 1 },
      })),
      's',
    );
    show({ log });
    within(seen()).getByText('No. 9999');
    expect(within(seen()).getAllByRole('article')).toHaveLength(30);
    expect(document.querySelectorAll('*').length).toBeLessThan(600);
    fireEvent.click(within(seen()).getByRole('button', { name: 'Show earlier messages (9970)' }));
    within(seen()).getByText('No. 9940');
  });

  test('with two messages of one id shows both', () => {
    const message = (text: string) => ({ id: 'm', role: 'user', content: [{ type: 'text', text }], timestamp: 1 });
    show({ log: toEvents([{ type: 'message.queued', message: message('One'), mode: 'queue' }], 's') });
    expect(seen().textContent).toContain('In the queue: One');
  });
});

describe('a session that was imported', () => {
  async function imported(source: string): Promise<readonly SessionEvent[]> {
    const store = createMemoryStore();
    const { conversations } = await importHistory(store, source);
    return (await store.read(conversations[0]?.sessionId ?? ''))?.events ?? expect.unreachable('a session');
  }

  const openAI = JSON.stringify([
    { role: 'user', content: 'List' },
    {
      role: 'assistant',
      model: 'gpt-4o',
      usage: { prompt_tokens: 1_200, completion_tokens: 34 },
      finish_reason: 'tool_calls',
      content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }],
    },
    { role: 'tool', tool_call_id: 't', content: 'a.txt' },
  ]);

  const claudeCode = [
    { type: 'user', message: { role: 'user', content: 'List' } },
    {
      type: 'assistant',
      message: {
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }],
        usage: { input_tokens: 1_200, output_tokens: 34 },
      },
    },
    { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'a.txt' }] } },
  ]
    .map((line, index) =>
      JSON.stringify({
        parentUuid: index === 0 ? null : `u${index - 1}`,
        uuid: `u${index}`,
        isSidechain: false,
        sessionId: 's',
        version: '2.0.0',
        cwd: '/',
        timestamp: `2026-01-01T00:00:0${index}.000Z`,
        ...line,
      }),
    )
    .join('\n');

  const chatGPT = JSON.stringify([
    {
      title: 'Files',
      create_time: 1_700_000_000,
      update_time: 1_700_000_001,
      current_node: 'b',
      conversation_id: 'c',
      mapping: {
        root: { id: 'root', message: null, parent: null, children: ['a'] },
        a: {
          id: 'a',
          parent: 'root',
          children: ['b'],
          message: { id: 'a', author: { role: 'user' }, content: { content_type: 'text', parts: ['List'] } },
        },
        b: {
          id: 'b',
          parent: 'a',
          children: [],
          message: {
            id: 'b',
            author: { role: 'assistant' },
            content: { content_type: 'text', parts: ['It is **a.txt**'] },
            metadata: { model_slug: 'gpt-4o' },
          },
        },
      },
    },
  ]);

  test.each([
    ['a list of messages', openAI, 'tool-calls'],
    ['Claude Code', claudeCode, 'claude-sonnet-4-5'],
  ])('from %s has its steps, calls and tokens, as those of another log', async (_name, source, fact) => {
    show({ log: await imported(source) });
    expect(region('What the model was sent in step 1').textContent).toContain('came with an imported file or a fork');
    press('2');
    const step = within(region('Steps')).getByRole('listitem');
    expect(step.textContent).toContain('from another log');
    expect(step.textContent).toContain(fact);
    expect(within(step).queryByText('Took')).toBeNull();
    press('3');
    expect(region('Tool calls').textContent).toMatch(/Bash.*succeeded.*a\.txt/s);
    press('4');
    expect(region('Tokens').textContent).toContain('1,200 tokens');
    fireEvent.click(within(screen.getByRole('list', { name: 'Steps' })).getByRole('button', { name: 'Step 1' }));
    press('1');
    expect(logged().textContent).toContain('"type": "message.added"');
  });

  test('from ChatGPT is formatted as it was there', async () => {
    show({ log: await imported(chatGPT) });
    expect(within(seen()).getByText('a.txt').tagName).toBe('STRONG');
    press('2');
    expect(region('Steps').textContent).toContain('gpt-4o · from another log');
  });
});

import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { SessionStatus } from 'brooklet';
import { Composer, type ComposerProps, QueueChips } from 'brooklet/ui';
import { afterEach, describe, expect, it, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

type Send = ComposerProps['chat']['send'];
interface Sent {
  readonly input: Parameters<Send>[0];
  readonly options: NonNullable<Parameters<Send>[1]>;
  /** Ends the promise of `send`. */
  readonly end: () => void;
}

/** A field over a chat whose `send` the test answers. */
function showField(status: SessionStatus = 'idle', props: Partial<ComposerProps> = {}) {
  const sent: Sent[] = [];
  let stops = 0;
  const send: Send = (input, options = {}) =>
    new Promise((resolve) => sent.push({ input, options, end: () => resolve(undefined) }));
  const chat = { status, send, stop: () => (stops += 1) };
  const { rerender, container } = render(<Composer chat={chat} {...props} />);
  return {
    sent,
    container,
    person: userEvent.setup(),
    stops: () => stops,
    field: screen.getByRole<HTMLTextAreaElement>('textbox'),
    show: (next: SessionStatus) => rerender(<Composer chat={{ ...chat, status: next }} {...props} />),
  };
}

describe('the draft', () => {
  it('stays until the message is accepted, and is sent once', async () => {
    const { person, field, sent } = showField();
    await person.type(field, 'Hello{Enter}{Enter}');
    expect(sent.map(({ input }) => input)).toEqual(['Hello']);
    expect(field.value).toBe('Hello');
    act(() => sent[0]?.options.onAccepted?.());
    expect(field.value).toBe('');
  });

  it('is sent once by two submits at the same time, also where the message is accepted at once', async () => {
    const { person, field, sent, container } = showField();
    await person.type(field, 'Hello');
    const form = container.querySelector('form') ?? expect.unreachable();
    act(() => {
      fireEvent.submit(form);
      sent[0]?.options.onAccepted?.();
      fireEvent.submit(form);
    });
    expect([sent.length, field.value]).toEqual([1, '']);
    await person.type(field, 'Hello{Enter}');
    expect(sent).toHaveLength(2);
  });

  it('stays when the message is refused, and can be sent again', async () => {
    const { person, field, sent } = showField();
    await person.type(field, 'Hello{Enter}');
    await act(async () => sent[0]?.end());
    expect(field.value).toBe('Hello');
    await person.type(field, '{Enter}');
    expect(sent).toHaveLength(2);
  });

  it('keeps what was typed while the message was on its way', async () => {
    const { person, field, sent } = showField();
    await person.type(field, 'Hello{Enter} and more');
    act(() => sent[0]?.options.onAccepted?.());
    expect(field.value).toBe('and more');
  });

  it('is sent once also when the run of the message before ends meanwhile', async () => {
    const { person, field, sent } = showField();
    await person.type(field, 'One{Enter}');
    act(() => sent[0]?.options.onAccepted?.());
    await person.type(field, 'Two{Enter}');
    await act(async () => sent[0]?.end());
    await person.type(field, '{Enter}');
    expect(sent.map(({ input }) => input)).toEqual(['One', 'Two']);
  });

  it('may be kept by the page', async () => {
    const values: string[] = [];
    const { person, field, sent } = showField('idle', { value: 'Kept', onValue: (value) => values.push(value) });
    await person.type(field, '!{Enter}');
    expect(values).toEqual(['Kept!']);
    expect(sent[0]?.input).toBe('Kept');
  });
});

describe('keys', () => {
  it('leave Enter to the input method', async () => {
    const { person, field, sent } = showField();
    await person.type(field, 'nihao');
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
    fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 });
    expect(sent).toEqual([]);
    fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 });
    expect(sent).toHaveLength(1);
  });

  it('break the line with Shift+Enter', async () => {
    const { person, field, sent } = showField();
    await person.type(field, 'a{Shift>}{Enter}{/Shift}b');
    expect(field.value).toBe('a\nb');
    expect(sent).toEqual([]);
  });

  it('break the line with Enter on a touch screen', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
    const { person, field, sent } = showField();
    await person.type(field, 'a{Enter}b');
    expect(field.value).toBe('a\nb');
    expect(field.getAttribute('enterkeyhint')).toBe('enter');
    await person.click(screen.getByRole('button', { name: 'Send' }));
    expect(sent).toHaveLength(1);
  });

  it('steer a run with Ctrl+Enter, and queue with Enter', async () => {
    const { person, field, sent } = showField('running');
    await person.type(field, 'a{Control>}{Enter}{/Control}');
    act(() => sent[0]?.options.onAccepted?.());
    await person.type(field, 'b{Enter}');
    expect(sent.map(({ options }) => options.whenBusy)).toEqual(['steer', 'queue']);
  });
});

describe('during a run', () => {
  it('interrupts where the person has chosen it, once', async () => {
    const { person, field, sent } = showField('running');
    await person.type(field, 'a');
    await person.click(screen.getByRole('radio', { name: 'Interrupt' }));
    await person.type(field, '{Enter}');
    act(() => sent[0]?.options.onAccepted?.());
    await person.type(field, 'b');
    expect(sent[0]?.options.whenBusy).toBe('interrupt');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Wait' }).checked).toBe(true);
  });

  it('stops without sending, also when the run has ended meanwhile', async () => {
    const { person, field, sent, stops, show } = showField('running');
    await person.type(field, 'a draft');
    const stop = screen.getByRole('button', { name: 'Stop' });
    await person.click(stop);
    expect(stops()).toBe(1);
    show('idle');
    fireEvent.click(stop);
    expect([sent.length, field.value]).toEqual([0, 'a draft']);
  });

  it('does not stop at the second click of a double click on Send, in whose place Stop is by then', () => {
    const { stops } = showField('running');
    const stop = screen.getByRole('button', { name: 'Stop' });
    fireEvent.click(stop, { detail: 2 });
    expect(stops()).toBe(0);
    // A double click on Stop begins with a click. The keyboard has no clicks to count.
    fireEvent.click(stop, { detail: 1 });
    fireEvent.click(stop, { detail: 0 });
    expect(stops()).toBe(2);
  });
});

it('sends nothing blank, and nothing while it is closed', async () => {
  const { person, field, sent } = showField('idle', { isClosed: true });
  await person.type(field, 'a{Enter}');
  expect(sent).toEqual([]);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true);
});

describe('files', () => {
  const text = new File(['Hello brook'], 'notes.md', { type: 'text/markdown' });

  /** Chooses files as the dialog of the browser does. */
  const choose = (container: HTMLElement, ...files: readonly File[]): void =>
    void fireEvent.change(container.querySelector('input[type=file]')!, { target: { files } });

  it('are sent with the text, and leave the field with it', async () => {
    const { person, field, sent, container } = showField('idle', { tokensOf: () => 12 });
    choose(container, text);
    await screen.findByText('notes.md');
    expect(screen.getByText('≈ 12 tokens')).toBeTruthy();
    await person.type(field, 'Read this{Enter}');
    const input = sent[0]?.input;
    expect(typeof input === 'object' && input.content).toEqual([
      expect.objectContaining({ type: 'file', mediaType: 'text/plain', name: 'notes.md' }),
      { type: 'text', text: 'Read this' },
    ]);
    expect(screen.getByText('notes.md')).toBeTruthy();
    act(() => sent[0]?.options.onAccepted?.());
    expect(screen.queryByText('notes.md')).toBeNull();
  });

  it.each([
    ['too large', new File(['x'.repeat(20)], 'big.txt', { type: 'text/plain' }), 'big.txt is larger than 0.00001 MB.'],
    ['of another kind', new File(['\u0000'], 'a.exe'), 'a.exe: files of this kind cannot be attached.'],
    ['a sound', new File(['x'], 'a.mp3', { type: 'audio/mpeg' }), 'a.mp3: files of this kind cannot be attached.'],
  ])('are refused with a reason: %s', async (_what, file, sentence) => {
    const { container } = showField('idle', { maxBytes: 10 });
    choose(container, file);
    expect((await screen.findByRole('alert')).textContent).toBe(sentence);
  });

  it('are limited in number', async () => {
    const { container } = showField('idle', { maxFiles: 1 });
    choose(container, text, text);
    expect((await screen.findByRole('alert')).textContent).toBe('A message takes 1 files at most.');
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
  });

  it('are pasted and dropped, where the page takes files', async () => {
    const { field, container } = showField();
    fireEvent.paste(field, { clipboardData: { files: [text] } });
    await screen.findByText('notes.md');
    fireEvent.dragOver(field, { dataTransfer: { types: ['Files'] } });
    expect(container.querySelector('[data-part=composer]')?.getAttribute('data-state')).toBe('over');
    fireEvent.drop(field, { dataTransfer: { types: ['Files'], files: [text] } });
    await waitFor(() => expect(screen.getAllByText('notes.md')).toHaveLength(2));
  });

  /** The texts of the files that were sent. */
  const textsOf = (input: Sent['input'] | undefined): readonly string[] =>
    typeof input !== 'object' || typeof input.content === 'string'
      ? []
      : input.content.flatMap((part) =>
          part.type === 'file'
            ? [new TextDecoder().decode(Uint8Array.from(atob(part.data ?? ''), (c) => c.charCodeAt(0)))]
            : [],
        );
  const log = new File([Array.from({ length: 100 }, (_, line) => `line ${line} …`).join('\n')], 'big.log', {
    type: 'text/plain',
  });

  it('that the model cannot take are cut to their first part, at the end of a line', async () => {
    const { person, field, sent, container } = showField('idle', {
      tokensOf: ({ data = '' }) => data.length,
      maxTokens: 400,
    });
    choose(container, log);
    expect((await screen.findByRole('alert')).textContent).toMatch(/^≈ [\d,]+ tokens. This model takes 400\.$/u);
    await person.click(screen.getByRole('button', { name: 'Send the first part' }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByText(/The first part$/u)).toBeTruthy();
    await person.type(field, 'Why?{Enter}');
    const [cut = ''] = textsOf(sent[0]?.input);
    expect(cut).toMatch(/^line 0 …\n(?:line \d+ …\n)+\n\[The rest of the file is left out: \d+ characters\.\]\n$/u);
    expect(Buffer.from(cut).toString('base64').length).toBeLessThanOrEqual(400);
  });

  it('that the model cannot take can be removed, and the question stays', async () => {
    const { person, field, container } = showField('idle', { tokensOf: () => 500, maxTokens: 400 });
    await person.type(field, 'Why?');
    choose(container, new File(['%PDF'], 'a.pdf', { type: 'application/pdf' }));
    await screen.findByRole('alert');
    expect(screen.queryByRole('button', { name: 'Send the first part' })).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Remove' }));
    expect(screen.queryByText('a.pdf')).toBeNull();
    expect(field.value).toBe('Why?');
    expect(document.activeElement).toBe(field);
  });

  it('are made of a long paste, which can be a text again', async () => {
    const { person, field, sent } = showField('idle', { pasteAsFile: 10 });
    await person.type(field, 'Read:');
    const paste = (pasted: string): boolean =>
      fireEvent.paste(field, { clipboardData: { files: [], getData: () => pasted } });
    expect(paste('short')).toBe(true);
    expect(paste('a longer text')).toBe(false);
    await screen.findByText('Pasted text.txt');
    expect(field.value).toBe('Read:');
    expect(paste('another long text')).toBe(false);
    await screen.findByText('Pasted text 2.txt');
    await person.click(screen.getAllByRole('button', { name: 'Paste as text' })[0]!);
    expect(field.value).toBe('Read:\n\na longer text');
    await person.type(field, '{Enter}');
    expect(textsOf(sent[0]?.input)).toEqual(['another long text']);
  });

  it('are not made of a paste where the message takes no text, or no further file', async () => {
    const { field, container } = showField('idle', { pasteAsFile: 10, maxFiles: 1 });
    choose(container, text);
    await screen.findByText('notes.md');
    expect(fireEvent.paste(field, { clipboardData: { files: [], getData: () => 'a longer text' } })).toBe(true);
  });

  it('can be looked at before they are sent', async () => {
    const { person, container } = showField();
    choose(container, text);
    await person.click(await screen.findByRole('button', { name: 'notes.md' }));
    const viewer = document.querySelector('[data-part=viewer]');
    expect(viewer?.getAttribute('aria-label')).toBe('notes.md');
    expect(viewer?.querySelector('pre')?.textContent).toBe(await text.text());
  });

  it('are taken nowhere where `accept` is empty', () => {
    showField('idle', { accept: '' });
    expect(screen.queryByRole('button', { name: 'Attach files' })).toBeNull();
  });
});

it('has the controls of the page', () => {
  showField('idle', { slots: { start: <b>start</b>, end: <b>end</b>, note: <b>note</b> }, className: 'mine' });
  expect(screen.getAllByText(/^(start|end|note)$/u)).toHaveLength(3);
  expect(document.querySelector('.bk-composer.mine')).toBeTruthy();
});

it('shows what waits, and sends it now only where nothing runs', () => {
  const message = { id: 'm', role: 'user', content: [{ type: 'text', text: 'Later' }], timestamp: 0 } as const;
  const done: string[] = [];
  const chips = (isBusy: boolean) => (
    <QueueChips
      queue={[{ message, mode: 'queue' }]}
      isBusy={isBusy}
      onRemove={(id) => done.push(`remove ${id}`)}
      onSendNow={({ id }) => done.push(`send ${id}`)}
    />
  );
  const { rerender } = render(chips(true));
  expect(screen.queryByRole('button', { name: 'Send now' })).toBeNull();
  rerender(chips(false));
  fireEvent.click(screen.getByRole('button', { name: 'Send now' }));
  fireEvent.click(screen.getByRole('button', { name: 'Do not send “Later”' }));
  expect(done).toEqual(['send m', 'remove m']);
});

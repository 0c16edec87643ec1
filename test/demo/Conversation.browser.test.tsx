import { cleanup, configure, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Agent, type AgentSession, createAgent, defineTool, toolParts } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { askTool } from 'brooklet/tools';
import { createScriptedClient, reply, type Script } from 'brooklet/testing';
import { afterEach, expect, test } from 'vitest';
import { showConversation } from './showConversation.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
configure({ asyncUtilTimeout: 15_000 });
afterEach(cleanup);

const save = defineTool({
  name: 'add_note',
  description: 'Saves a note.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  needsApproval: true,
  execute: () => 'Saved.',
});

interface Shown {
  readonly agent: Agent;
  readonly session: AgentSession;
  readonly field: HTMLElement;
}

async function show(script: readonly Script[], store = createMemoryStore()): Promise<Shown> {
  const agent = createAgent({ client: createScriptedClient(script), tools: [save, askTool()], store });
  const session = await agent.openSession(agent.createSession());
  showConversation(agent, session.id);
  return { agent, session, field: await screen.findByRole('textbox', { name: 'Message' }) };
}

/** Waits for a text in the messages. The live region has the same text for a short time. */
const shown = async (text: string | RegExp): Promise<HTMLElement> =>
  within(await screen.findByRole('log')).findByText(text);

const asks = [reply.call('add_note', { text: 'water the plants' })];
const done = [reply.text('Done.')];
const endless = [reply.text('A long story. '), reply.until(new Promise(() => {}))];
const approve = (): Promise<HTMLElement> => screen.findByRole('button', { name: 'Approve' });
const focused = (): string | undefined => document.activeElement?.tagName;

test('keeps the focus in the card when a decision removes its form', async () => {
  const { session } = await show([asks, done]);
  void session.send('Remember');
  await userEvent.click(await approve());
  await shown('Done.');
  expect(document.activeElement?.textContent).toContain('Add a note');
  expect(focused()).toBe('SUMMARY');
});

test('keeps the focus in the card after a rejection by keyboard', async () => {
  const { session } = await show([asks, done]);
  void session.send('Remember');
  await userEvent.click(await screen.findByRole('button', { name: 'Reject' }));
  await userEvent.keyboard('No{Enter}');
  await shown('Done.');
  expect(focused()).toBe('SUMMARY');
});

test.each(['Stop', 'Send'])(
  'moves the focus to the message field when the button %s disappears or is disabled',
  async (name) => {
    const { session, field } = await show([endless]);
    if (name === 'Stop') void session.send('Tell');
    else await userEvent.type(field, 'Tell');
    await userEvent.click(await screen.findByRole('button', { name }));
    await expect.poll(() => document.activeElement === field).toBe(true);
    session.cancel();
  },
);

test('moves the focus to the message field when the button Resume disappears', async () => {
  const { session, field } = await show([endless]);
  void session.send('Tell');
  await shown(/A long story/);
  session.cancel();
  await userEvent.click(await screen.findByRole('button', { name: 'Resume' }));
  await expect.poll(() => document.activeElement === field).toBe(true);
  session.cancel();
});

test('stops on Escape wherever the focus is, and keeps the draft', async () => {
  const { session, field } = await show([endless]);
  await userEvent.type(field, 'By the way');
  void session.send('Tell');
  await shown(/A long story/);
  field.blur();
  expect(document.activeElement).toBe(document.body);
  await userEvent.keyboard('{Escape}');
  await screen.findByText('You stopped this reply');
  expect(field).toHaveProperty('value', 'By the way');
});

test('keeps an edited input and a reason on Escape, and does not stop the run', async () => {
  const { session } = await show([asks, done]);
  void session.send('Remember');
  await userEvent.click(await screen.findByRole('button', { name: 'Edit input' }));
  const input = await screen.findByRole('textbox', { name: 'text' });
  await userEvent.clear(input);
  await userEvent.type(input, 'water the ferns');
  await userEvent.keyboard('{Escape}');
  await approve();
  await userEvent.keyboard('{Escape}');
  expect(session.getStatus()).toBe('waiting');
  await userEvent.click(await screen.findByRole('button', { name: 'Edit input' }));
  expect(await screen.findByRole('textbox', { name: 'text' })).toHaveProperty('value', 'water the ferns');
});

test('keeps a begun answer on Escape', async () => {
  const { session, field } = await show([[reply.call('ask_user', { question: 'Your name?' })], done]);
  void session.send('Ask');
  const answer = await screen.findByRole('textbox', { name: 'Answer' });
  await userEvent.type(answer, 'Ada');
  await userEvent.keyboard('{Escape}');
  await userEvent.click(await screen.findByRole('button', { name: 'I’d rather not say' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Back' }));
  await userEvent.click(field);
  await userEvent.keyboard('{Escape}');
  expect(session.getStatus()).toBe('waiting');
  expect(await screen.findByRole('textbox', { name: 'Answer' })).toHaveProperty('value', 'Ada');
});

test('states the problems of an answer beside its fields', async () => {
  const fields = [{ name: 'people', label: 'How many?', type: 'integer' }];
  const { session } = await show([[reply.call('ask_user', { question: 'Who?', fields })], done]);
  void session.send('Ask');
  const people = await screen.findByLabelText('How many?');
  await userEvent.click(await screen.findByRole('button', { name: 'Answer' }));
  await screen.findByText('Fill in this field.');
  expect(document.activeElement).toBe(people);
  await userEvent.type(people, '1.5{Enter}');
  await screen.findByText('Enter a whole number.');
  await userEvent.clear(people);
  await userEvent.type(people, '2{Enter}');
  await shown('Done.');
});

test('says that a decision came too late when another tab decided first', async () => {
  const { session } = await show([asks, done]);
  void session.send('Remember');
  const button = await approve();
  const [call] = session.getMessages().flatMap(toolParts);
  const callId = call?.callId ?? '';
  // The page has not been told of the first decision when the user clicks.
  const first = session.reject(callId, { userName: 'Otter 12' });
  button.click();
  await first;
  await screen.findByText('Your decision came too late: declined in another tab (Otter 12).');
});

test('asks without a deadline until the user decides, and otherwise shows only the time that is left', async () => {
  const { session } = await show([asks, done]);
  void session.send('Remember');
  await approve();
  expect(screen.getByText('Nothing happens until you decide.')).toBeTruthy();
  expect(screen.queryByRole('timer')).toBeNull();
});

/** The key that confirms a composition: of Chromium and Firefox, and of Safari, which has ended the composition before. */
const confirmations = [
  ['Chromium, Firefox', { key: 'Enter', isComposing: true }],
  ['Safari', { key: 'Enter', isComposing: false, keyCode: 229 }],
] as const;

test.each(confirmations)('does not send on the Enter that confirms a composition (%s)', async (_engine, init) => {
  const { session, field } = await show([done]);
  await userEvent.type(field, 'ni hao');
  const key = new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true });
  field.dispatchEvent(key);
  expect(key.defaultPrevented).toBe(false);
  expect(session.getMessages()).toEqual([]);
  await userEvent.type(field, '{Enter}');
  await shown('Done.');
});

test('has one polite live region, and a log of messages that is not live', async () => {
  const { session } = await show([[reply.text('One. Two.\n\n```ts\na\n```\n')]]);
  await session.send('Hi');
  await screen.findAllByRole('button', { name: 'Copy code' });
  const live = [...document.querySelectorAll('[aria-live]:not([aria-live="off"]), output, [role="status"]')];
  expect(live.map((region) => region.textContent)).toHaveLength(1);
  expect(live[0]?.textContent).toContain('One.');
  expect(screen.getByRole('log', { name: 'Messages' }).getAttribute('aria-live')).toBe('off');
});

test('offers to wait, steer or interrupt only while there is something to send', async () => {
  const { session, field } = await show([endless]);
  void session.send('Tell');
  await screen.findByRole('button', { name: 'Stop' });
  expect(screen.queryByRole('radio', { name: 'Steer' })).toBeNull();
  await userEvent.type(field, 'And');
  await screen.findByRole('radio', { name: 'Steer' });
  session.cancel();
});

test('attaches a pasted picture and a text file, shows them, and sends them before the text', async () => {
  const { session, field } = await show([done]);
  const png = new File([Uint8Array.of(137, 80, 78, 71)], 'brook.png', { type: 'image/png' });
  const notes = new File(['# Notes'], 'notes.md');
  const movie = new File(['x'], 'walk.mp4', { type: 'video/mp4' });
  await userEvent.click(field);
  const data = new DataTransfer();
  for (const file of [png, notes, movie]) data.items.add(file);
  field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  await screen.findByText('walk.mp4: only images, text files and PDFs can be attached.');
  await screen.findByText('notes.md');
  await userEvent.type(field, 'What is this?{Enter}');
  await shown('Done.');
  expect(session.getMessages()[0]?.content).toEqual([
    { type: 'image', mediaType: 'image/png', data: 'iVBORw==', name: 'brook.png' },
    { type: 'file', mediaType: 'text/plain', data: btoa('# Notes'), name: 'notes.md' },
    { type: 'text', text: 'What is this?' },
  ]);
  expect(screen.queryByRole('button', { name: 'Remove notes.md' })).toBeNull();
});

const png = (name: string): File => new File([Uint8Array.of(137, 80, 78, 71)], name, { type: 'image/png' });
const pdf = (name: string): File => new File(['%PDF-1.7'], name, { type: 'application/pdf' });

function holding(...files: readonly File[]): DataTransfer {
  const data = new DataTransfer();
  for (const file of files) data.items.add(file);
  return data;
}

function drag(type: string, target: Element, dataTransfer: DataTransfer): DragEvent {
  const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
  target.dispatchEvent(event);
  return event;
}

/** Chooses files as the picker of the browser does. */
function choose(...files: readonly File[]): void {
  const picker = document.querySelector<HTMLInputElement>('input[type=file]') ?? expect.unreachable('the picker');
  picker.files = holding(...files).files;
  picker.dispatchEvent(new Event('change', { bubbles: true }));
}

test('attaches files that are dropped anywhere on the conversation, and takes no text that is dropped', async () => {
  const { session, field } = await show([done]);
  const region = screen.getByRole('region', { name: 'Conversation' });
  const text = new DataTransfer();
  text.setData('text/plain', 'words');
  expect(drag('drop', region, text).defaultPrevented).toBe(false);
  const files = holding(png('brook.png'), pdf('report.pdf'));
  expect(drag('dragover', region, files).defaultPrevented).toBe(true);
  await screen.findByText('Drop images, text files or PDFs here');
  expect(drag('drop', region, files).defaultPrevented).toBe(true);
  await screen.findByText('report.pdf');
  expect(screen.queryByText('Drop images, text files or PDFs here')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Remove brook.png' }));
  await userEvent.type(field, '{Enter}');
  await shown('Done.');
  expect(session.getMessages()[0]?.content).toEqual([
    { type: 'file', mediaType: 'application/pdf', data: btoa('%PDF-1.7'), name: 'report.pdf' },
  ]);
});

test('attaches files that are chosen, the same file again, and no more than eight', async () => {
  await show([done]);
  choose(pdf('a.pdf'));
  await screen.findByText('a.pdf');
  choose(pdf('a.pdf'));
  await expect.poll(() => screen.getAllByText('a.pdf').length).toBe(2);
  choose(...Array.from({ length: 7 }, (_, at) => png(`${at}.png`)));
  await screen.findByText('5.png');
  expect(screen.queryByText('6.png')).toBeNull();
  expect(screen.getByRole('alert').textContent).toContain('8');
  choose(new File([new Uint8Array(5_000_001)], 'large.pdf', { type: 'application/pdf' }));
  await expect.poll(() => screen.getByRole('list', { name: 'Attachments' }).children.length).toBe(8);
});

test('gives the text and the files back when the message is refused', async () => {
  const { agent, session, field } = await show([done]);
  await userEvent.type(field, 'What is this?');
  choose(png('brook.png'));
  await screen.findByText('brook.png');
  const preview = document.querySelector<HTMLImageElement>('.bk-attachments img')?.src ?? '';
  agent.removeSession(session.id);
  await userEvent.type(field, '{Enter}');
  await expect.poll(() => field).toHaveProperty('value', 'What is this?');
  await screen.findByText('brook.png');
  expect((await fetch(preview)).ok).toBe(true);
});

test('keeps few rows of 1,000 messages in the page, and shows the end first', async () => {
  const store = createMemoryStore();
  const { session } = await show([done], store);
  for (let at = 0; at < 1_000; at += 1)
    session.addMessage({ role: at % 2 ? 'assistant' : 'user', content: `Message ${at} of a long talk.` });
  await shown('Message 999 of a long talk.');
  const log = screen.getByRole('log');
  expect(log.querySelectorAll('article').length).toBeLessThan(60);
  const scroller = screen.getByRole('region', { name: 'Conversation' });
  await expect.poll(() => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop).toBeLessThan(4);
  scroller.scrollTop = 0;
  await shown('Message 0 of a long talk.');
  expect(log.querySelectorAll('article').length).toBeLessThan(60);
  // Rows that are measured for the first time are drawn once more.
  await expect.poll(() => log.querySelector('[aria-posinset="1"]')?.getAttribute('aria-setsize')).toBe('1000');
  expect(scroller.scrollTop).toBe(0);
});

test('keeps the earlier version of an edited message, steps through the versions, and does not lose a draft', async () => {
  const { session } = await show([[reply.text('First.')], [reply.text('Second.')]]);
  await session.send('One');
  await shown('First.');
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  const editor = await screen.findByRole('textbox', { name: 'Edited message' });
  await userEvent.type(editor, ' and two');
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  expect(screen.getByRole('textbox', { name: 'Edited message' })).toHaveProperty('value', 'One and two');
  await userEvent.keyboard('{Enter}');
  await shown('Second.');
  await shown('One and two');
  await screen.findByRole('img', { name: 'Version 2 of 2' });
  await userEvent.click(screen.getByRole('button', { name: 'Previous version' }));
  await shown('First.');
  await screen.findByRole('img', { name: 'Version 1 of 2' });
});

test('keeps the earlier answer of another try', async () => {
  const { session } = await show([[reply.text('First.')], [reply.text('Second.')]]);
  await session.send('One');
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  await shown('Second.');
  await userEvent.click(await screen.findByRole('button', { name: 'Previous version' }));
  await shown('First.');
});

test('deletes from a message on, after a confirmation', async () => {
  const { session } = await show([[reply.text('First.')], [reply.text('Second.')]]);
  await session.send('One');
  await session.send('Two');
  await shown('Second.');
  const question = await shown('Two');
  const row = question.closest('article') ?? expect.unreachable('the message');
  await userEvent.click(within(row).getByRole('button', { name: 'Delete from here' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.textContent).toContain('2 messages will be removed');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete from here' }));
  await expect.poll(() => session.getMessages()).toHaveLength(2);
  expect(document.activeElement).not.toBe(document.body);
});

test('continues from a message in a new chat', async () => {
  const { agent, session } = await show([[reply.text('First.')], [reply.text('Second.')]]);
  await session.send('One');
  await session.send('Two');
  const row = (await shown('First.')).closest('article') ?? expect.unreachable('the message');
  location.hash = '';
  await userEvent.click(within(row).getByRole('button', { name: 'Fork from here' }));
  await expect.poll(() => location.hash).toMatch(/^#\/s\//);
  const forked = await agent.openSession(decodeURIComponent(location.hash.slice('#/s/'.length)));
  expect(forked.getMessages()).toHaveLength(2);
  location.hash = '';
});

test('groups the steps of an answer, and shows them on a click', async () => {
  const steps = [1, 2, 3].map((at) => [reply.call('ask_user', { question: `${at}?` })]);
  const { session } = await show([...steps, done]);
  const sent = session.send('Ask');
  for (let at = 1; at <= 3; at += 1) {
    await expect.poll(() => session.getMessages().flatMap(toolParts)[at - 1]?.status).toBe('awaiting-approval');
    await session.answer(session.getMessages().flatMap(toolParts)[at - 1]?.callId ?? '', 'Yes');
  }
  await sent;
  const summary = await screen.findByText(/^3 steps/);
  expect(document.querySelectorAll('.bk-tool-call')).toHaveLength(0);
  await userEvent.click(summary);
  await expect.poll(() => document.querySelectorAll('.bk-tool-call').length).toBe(3);
});

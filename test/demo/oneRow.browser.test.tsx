import { cleanup } from '@testing-library/react';
import { createAgent, type Message } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply, type ScriptStep } from 'brooklet/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { createGate } from '../support/gate.ts';
import { showConversation } from './showConversation.tsx';

/** The message of each row that was rendered while the answer was streaming. */
const rendered: string[] = [];
/** Pictures that the browser has drawn. */
let picture = 0;
/** The end of an answer renders every row: its verbs are there again. */
let isStreaming = false;

/** Returns a row that notes when it is rendered. */
function noting<Props extends { readonly message: Message }, Row>(
  render: (props: Props) => Row,
): (props: Props) => Row {
  return (props) => {
    if (isStreaming) rendered.push(props.message.id);
    return render(props);
  };
}

vi.mock(import('../../src/ui/thread/AgentMessage.tsx'), async (importOriginal) => ({
  AgentMessage: noting((await importOriginal()).AgentMessage),
}));
vi.mock(import('../../src/ui/thread/UserMessage.tsx'), async (importOriginal) => ({
  UserMessage: noting((await importOriginal()).UserMessage),
}));

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
afterEach(cleanup);

const markdown = '## A heading\n\nSome *words* and `code`:\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n- one\n- two\n';
const chunks = 250;

/** An answer of 250 chunks a second, which begins when it is watched. */
function stream(watched: Promise<void>): readonly ScriptStep[] {
  const words = Array.from({ length: chunks }, (_, index) => [
    reply.wait(4),
    reply.text(index % 20 === 19 ? '\n\n' : `*word* ${index} `),
  ]).flat();
  return [reply.text('First. '), reply.until(watched), ...words];
}

// A busy machine draws fewer pictures a second.
test(
  'one row is rendered for each picture while an answer streams into 1,000 messages, in StrictMode',
  { timeout: 60_000 },
  async () => {
    const watched = createGate();
    const agent = createAgent({
      client: createScriptedClient([[reply.text('Begun.')], stream(watched.opened)]),
      store: createMemoryStore(),
    });
    const session = await agent.openSession(agent.createSession());
    for (let index = 0; index < 500; index += 1) {
      session.addMessage({ role: 'user', content: `Question ${index}` });
      session.addMessage({ role: 'assistant', content: markdown });
    }
    showConversation(agent, session.id);
    await expect.poll(() => document.querySelectorAll('.bk-row').length).toBeGreaterThan(2);
    await session.send('Begin');

    const count = (): void => {
      picture += 1;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
    const sent = session.send('Tell me more');
    session.events$.subscribe(({ type }) => {
      if (type === 'reply.ended') isStreaming = false;
    });
    await expect.poll(() => document.querySelector('.bk-row:last-child')?.textContent).toContain('First.');
    const id = session.getMessages().at(-1)?.id;
    const begun = picture;
    isStreaming = true;
    watched.open();
    await sent;

    expect(new Set(rendered)).toEqual(new Set([id]));
    // StrictMode renders twice.
    expect(rendered.length / 2).toBeLessThanOrEqual(picture - begun + 1);
    expect(document.querySelectorAll('.bk-row').length).toBeLessThan(60);
  },
);

import { createMemoryStore } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { ask, recorded, stage, textsOf } from '../support/stage.ts';

async function answered(on: ReturnType<typeof stage>, text: string, answer: string): Promise<void> {
  const sent = on.session.send(text);
  await settled();
  say(on.client.last(), answer);
  await sent;
}

describe('removeMessage', () => {
  test('removes a message from the conversation, from later requests and after a reload', async () => {
    const store = createMemoryStore();
    const on = stage({ store });
    await answered(on, 'Hello', 'Hi');
    const [first] = on.session.getMessages();
    on.session.removeMessage(first?.id ?? '');
    expect(textsOf(on.session)).toEqual(['Hi']);
    await answered(on, 'Again', 'Yes');
    expect(on.client.last().request.messages.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'Hi' }],
      [{ type: 'text', text: 'Again' }],
    ]);
    await on.session.flushed();
    const reloaded = await stage({ store, ports: createManualPorts('later') }).agent.openSession(on.session.id);
    expect(reloaded.getState().messages).toEqual(on.session.getMessages());
  });

  test('refuses an unknown message, and any message during a run', async () => {
    const on = stage({ tools: [recorded('send', { needsApproval: true }).tool] });
    on.session.addMessage({ id: 'm', role: 'user', content: 'Hello' });
    expect(() => on.session.removeMessage('none')).toThrow(expect.objectContaining({ code: 'MESSAGE_NOT_FOUND' }));
    await ask(on, ['send', '{}']);
    expect(() => on.session.removeMessage('m')).toThrow(expect.objectContaining({ code: 'SESSION_BUSY' }));
  });
});

describe('metadata', () => {
  test('is replaced as a whole, a copy, and survives a reload and a fork', async () => {
    const store = createMemoryStore();
    const { session, agent } = stage({ store });
    const metadata = { project: 'p', tags: ['a'] };
    session.setMetadata(metadata);
    metadata.tags.push('b');
    expect(session.getState().metadata).toEqual({ project: 'p', tags: ['a'] });
    session.setMetadata({ project: 'q' });
    await session.flushed();
    expect(
      (await stage({ store, ports: createManualPorts('later') }).agent.openSession(session.id)).getState().metadata,
    ).toEqual({ project: 'q' });
    const forked = await agent.forkSession(session.id);
    expect(agent.getSession(forked)?.getState().metadata).toEqual({ project: 'q' });
  });
});

import { createAgent, defineTool } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, test } from 'vitest';
import { narrate } from '../../src/ui/notice/narrate.ts';
import { english } from 'brooklet/ui';

const words = { announcer: english.announcer, title: english.tool.title };

test('says each sentence of an answer once, without Markdown, and before the answer is complete', async () => {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const client = createScriptedClient([
    reply.text('# A *brook*\n\nIt is **small**. It gro'),
    reply.until(opened),
    reply.text('ws. The `end`'),
  ]);
  const agent = createAgent({ client });
  const session = await agent.openSession(agent.createSession());
  const said: string[] = [];
  const stop = narrate(session, words, (text) => void (text !== '' && said.push(text)));
  const sent = session.send('Hi');
  await expect.poll(() => said.join(' ')).toBe('The agent is working. A brook It is small.');
  open();
  await sent;
  await expect.poll(() => said.join(' ')).toBe('The agent is working. A brook It is small. It grows. The end');
  stop();
});

test('says nothing of what was there before, and names a decision by what it does', async () => {
  const pay = defineTool({
    name: 'pay_bill',
    description: 'Pays.',
    input: { type: 'object' },
    needsApproval: true,
    execute: () => 'Paid.',
  });
  const agent = createAgent({
    client: createScriptedClient([[reply.text('Before.')], [reply.call('pay_bill')]]),
    tools: [pay],
  });
  const session = await agent.openSession(agent.createSession());
  await session.send('Hi');
  const said: string[] = [];
  const stop = narrate(session, words, (text) => void (text !== '' && said.push(text)));
  void session.send('Pay');
  await expect.poll(() => said).toEqual(['The agent is working.', 'The agent asks for your decision: Pay bill.']);
  session.cancel();
  await expect.poll(() => said.at(-1)).toBe('Stopped.');
  stop();
});

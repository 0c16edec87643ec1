import { screen, waitFor, within } from '@testing-library/react';
import { agentTool, handoffTo } from 'brooklet/agents';
import { defineTool } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, it } from 'vitest';
import { findMessage, showChat, untilChat } from './stage.tsx';

/** A chat whose agent asks one researcher, which pays after a person has agreed. */
function showTree(onOpenSession?: (id: string) => void) {
  const paid: string[] = [];
  const pay = defineTool({
    name: 'pay_bill',
    description: 'Pays.',
    input: { type: 'object' },
    needsApproval: true,
    execute: (_input, { callId }) => void paid.push(callId),
  });
  const research = agentTool({
    name: 'research',
    description: 'Researches.',
    options: {
      client: createScriptedClient([
        [reply.text('I have to pay first.'), reply.call('pay_bill', {})],
        [reply.text('Found it.')],
      ]),
      tools: [pay],
    },
  });
  const client = createScriptedClient([[reply.call('research', { task: 'Find it.' })], [reply.text('All done.')]]);
  return { paid, ...showChat(client, { agent: { tools: [research] }, ...(onOpenSession && { onOpenSession }) }) };
}

it('shows the session of a call live, and decides its calls where the person reads them', async () => {
  const opened: string[] = [];
  const { paid, person, field, container, agent } = showTree((id) => void opened.push(id));
  await person.type(field, 'Go.{Enter}');
  const child = await waitFor(() => {
    const found = container.querySelector<HTMLElement>('[data-part=child-session][data-state=waiting]');
    return found ?? Promise.reject(new Error('no session waits'));
  });
  expect(within(child).getByText('I have to pay first.')).toBeTruthy();
  expect(within(child).getByText('Waiting for you')).toBeTruthy();
  await untilChat(container, 'waiting');
  await person.click(within(child).getByRole('button', { name: 'Open the conversation' }));
  const [root] = agent.getPending();
  expect(opened).toEqual([root?.sessionId]);
  await person.click(within(child).getByRole('button', { name: 'Approve' }));
  await findMessage('All done.');
  expect(paid).toHaveLength(1);
  expect(container.querySelector('[data-part=child-session]')?.getAttribute('data-state')).toBe('ended');
});

it('has nothing below a call that has ended where no page opens its session', async () => {
  const { person, field, container } = showTree();
  await person.type(field, 'Go.{Enter}');
  await person.click(await screen.findByRole('button', { name: 'Approve' }));
  await findMessage('All done.');
  expect(container.querySelector('[data-part=child-session]')).toBeNull();
});

it('names the agent to which a call has passed the conversation', async () => {
  const billing = handoffTo({
    name: 'billing',
    description: 'Invoices.',
    options: { client: createScriptedClient([[reply.text('Which invoice?')]]) },
  });
  const client = createScriptedClient([[reply.call('transfer_to_billing', {})]]);
  const { person, field } = showChat(client, { agent: { tools: [billing] } });
  await person.type(field, 'Go.{Enter}');
  await findMessage('Which invoice?');
  expect(screen.getByText('Passed to billing')).toBeTruthy();
});

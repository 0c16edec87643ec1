import { defineTool } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';

/** A tool that asks before it pays. */
export const pay = defineTool({
  name: 'pay_bill',
  description: 'Pays.',
  input: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
  needsApproval: true,
  execute: ({ amount }) => `Paid ${Number(amount)}.`,
});

/** Asks for the payment once, then answers. */
export const paying = () =>
  createScriptedClient((request) =>
    request.messages.at(-1)?.role === 'user' ? [reply.call('pay_bill', { amount: 5 })] : [reply.text('Thank you.')],
  );

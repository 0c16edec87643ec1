import { defineTool, type Tool } from 'brooklet';

/** A tool that asks before it pays. @param ran gets the id of each call that has run */
export const createPay = (ran: string[]): Tool =>
  defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object' },
    needsApproval: true,
    async execute(_input, { callId }) {
      ran.push(callId);
      return 'paid';
    },
  });

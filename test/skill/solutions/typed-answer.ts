import { AgentError, type AgentSession, defineOutput } from 'brooklet';
import { z } from 'zod';

const invoice = defineOutput({ name: 'invoice', schema: z.object({ number: z.string(), total: z.number() }) });

export interface Invoice {
  readonly number: string;
  readonly total: number;
}

export async function readInvoice(session: AgentSession, text: string): Promise<Invoice> {
  const { message, error } = await session.send(`Read this invoice:\n${text}`, { output: invoice });
  if (error) throw error;
  if (!message) throw new AgentError('There was no answer.', { code: 'INVALID_OUTPUT' });
  return invoice.read(message);
}

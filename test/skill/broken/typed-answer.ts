import { type AgentSession, extractTextContent } from 'brooklet';

export interface Invoice {
  readonly number: string;
  readonly total: number;
}

/** Asks for JSON in words, and checks nothing. */
export async function readInvoice(session: AgentSession, text: string): Promise<Invoice> {
  const { message } = await session.send(`Answer with JSON, number and total of this invoice:\n${text}`);
  const { number, total }: Invoice = JSON.parse(message ? extractTextContent(message) : '{}');
  return { number, total };
}

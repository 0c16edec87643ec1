// A page that uses the package as its users do. `npm run test:packed -- types` compiles it against the package with several versions of TypeScript.
import {
  type AgentSession,
  createAgent,
  createChatCompletionsClient,
  defineTool,
  fingerprintOf,
  type Message,
  toolParts,
  type ToolsOf,
} from 'brooklet';
import * as agui from 'brooklet/agui';
import * as aiSdk from 'brooklet/ai-sdk';
import * as anthropic from 'brooklet/anthropic';
import * as context from 'brooklet/context';
import * as core from 'brooklet/core';
import * as llm from 'brooklet/llm';
import * as openai from 'brooklet/openai';
import * as providers from 'brooklet/providers';
import { AgentProvider, useApprovals, useChat, useMessage } from 'brooklet/react';
import * as lists from 'brooklet/react/lists';
import { createIndexedDBStore } from 'brooklet/storage';
import * as testing from 'brooklet/testing';
import { clockTool } from 'brooklet/tools';
import { Chat as WholeChat, chinese, Composer, Markdown, type MarkdownProps, Thread, useStickToEnd } from 'brooklet/ui';
import type { ReactElement } from 'react';
import { z } from 'zod';

export const entries = { agui, aiSdk, anthropic, context, core, llm, openai, providers, lists, testing };

const pay = defineTool({
  name: 'pay',
  description: 'Pays an invoice.',
  input: z.object({ amount: z.number(), due: z.string().transform((text) => new Date(text)) }),
  output: z.object({ receipt: z.string() }),
  execute: ({ due }) => ({ receipt: due.toISOString() }),
});
const pickSeat = defineTool({
  name: 'pick_seat',
  description: 'Lets the person pick a seat.',
  input: z.object({ free: z.array(z.string()) }),
  answer: ({ free }) => z.enum(free),
  execute: async (_input, { answer }) => ({ seat: answer.toUpperCase(), at: new Date() }),
});
const output = z.object({ receipt: z.string() });
// @ts-expect-error a receipt is text
defineTool({ name: 'x', description: '', input: output, output, execute: () => ({ receipt: 1 }) });
// @ts-expect-error there is no such field in the input
defineTool({ name: 'x', description: '', input: output, execute: ({ recipe }) => String(recipe) });

const client = createChatCompletionsClient({ baseURL: 'https://api.example.com/v1', apiKey: '', model: 'example-1' });
export const agent = createAgent({ client, tools: [pay, pickSeat, clockTool()], store: createIndexedDBStore() });
type Tools = ToolsOf<typeof agent>;

function toText(message: Message<Tools>): string {
  const texts = message.content.map((part) => {
    if (part.type !== 'tool') return '';
    // @ts-expect-error there is no such field in the output
    if (part.name === 'pay' && part.status === 'succeeded') part.output.recipe satisfies string;
    // @ts-expect-error no tool has this name
    if (part.name === 'pya') return '';
    if (part.name === 'pay' && part.status === 'succeeded') return part.input.due + part.output.receipt;
    if (part.name === 'pick_seat' && part.status === 'succeeded') return part.output.at + part.output.seat;
    return part.name;
  });
  const untyped: Message = message;
  return texts.concat(toolParts(untyped).map(fingerprintOf)).join('');
}

function Row({ session, id }: { session: AgentSession<Tools> | undefined; id: string }): ReactElement {
  const [next] = useApprovals(session);
  const text = useMessage(session, id, toText);
  if (next?.name === 'pay' && next.status === 'awaiting-approval') return <b>{next.input.amount.toFixed(2)}</b>;
  return <i>{text}</i>;
}

export function Chat(): ReactElement {
  const { messages, session } = useChat<typeof agent>();
  const rows = messages.map(({ id }) => <Row key={id} id={id} session={session} />);
  return <AgentProvider agent={agent}>{rows}</AgentProvider>;
}

const OwnMarkdown = (props: MarkdownProps): ReactElement => <Markdown {...props} allowImage={() => true} />;
export const whole = <WholeChat agent={agent} labels={chinese} components={{ Markdown: OwnMarkdown }} />;

/** The types of React 18 and 19 differ in their refs. */
export function Parts(): ReactElement {
  const chat = useChat();
  const { scroller, content } = useStickToEnd(chat.sessionId);
  return (
    <section ref={scroller}>
      <div ref={content}>
        <Thread chat={chat} />
        <Composer chat={chat} />
      </div>
    </section>
  );
}

/** Closes the session, then disposes of the agent. */
export async function readOnce(client: Parameters<typeof createAgent>[0]['client']): Promise<readonly Message[]> {
  await using agent = createAgent({ client });
  await using session = await agent.openSession('s');
  return session.getMessages();
}

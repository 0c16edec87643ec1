import { createAgent, defineTool, extractTextContent, type Message } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { Chat, chinese } from 'brooklet/ui';
import 'brooklet/ui/style.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { report } from './report.ts';

declare global {
  /** What the policy of the page has refused. */
  var refused: string[];
}

globalThis.refused = [];
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  globalThis.refused.push(`${violatedDirective} ${blockedURI}`),
);

const query = new URLSearchParams(location.search);
const language = query.get('lang') ?? 'en';
document.documentElement.lang = language;
document.documentElement.dir = query.get('dir') ?? 'ltr';

const pay = defineTool({
  name: 'pay_bill',
  description: 'Pays an amount.',
  input: {
    type: 'object',
    properties: {
      to: { type: 'string', title: 'Receiver' },
      amount: { type: 'number', title: 'Amount', description: 'In francs.' },
      isUrgent: { type: 'boolean', title: 'Urgent' },
    },
    required: ['to', 'amount'],
  },
  needsApproval: true,
  execute: ({ to, amount }) => `Paid ${Number(amount)} to ${JSON.stringify(to)}.`,
});

const book = defineTool({
  name: 'book_table',
  description: 'Books a table.',
  input: { type: 'object' },
  answer: {
    type: 'object',
    title: 'When shall I book the table?',
    properties: {
      day: { type: 'string', enum: ['Friday', 'Saturday'], title: 'Day' },
      people: { type: 'integer', title: 'People', description: 'Children, too.' },
    },
    required: ['day', 'people'],
  },
  execute: (_input, { answer }) => JSON.stringify(answer),
});

const edit = defineTool({
  name: 'edit_file',
  description: 'Changes a file.',
  input: { type: 'object' },
  execute: () => 'done',
  present: () => ({
    details: {
      type: 'diff',
      filePath: 'poem.txt',
      oldContent: 'A brook runs\nthruogh the wood\n',
      newContent: 'A brook runs\nthrough the wood\nand sings\n',
    },
  }),
});

/** What the model answers, by a word of the question. */
const client = createScriptedClient(({ messages }) => {
  const last = messages.at(-1);
  const text = last === undefined ? '' : extractTextContent(last);
  if (last?.role !== 'user') return [reply.text('That is **done**.')];
  if (text.includes('report')) return [reply.reasoning('The person wants a report.'), reply.text(report)];
  if (text.includes('pay')) return [reply.call('pay_bill', { to: 'The mill', amount: 120 })];
  if (text.includes('table')) return [reply.call('book_table')];
  if (text.includes('file')) return [reply.text('I fix the word.'), reply.call('edit_file', { path: 'poem.txt' })];
  if (text.includes('key')) return [reply.fail('AUTHENTICATION_FAILED', '401 from api.example: the key was refused')];
  if (text.includes('slow')) return [reply.text('A brook runs on and on. '.repeat(400), { ms: 4 })];
  return [reply.text(`You said: ${text}`)];
});

const agent = createAgent({ client, tools: [pay, book, edit], store: createMemoryStore() });

/** `?messages=1000`: the conversation so far. */
const history = Array.from({ length: Number(query.get('messages') ?? '0') }, (_, index): Message => ({
  id: `m${index}`,
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: [{ type: 'text', text: `This is message ${index} of the history.` }],
  timestamp: index,
}));

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <Chat
        agent={agent}
        initialMessages={history}
        labels={language === 'zh' ? chinese : undefined}
        onSettings={() => {}}
      />
    </StrictMode>,
  );

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createAgent, defineTool, extractTextContent, type SessionSummary } from 'brooklet';
import { createVault } from 'brooklet/keys';
import { compatible, type ModelTable, type Provider } from 'brooklet/providers';
import { AgentProvider, useSession } from 'brooklet/react';
import { useSessions } from 'brooklet/react/lists';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { chinese, ContextMeter, KeyField, ModelPicker, type ReadyKey, SessionList } from 'brooklet/ui';
import 'brooklet/ui/style.css';
import { type ReactElement, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

declare global {
  /** What the policy of the page has refused. */
  var refused: string[];
  /** The keys that were reported. */
  var readyKeys: ReadyKey[];
}

globalThis.refused = [];
globalThis.readyKeys = [];
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  globalThis.refused.push(`${violatedDirective} ${blockedURI}`),
);

const query = new URLSearchParams(location.search);
const language = query.get('lang') ?? 'en';
const texts = language === 'zh' ? chinese : undefined;
document.documentElement.lang = language;
document.documentElement.dir = query.get('dir') ?? 'ltr';
const service = query.get('service') ?? 'http://127.0.0.1:9/v1';
const many = Number(query.get('many') ?? 0);

const known: ModelTable = {
  'brook-large': {
    name: 'Brook Large',
    contextWindow: 1_050_000,
    price: { input: 2, output: 10 },
  },
  'brook-small': { contextWindow: 128_000, price: { input: 0.25, output: 2 } },
};
const brook: Provider = { ...compatible(service, 'Brook'), keysURL: 'https://brook.example/keys', models: known };
const pond: Provider = compatible('http://127.0.0.1:9/v1', 'Pond, on this computer');

const pay = defineTool({
  name: 'pay_bill',
  description: 'Pays an amount.',
  input: { type: 'object' },
  needsApproval: true,
  execute: () => 'Paid.',
});

const client = createScriptedClient(({ messages }) => {
  const last = messages.at(-1);
  const text = last === undefined ? '' : extractTextContent(last);
  if (text.includes('pay')) return [reply.call('pay_bill', {})];
  if (text.includes('break')) return [reply.fail('LLM_API_ERROR', '500 from api.example')];
  return [reply.text(`You said: ${text} ${'A brook runs on. '.repeat(130)}`)];
});
const agent = createAgent({ client, tools: [pay], store: createMemoryStore(), contextWindow: 2_000, maxTokens: 300 });
const vault = createVault({ name: `lists-${query.get('vault') ?? ''}` });
const queries = new QueryClient();

const titles = [
  'Where does the brook begin?',
  'A very long title that does not fit into the width of the list at all, whatever the window',
  '小溪从哪里开始？',
  'أين يبدأ الجدول؟',
  'Please pay the bill',
  'break the bridge',
  'The mill by the pond',
];

/** Stores one session for each title, and returns the first. */
async function fill(): Promise<string> {
  const ids: string[] = [];
  for (const title of titles) {
    const id = agent.createSession();
    ids.push(id);
    const sent = (await agent.openSession(id)).send(title);
    if (!title.includes('pay')) await sent;
  }
  const [first = ''] = ids;
  const session = await agent.openSession(first);
  await session.send('Tell me more about it');
  const [, second] = ids;
  if (second !== undefined) (await agent.openSession(second)).setMetadata({ pinned: true });
  return first;
}

const day = 86_400_000;

const toRow = (number: number): SessionSummary => ({
  id: `s${number}`,
  title: `Conversation ${number}`,
  createdAt: 0,
  updatedAt: Date.now() - (number * day) / 40,
  status: 'idle',
  messageCount: 2,
  usage: { input: 1, output: 1 },
  seq: 3,
});

function ManySessions(): ReactElement {
  const [sessions, setSessions] = useState(() => Array.from({ length: many }, (_none, at) => toRow(at + 1)));
  const [current, setCurrent] = useState<string>();
  return (
    <SessionList
      sessions={{
        sessions,
        rename: (id, title) => setSessions((all) => all.map((one) => (one.id === id ? { ...one, title } : one))),
        setMetadata: (id, metadata) =>
          setSessions((all) => all.map((one) => (one.id === id ? { ...one, metadata } : one))),
        remove: (id) => setSessions((all) => all.filter((one) => one.id !== id)),
      }}
      current={current}
      onOpen={({ id }) => setCurrent(id)}
      labels={texts?.sessions}
    />
  );
}

function StoredSessions({ current, onOpen }: { current: string; onOpen: (id: string) => void }): ReactElement {
  const [search, setSearch] = useState('');
  const list = useSessions({ search, limit: 5 });
  return (
    <SessionList
      sessions={list}
      current={current}
      href={(id) => `#${id}`}
      onOpen={({ id }, event) => {
        event.preventDefault();
        onOpen(id);
      }}
      search={search}
      onSearch={setSearch}
      actions={(sessions, usual) => [
        ...usual,
        ...(sessions.length === 1 ? [{ name: 'review', label: 'Review', href: `#review/${sessions[0]?.id}` }] : []),
      ]}
      labels={texts?.sessions}
    />
  );
}

function Page({ first }: { readonly first: string }): ReactElement {
  const [current, setCurrent] = useState(first);
  const [model, setModel] = useState('brook-small');
  const [recent, setRecent] = useState<readonly string[]>(['brook-small']);
  const [ready, setReady] = useState<ReadyKey>();
  const { session } = useSession(first);
  return (
    <>
      <aside>{many > 0 ? <ManySessions /> : <StoredSessions current={current} onOpen={setCurrent} />}</aside>
      <main>
        <div>
          <ModelPicker
            provider={brook}
            request={{ apiKey: ready?.apiKey ?? '' }}
            value={model}
            recent={recent}
            onChange={(id) => {
              setModel(id);
              setRecent((before) => [id, ...before]);
            }}
            labels={texts?.model}
          />
          <ContextMeter session={session} labels={texts?.context} />
        </div>
        <div className="key">
          <KeyField
            provider={[brook, pond]}
            vault={vault}
            test="brook-small"
            onReady={(key) => {
              globalThis.readyKeys.push(key);
              setReady(key);
            }}
            onForget={() => setReady(undefined)}
            labels={texts?.key}
          />
        </div>
      </main>
    </>
  );
}

const root = document.querySelector('#root');
const first = await fill();
if (root)
  createRoot(root).render(
    <StrictMode>
      <AgentProvider agent={agent}>
        <QueryClientProvider client={queries}>
          <Page first={first} />
        </QueryClientProvider>
      </AgentProvider>
    </StrictMode>,
  );

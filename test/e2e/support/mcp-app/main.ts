import { type AgentSession, createAgent, type Message } from 'brooklet';
import { connectMCP } from 'brooklet/mcp';
import { isFromMCPApp, type MCPAppQuestion, type MCPAppView, mountMCPApp, withMCPApps } from 'brooklet/mcp/apps';
import { createIndexedDBStore } from 'brooklet/storage';
import { createObedientClient } from '../../../mcp/support/obedient-client.ts';

declare global {
  /** The page's session, which the test uses. */
  var session: AgentSession;
  /** Shows the interface of the first call. */
  var show: () => void;
  var view: MCPAppView;
  /** What the person was asked, and what the person allows. */
  var questions: MCPAppQuestion[];
  var allowed: readonly string[];
  /** Names of the tools of each request to the model. */
  var offered: (readonly string[])[];
  /** What the interfaces wrote. */
  var listWritten: () => readonly Message[];
}

const query = new URLSearchParams(location.search);
const sandbox = query.get('sandbox');
if (sandbox !== null) {
  // What the interface runs under must not depend on the policy of the page.
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = `script-src 'self'; frame-src ${new URL(sandbox).origin}; require-trusted-types-for 'script'`;
  document.head.append(policy);
}

const client = createObedientClient();
globalThis.offered = [];
const store = createIndexedDBStore();
const agent = createAgent({
  client: withMCPApps({
    sendRequest(request) {
      globalThis.offered.push((request.tools ?? []).map(({ name }) => name));
      return client.sendRequest(request);
    },
  }),
  store,
});
const server = await connectMCP({ url: query.get('server') ?? '', name: 'weather', memory: store.meta, apps: true });
server.addTo(agent);
location.hash ||= agent.createSession();
const session = await agent.openSession(location.hash.slice(1));
globalThis.session = session;
globalThis.listWritten = () => session.getMessages().filter(isFromMCPApp);
globalThis.questions = [];
globalThis.allowed = (query.get('allowed') ?? '').split(',');
globalThis.show = () => {
  const call = session
    .getMessages()
    .flatMap(({ content }) => content)
    .find((part) => part.type === 'tool');
  globalThis.view = mountMCPApp(document.querySelector('main') ?? document.body, {
    server,
    session,
    callId: call?.type === 'tool' ? call.callId : '',
    memory: store.meta,
    context: { theme: 'dark' },
    openLink: () => {},
    async ask(question) {
      globalThis.questions.push(question);
      return globalThis.allowed.includes(question.type);
    },
    ...(sandbox !== null && { sandbox }),
  });
};

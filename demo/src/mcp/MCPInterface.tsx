import type { AgentSession, ToolPart } from 'brooklet';
import type { MCPServer } from 'brooklet/mcp';
import { type MCPAppStatus, mountMCPApp } from 'brooklet/mcp/apps';
import { useAgent, useObservable } from 'brooklet/react';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { grant, isGranted } from './granted.ts';
import { hostChanges$, hostContext } from './hostContext.ts';
import { InterfaceQuestion } from './InterfaceQuestion.tsx';
import { createQuestions } from './questions.ts';

interface MCPInterfaceProps {
  readonly server: MCPServer;
  readonly session: AgentSession;
  readonly call: ToolPart;
}

const loading: MCPAppStatus = { state: 'loading' };

/** A copy of the sandbox page of the package: the policy of this page forbids the inline scripts of an interface. */
const sandbox = `${import.meta.env.BASE_URL}mcp-app.html`;

/** The interface of a tool in its sandbox, its questions, and a button that closes it. `null` for a tool without an interface. */
export function MCPInterface({ server, session, call }: MCPInterfaceProps): ReactElement | null {
  const { common, interfaces: words } = useAllTexts();
  const { store } = useAgent();
  const container = useRef<HTMLDivElement>(null);
  const [questions] = useState(createQuestions);
  const [first] = useObservable(questions.open$, questions.getOpen);
  const [status, setStatus] = useState(loading);
  const [isWanted, setIsWanted] = useState(true);
  const [attempt, setAttempt] = useState(1);
  const tools = useObservable(server.tools$, server.getTools);
  const { definition } = tools.find(({ tool }) => tool.name === call.name) ?? {};
  const uri = definition?.ui?.resourceUri;
  const { callId } = call;
  const { host } = new URL(server.url);

  useEffect(() => {
    if (!isWanted || uri === undefined || container.current === null) return undefined;
    const view = mountMCPApp(container.current, {
      server,
      session,
      callId,
      sandbox,
      memory: store?.meta,
      context: hostContext(),
      async ask(question) {
        if (isGranted(server.url, question)) return true;
        const isAllowed = await questions.ask(question);
        if (isAllowed) grant(server.url, question);
        return isAllowed;
      },
    });
    const subscription = view.status$.subscribe(setStatus);
    subscription.add(hostChanges$.subscribe(view.updateContext));
    return () => {
      subscription.unsubscribe();
      questions.refuseAll();
      void view.close();
    };
  }, [isWanted, attempt, server, session, callId, uri, store, questions]);

  const show = (): void => {
    setStatus(loading);
    setIsWanted(true);
    setAttempt(attempt + 1);
  };

  if (uri === undefined) return null;
  const isShown = isWanted && status.state !== 'failed';
  return (
    <section className="interface" aria-label={words.of(host)}>
      <p className="interface-head">
        <span>{words.of(host)}</span>
        {isShown && (
          <button type="button" className="quiet small" aria-label={words.close} onClick={() => setIsWanted(false)}>
            <Icon name="close" />
          </button>
        )}
      </p>
      {isWanted && status.state === 'failed' && (
        <p className="bad" role="alert">
          {words.failed} <bdi>{status.error.message}</bdi>
        </p>
      )}
      {first && <InterfaceQuestion open={first} host={host} />}
      {isShown && status.state === 'loading' && !first && <p className="hint">{common.loading}</p>}
      <div ref={container} className="interface-frame" hidden={!isShown} />
      {!isShown && (
        <button type="button" onClick={show}>
          {words.show}
        </button>
      )}
    </section>
  );
}

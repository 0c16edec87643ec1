import type { Json } from '../../core/json.ts';
import { isCall } from '../../core/model/find-call.ts';
import { type Message, toolParts, type ToolPart } from '../../core/model/message.ts';
import type { MessageOrigin } from '../../core/model/message-origin.ts';
import { brought } from '../../core/model/origin.ts';
import { toList, toObject, toText } from '../../core/model/read-json.ts';
import { isUnderWay } from '../../core/model/status.ts';
import type { Ports } from '../../core/ports.ts';
import type { AgentSession } from '../../core/session/session.ts';
import { isFor } from '../definition.ts';
import type { MCPServer } from '../types.ts';
import { type AppCall, readAppCall, readAppContext, toMetadata } from './app-call.ts';
import type { AppHost } from './bridge.ts';
import { toCallResult } from './result.ts';

/** What an interface does in the session. */
export interface AppVerbs extends Pick<AppHost, 'callTool' | 'readResource' | 'sendMessage' | 'setContext'> {
  readonly stop: () => void;
}

interface AppVerbsEnv {
  readonly server: MCPServer;
  readonly session: AgentSession;
  /** The call whose interface it is. */
  readonly callId: string;
  /** Name of its tool, for the model and the person. */
  readonly name: string;
  readonly ports: Pick<Ports, 'id'>;
}

/** Characters that an interface may report to the model about its state. */
const maxContext = 20_000;

export function createAppVerbs({ server, session, callId, name, ports }: AppVerbsEnv): AppVerbs {
  /** What the interface said last while a run was under way: a message in the midst of a run would be answered. */
  let waiting: (() => void) | undefined;

  const subscription = session.status$.subscribe((status) => {
    if (isUnderWay(status)) return;
    const write = waiting;
    waiting = undefined;
    try {
      write?.();
    } catch {
      // The session was closed meanwhile.
    }
  });

  function findCall(id: string): ToolPart | undefined {
    const messages = session.getMessages();
    const prompt = messages.findIndex((message) => readAppCall(message)?.id === id);
    return prompt < 0 ? undefined : messages.slice(prompt + 1).flatMap((message) => toolParts(message))[0];
  }

  /** The origin of what an interface writes, also where the person allowed it to send the message. */
  function originOfView(): MessageOrigin {
    const view = session
      .getMessages()
      .flatMap(({ content }) => content)
      .find(isCall(callId));
    return { type: 'interface', callId, name: view?.name ?? '', server: server.url };
  }

  function writeContext(content: string, said: { readonly content: Json; readonly structuredContent: Json }): void {
    const metadata = toMetadata({ context: { view: callId, ...said } });
    const message = { role: 'user', content: [{ type: 'text', text: content }], metadata } as const;
    const known = session.getMessages().findLast((one) => readAppContext(one)?.view === callId);
    if (known === undefined) session.addMessage(brought(message, originOfView()));
    else session.updateMessage(known.id, (before): Message => ({ ...before, ...message }));
  }

  return {
    async callTool(wanted, input) {
      const found = server.getTools().find(({ definition }) => definition.name === wanted);
      if (found === undefined || !isFor('app', found.definition))
        throw new Error('The server offers interfaces no tool of this name.');
      const call: AppCall = { id: ports.id(), view: callId, tool: found.tool.name, input };
      const content = `The interface of ${name} asks for a call of ${found.definition.title ?? wanted}.`;
      const { outcome, error } = await session.send(brought({ content, metadata: toMetadata(call) }, originOfView()), {
        whenBusy: 'queue',
      });
      const part = findCall(call.id);
      if (part === undefined) throw new Error(error?.message ?? `The call was not made: ${outcome}.`);
      return toCallResult(part);
    },
    async readResource(uri) {
      return { contents: await server.readContents(uri) };
    },
    async sendMessage(text) {
      void session.send(brought({ content: text, metadata: toMetadata({ view: callId }) }, originOfView()), {
        whenBusy: 'queue',
      });
    },
    async setContext(said) {
      const texts = toList(said.content).map((block) => toText(toObject(block).text));
      const all = [...texts, said.structuredContent === null ? '' : JSON.stringify(said.structuredContent)];
      const text = all.filter(Boolean).join('\n');
      if (text.length > maxContext) throw new Error(`The context has more than ${maxContext} characters.`);
      const write = (): void => writeContext(`The interface of ${name} shows now:\n${text}`, said);
      if (isUnderWay(session.getStatus())) waiting = write;
      else write();
    },
    stop: () => subscription.unsubscribe(),
  };
}

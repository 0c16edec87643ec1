import { extractTextContent, type Message } from 'brooklet';
import { isJsonObject } from 'brooklet/core';
import { originOf } from 'brooklet/tools';
import type { ReactElement, ReactNode } from 'react';
import { titleOf } from '../texts/titleOf.ts';
import { useShownChat } from '../model/ShownChat.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { RoomIcon } from '../ui/RoomIcon.tsx';
import { serverLabelOf } from './servers.ts';
import '../styles/interfaces.css';

interface InterfaceMessageProps {
  readonly message: Message;
  /** The message as one of the user. */
  readonly children: ReactNode;
}

/**
 * A message with metadata: what the interface of a tool asked for, told the agent, or sent with the permission of the user. Any other message is
 * shown as one of the user.
 */
export function InterfaceMessage({ message, children }: InterfaceMessageProps): ReactElement {
  const session = useShownChat()?.session;
  const texts = useAllTexts();
  const { interfaces: words } = texts;
  const origin = originOf(message, undefined, session?.getMessages() ?? []);
  if (origin.type !== 'interface') return <>{children}</>;
  const title = titleOf(texts, origin.name);
  const host = serverLabelOf(origin) ?? '';
  const written = message.metadata?.['mcp-app'];
  const { context, tool } = isJsonObject(written) ? written : {};

  if (context !== undefined)
    return (
      <article className="from-interface" aria-label={words.of(host)}>
        <details>
          <summary>
            <RoomIcon name="window" />
            <span>{words.told(title, host)}</span>
          </summary>
          <pre className="bk-json">{extractTextContent(message)}</pre>
        </details>
      </article>
    );
  const isCall = tool !== undefined;
  return (
    <article className="from-interface" aria-label={words.of(host)}>
      <p>
        <RoomIcon name="window" />
        <span>{isCall ? words.asked(title, host) : words.sent(title, host)}</span>
      </p>
      {!isCall && (
        <div className="bk-bubble">
          <bdi>{extractTextContent(message)}</bdi>
        </div>
      )}
    </article>
  );
}

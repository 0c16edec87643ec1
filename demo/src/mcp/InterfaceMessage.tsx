import { extractTextContent } from 'brooklet';
import { isJsonObject } from 'brooklet/core';
import { originOf } from 'brooklet/tools';
import type { ReactElement } from 'react';
import { titleOf } from '../conversation/titleOf.ts';
import { UserMessage, type UserMessageProps } from '../conversation/UserMessage.tsx';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { RoomIcon } from '../ui/RoomIcon.tsx';
import { serverLabelOf } from './servers.ts';
import '../styles/interfaces.css';

/**
 * A message with metadata: what the interface of a tool asked for, told the agent, or sent with the permission of the user. Any other message is
 * shown as one of the user.
 */
export function InterfaceMessage(props: UserMessageProps): ReactElement {
  const { session, message } = props;
  const texts = useAllTexts();
  const { interfaces: words } = texts;
  const origin = originOf(message, undefined, session.getMessages());
  if (origin.type !== 'interface') return <UserMessage {...props} />;
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
          <pre className="json">{extractTextContent(message)}</pre>
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
        <div className="bubble">
          <bdi>{extractTextContent(message)}</bdi>
        </div>
      )}
    </article>
  );
}

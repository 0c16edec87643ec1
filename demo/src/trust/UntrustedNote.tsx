import type { AgentSession, ToolPart } from 'brooklet';
import { untrustedContent, type UntrustedContent } from 'brooklet/tools';
import { type ReactElement, useMemo } from 'react';
import { titleOf } from '../conversation/titleOf.ts';
import { serverLabelOf } from '../mcp/servers.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { trust } from './holding.ts';
import '../styles/extensions.css';

/** Sources that are listed. The rest is counted. */
const most = 5;

/** Why a call is held: which untrusted content the model had read before. `null` for a call that is not held. */
export function UntrustedNote({
  session,
  call,
}: {
  readonly session: AgentSession;
  readonly call: ToolPart;
}): ReactElement | null {
  const texts = useAllTexts();
  const { trust: words } = texts;
  const isHeld = call.approval?.cause === 'untrusted';
  const before = useMemo(
    () => (isHeld ? distinct(untrustedContent(session.getMessages(), { ...trust, callId: call.callId })) : []),
    [isHeld, session, call.callId],
  );
  if (!isHeld) return null;
  const describe = ({ source, summary }: UntrustedContent): string => {
    if (source === 'provider') return words.fromProvider;
    if (source === 'user' || source === 'system') return words.fromAttachment;
    const server = serverLabelOf(source);
    const title = titleOf(texts, source);
    return [server === undefined ? title : words.toolOf(title, server), summary].filter(Boolean).join(': ');
  };
  return (
    <div className="held">
      <p>
        <Icon name="alert" />
        <span>{words.held}</span>
      </p>
      <ul aria-label={words.cameBefore}>
        {before.slice(-most).map((content) => (
          <li key={`${content.messageId} ${content.callId}`}>
            <bdi>{describe(content)}</bdi>
          </li>
        ))}
      </ul>
      {before.length > most && <p className="hint">{words.more(before.length - most)}</p>}
    </div>
  );
}

/** Returns one entry for each source and summary, the latest last. */
function distinct(contents: readonly UntrustedContent[]): readonly UntrustedContent[] {
  return [...new Map(contents.map((one) => [`${one.source} ${one.summary ?? ''}`, one])).values()];
}

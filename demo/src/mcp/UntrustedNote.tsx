import type { AgentSession, ToolPart } from 'brooklet';
import { untrustedContent, type UntrustedContent } from 'brooklet/tools';
import { type ReactElement, useMemo } from 'react';
import { titleOf } from '../texts/titleOf.ts';
import { serverLabelOf } from './servers.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { holding, trust } from '../trust/holding.ts';
import '../styles/extensions.css';

interface UntrustedNoteProps {
  readonly session: AgentSession;
  readonly call: ToolPart;
}

/** Sources that are listed. The rest is counted. */
const most = 5;

/**
 * For the card of a call that waits: which untrusted content the model had read before. `null` where there was none, for a question, and where
 * the user has switched the rule off.
 */
export function UntrustedNote({ session, call }: UntrustedNoteProps): ReactElement | null {
  const texts = useAllTexts();
  const { trust: words } = texts;
  const { approval, callId } = call;
  const isHeld = approval?.cause === 'untrusted';
  const isAsked = isHeld || (holding.get() && approval?.elicitation === undefined);
  const before = useMemo(
    () => (isAsked ? distinct(untrustedContent(session.getMessages(), { ...trust, callId })) : []),
    [isAsked, session, callId],
  );
  if (before.length === 0) return null;

  const describe = ({ origin, summary }: UntrustedContent): string => {
    switch (origin.type) {
      case 'tool':
      case 'interface': {
        const server = serverLabelOf(origin);
        const title = titleOf(texts, origin.name);
        const tool = server === undefined ? title : words.toolOf(title, server);
        return [origin.type === 'tool' ? tool : words.fromInterface(tool), summary].filter(Boolean).join(': ');
      }
      case 'provider':
        return words.fromProvider;
      default:
        return words.fromAttachment;
    }
  };
  return (
    <details className={isHeld ? 'held is-held' : 'held'} open={isHeld}>
      <summary>
        <Icon name={isHeld ? 'alert' : 'chevron'} />
        <span>{isHeld ? words.held : words.before(before.length)}</span>
      </summary>
      <ul aria-label={words.cameBefore}>
        {before.slice(-most).map((content) => (
          <li key={JSON.stringify(content)}>
            <bdi>{describe(content)}</bdi>
          </li>
        ))}
      </ul>
      {before.length > most && <p className="hint">{words.more(before.length - most)}</p>}
    </details>
  );
}

/** Returns one entry for each tool of a server, each interface and each summary, the latest last. */
function distinct(contents: readonly UntrustedContent[]): readonly UntrustedContent[] {
  const keyOf = ({ origin, summary }: UntrustedContent): string => {
    const { type, name, server } = { name: '', server: '', ...origin };
    return JSON.stringify([type, name, server, summary]);
  };
  return [...new Map(contents.map((one) => [keyOf(one), one])).values()];
}

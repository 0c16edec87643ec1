import type { AgentSession, Part } from 'brooklet';
import { memo, type ReactElement } from 'react';
import { ExternalLink } from '../markdown/ExternalLink.tsx';
import { Markdown } from '../markdown/Markdown.tsx';
import { FallbackNote } from './FallbackNote.tsx';
import { Media } from './Media.tsx';
import { Reasoning } from './Reasoning.tsx';
import { ToolCard } from './ToolCard.tsx';

interface MessagePartProps {
  readonly session: AgentSession;
  readonly part: Part;
  /** Whether more of it may come. */
  readonly isGrowing: boolean;
}

export const MessagePart = memo(function MessagePart({
  session,
  part,
  isGrowing,
}: MessagePartProps): ReactElement | null {
  switch (part.type) {
    case 'text':
      return <Markdown text={part.text} />;
    case 'reasoning':
      return part.text.trim() === '' ? null : <Reasoning text={part.text} isGrowing={isGrowing} />;
    case 'tool':
      return <ToolCard session={session} call={part} />;
    case 'image':
    case 'audio':
    case 'file':
      return <Media part={part} />;
    case 'source':
      return (
        <p className="source">
          <ExternalLink url={part.url}>{part.title ?? part.url}</ExternalLink>
        </p>
      );
    case 'provider':
      if (part.name === 'brooklet.fallback') return <FallbackNote data={part.data} />;
      // Where something ran at the provider is for its next request, and nothing to read.
      if (part.name === 'anthropic.container') return null;
      return (
        <p className="source">
          The provider used <code>{part.name}</code>.
        </p>
      );
  }
});

import type { AgentSession, Part } from 'brooklet';
import { memo, type ReactElement, Suspense } from 'react';
import { ExternalLink } from '../markdown/ExternalLink.tsx';
import { Markdown } from '../markdown/Markdown.tsx';
import { ToolCard } from '../shell/rooms.ts';
import { useTexts } from '../texts/useTexts.ts';
import { FallbackNote } from './FallbackNote.tsx';
import { Media } from './Media.tsx';
import { Reasoning } from './Reasoning.tsx';

interface MessagePartProps {
  readonly session: AgentSession;
  readonly part: Part;
  /** Whether the part still streams. */
  readonly isGrowing: boolean;
  /** Whether the part still streams, or was cut off. */
  readonly isUnfinished: boolean;
}

/** One part of a message. Rendered only when this part changes. */
export const MessagePart = memo(function MessagePart({
  session,
  part,
  isGrowing,
  isUnfinished,
}: MessagePartProps): ReactElement | null {
  switch (part.type) {
    case 'text':
      return <Markdown text={part.text} isUnfinished={isUnfinished} />;
    case 'reasoning':
      return part.text.trim() === '' ? null : <Reasoning part={part} isGrowing={isGrowing} />;
    case 'tool':
      return (
        <Suspense fallback={<div className="tool loading" />}>
          <ToolCard session={session} call={part} />
        </Suspense>
      );
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
      // The id of a container is for the next request only: there is nothing to show.
      if (part.name === 'anthropic.container') return null;
      return <ProviderNote name={part.name} />;
  }
});

function ProviderNote({ name }: { readonly name: string }): ReactElement {
  const { message: words } = useTexts();
  return <p className="source">{words.provider(name)}</p>;
}

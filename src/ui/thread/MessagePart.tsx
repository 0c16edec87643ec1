import { memo, type ReactElement, type ReactNode } from 'react';
import { CallView } from '../call/CallView.tsx';
import type { Message, Part } from '../../core/model/index.ts';
import { useLabels } from '../labels/useLabels.ts';
import { Link } from '../markdown/Link.tsx';
import { Markdown } from '../markdown/Markdown.tsx';
import { useParts } from '../parts.ts';
import { Media } from './Media.tsx';
import { Reasoning } from './Reasoning.tsx';
import { useThread } from './threadContext.ts';

interface MessagePartProps {
  readonly message: Message;
  readonly content: Part;
  /** Whether the part still streams. */
  readonly isGrowing: boolean;
  /** Whether the part still streams, or was cut off. */
  readonly isUnfinished: boolean;
}

/** One part of a message, as the page shows it or as usual. */
export function MessagePart({ message, ...props }: MessagePartProps): ReactNode {
  const own = useThread()?.renderPart?.(props.content, message);
  return own === undefined ? <UsualPart {...props} /> : own;
}

/** Rendered only when this part changes: a message that grows has parts that do not. */
const UsualPart = memo(function UsualPart(props: Omit<MessagePartProps, 'message'>): ReactElement | null {
  const { content, isGrowing, isUnfinished } = props;
  const words = useLabels('message', undefined);
  const markdown = useLabels('markdown', undefined);
  const { Markdown: Text = Markdown } = useParts();
  switch (content.type) {
    case 'text':
      return <Text text={content.text} isUnfinished={isUnfinished} />;
    case 'reasoning':
      return content.text.trim() === '' ? null : <Reasoning content={content} isGrowing={isGrowing} />;
    case 'tool':
      return <CallView call={content} />;
    case 'image':
    case 'audio':
    case 'file':
      return <Media part={content} />;
    case 'source':
      return (
        <p className="bk-source">
          <Link url={content.url} labels={markdown} onLink={undefined} text={content.title ?? content.url}>
            {content.title ?? content.url}
          </Link>
        </p>
      );
    case 'provider':
      // Names with a dot are of this package, or only for the next request.
      return content.name.includes('.') ? null : <p className="bk-source">{words.provider(content.name)}</p>;
  }
});

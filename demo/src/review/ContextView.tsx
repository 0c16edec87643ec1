import type { Review, ReviewCompaction } from 'brooklet/review';
import { type ReactElement, useMemo, useState } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { Fact, Facts } from './Facts.tsx';
import { formatCount, formatTime } from './format.ts';
import { Listing } from './Listing.tsx';
import { MessageTexts } from './MessageTexts.tsx';
import { MomentLink } from './MomentLink.tsx';

/** The compactions, with what the model saw before and after. */
export function ContextView({ review }: { readonly review: Review }): ReactElement {
  const words = useReviewTexts();
  return (
    <Listing
      name={words.views.context}
      items={review.compactions}
      empty={words.context.none}
      render={(compaction) => <CompactionRow key={compaction.compactionId} compaction={compaction} />}
    />
  );
}

function CompactionRow({ compaction }: { readonly compaction: ReviewCompaction }): ReactElement {
  const texts = useReviewTexts();
  const { context: words } = texts;
  const [isOpen, setIsOpen] = useState(false);
  const { seq, at, cause, strategy, summary, tokens, undoneSeq } = compaction;
  const share = tokens.before > 0 ? Math.round((1 - tokens.after / tokens.before) * 100) : 0;
  return (
    <li className="card">
      <header className="card-top">
        <h3>
          <MomentLink seq={seq}>{words.name}</MomentLink>
        </h3>
        <span className="pill">{share > 0 ? words.shorter(share) : words.notShorter}</span>
        <span className="hint">
          #{seq} · {formatTime(texts, at)}
        </span>
      </header>
      <Facts>
        <Fact name={words.why}>{words.causes[cause]}</Fact>
        <Fact name={words.strategy}>{strategy}</Fact>
        <Fact name={words.before}>{texts.tokens(formatCount(texts, tokens.before))}</Fact>
        <Fact name={words.after}>{texts.tokens(formatCount(texts, tokens.after))}</Fact>
        {undoneSeq !== undefined && (
          <Fact name={words.undone}>
            <MomentLink seq={undoneSeq} />
          </Fact>
        )}
      </Facts>
      {summary !== undefined && <blockquote className="summary">{summary}</blockquote>}
      <details className="request-part" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>{words.saw}</summary>
        {isOpen && <BeforeAndAfter compaction={compaction} />}
      </details>
    </li>
  );
}

function BeforeAndAfter({ compaction }: { readonly compaction: ReviewCompaction }): ReactElement {
  const { context: words } = useReviewTexts();
  const { before, after } = useMemo(() => ({ before: compaction.before, after: compaction.after }), [compaction]);
  return (
    <div className="side-by-side">
      <figure>
        <figcaption>{words.messagesBefore(before.length)}</figcaption>
        <MessageTexts messages={before} />
      </figure>
      <figure>
        <figcaption>{words.messagesAfter(after.length)}</figcaption>
        <MessageTexts messages={after} />
      </figure>
    </div>
  );
}

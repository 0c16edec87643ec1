import type { Review, ReviewCompaction } from 'brooklet/review';
import { type ReactElement, useMemo, useState } from 'react';
import { Fact, Facts } from './Facts.tsx';
import { formatCount, formatTime } from './format.ts';
import { Listing } from './Listing.tsx';
import { MessageTexts } from './MessageTexts.tsx';
import { MomentLink } from './MomentLink.tsx';

const causes: Readonly<Record<ReviewCompaction['cause'], string>> = {
  trigger: 'the next request would have been too long',
  overflow: 'the provider refused a request as too long',
  user: 'the user asked for it',
};

/** The compactions, with what the model saw before and after. */
export function ContextView({ review }: { readonly review: Review }): ReactElement {
  return (
    <Listing
      name="Compactions"
      items={review.compactions}
      empty="Nothing was compacted: the model saw every message."
      render={(compaction) => <CompactionRow key={compaction.compactionId} compaction={compaction} />}
    />
  );
}

function CompactionRow({ compaction }: { readonly compaction: ReviewCompaction }): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  const { seq, at, cause, strategy, summary, tokens, undoneSeq } = compaction;
  const share = tokens.before > 0 ? Math.round((1 - tokens.after / tokens.before) * 100) : 0;
  return (
    <li className="card">
      <header className="card-top">
        <h3>
          <MomentLink seq={seq}>Compaction</MomentLink>
        </h3>
        <span className="pill">{share > 0 ? `${share} % shorter` : 'not shorter'}</span>
        <span className="hint">
          #{seq} · {formatTime(at)}
        </span>
      </header>
      <Facts>
        <Fact name="Why">{causes[cause]}</Fact>
        <Fact name="Strategy">{strategy}</Fact>
        <Fact name="Before">{formatCount(tokens.before)} tokens</Fact>
        <Fact name="After">{formatCount(tokens.after)} tokens</Fact>
        {undoneSeq !== undefined && (
          <Fact name="Undone">
            <MomentLink seq={undoneSeq} />
          </Fact>
        )}
      </Facts>
      {summary !== undefined && <blockquote className="summary">{summary}</blockquote>}
      <details className="request-part" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>What the model saw before and after</summary>
        {isOpen && <BeforeAndAfter compaction={compaction} />}
      </details>
    </li>
  );
}

function BeforeAndAfter({ compaction }: { readonly compaction: ReviewCompaction }): ReactElement {
  const { before, after } = useMemo(() => ({ before: compaction.before, after: compaction.after }), [compaction]);
  return (
    <div className="side-by-side">
      <figure>
        <figcaption>Before: {before.length} messages</figcaption>
        <MessageTexts messages={before} />
      </figure>
      <figure>
        <figcaption>After: {after.length} messages</figcaption>
        <MessageTexts messages={after} />
      </figure>
    </div>
  );
}

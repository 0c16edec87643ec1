import { type ReactElement, useMemo } from 'react';
import type { Review, ReviewCompaction } from '../../review/index.ts';
import { Card, Pill } from './Card.tsx';
import { Fact, Facts } from './Facts.tsx';
import { Folded } from './Folded.tsx';
import { Listing } from './Listing.tsx';
import { MessageTexts } from './MessageTexts.tsx';
import { MomentLink } from './MomentLink.tsx';
import { useReviewTexts, wordFor } from './reviewTexts.ts';

/** The compactions, with what the model saw before and after. */
export function ContextView({ review }: { readonly review: Review }): ReactElement {
  const { views, context } = useReviewTexts();
  return (
    <Listing
      name={views.context}
      items={review.compactions}
      empty={context.none}
      render={(compaction) => <CompactionRow key={compaction.compactionId} compaction={compaction} />}
    />
  );
}

function CompactionRow({ compaction }: { readonly compaction: ReviewCompaction }): ReactElement {
  const { context: words, facts, formats } = useReviewTexts();
  const { seq, at, cause, strategy, summary, tokens, undoneSeq } = compaction;
  const share = tokens.before > 0 ? Math.round((1 - tokens.after / tokens.before) * 100) : 0;
  return (
    <Card
      seq={seq}
      title={words.name}
      tag={<Pill>{share > 0 ? words.shorter(share) : words.notShorter}</Pill>}
      hint={`#${seq} · ${formats.time(at)}`}
    >
      <Facts>
        <Fact name={words.why}>{wordFor(words.causes, cause)}</Fact>
        <Fact name={words.strategy}>{strategy}</Fact>
        <Fact name={words.before}>{facts.tokensOf(formats.count(tokens.before))}</Fact>
        <Fact name={words.after}>{facts.tokensOf(formats.count(tokens.after))}</Fact>
        {undoneSeq !== undefined && (
          <Fact name={words.undone}>
            <MomentLink seq={undoneSeq} />
          </Fact>
        )}
      </Facts>
      {summary !== undefined && (
        <blockquote className="bk-summary" dir="auto">
          {summary}
        </blockquote>
      )}
      <Folded title={words.saw} render={() => <BeforeAndAfter compaction={compaction} />} />
    </Card>
  );
}

function BeforeAndAfter({ compaction }: { readonly compaction: ReviewCompaction }): ReactElement {
  const { context: words } = useReviewTexts();
  const { before, after } = useMemo(() => ({ before: compaction.before, after: compaction.after }), [compaction]);
  return (
    <div className="bk-side-by-side">
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

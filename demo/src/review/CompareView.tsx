import { useAgent } from 'brooklet/react';
import { compareReviews, createReview, type Review, type ReviewView } from 'brooklet/review';
import { type ReactElement, useState } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { Segments } from '../ui/Segments.tsx';
import { FileButton } from './FileButton.tsx';
import { View } from './Listing.tsx';
import { MomentChangesList } from './MomentChangesList.tsx';
import { readFile } from './readFile.ts';
import { SessionPicker } from './SessionPicker.tsx';
import { StepPairs } from './StepPairs.tsx';

interface CompareViewProps {
  readonly review: Review;
  readonly view: ReviewView;
  readonly sessionId: string | undefined;
  /** The event that was marked for a comparison. */
  readonly marked: number | undefined;
  readonly onMark: (seq: number | undefined) => void;
}

type What = 'moments' | 'sessions';

/** What differs between two moments of the session, or between the session and another one. */
export function CompareView(props: CompareViewProps): ReactElement {
  const { compare: words } = useReviewTexts();
  const [what, setWhat] = useState<What>('moments');
  const whats = [
    { value: 'moments', label: words.moments },
    { value: 'sessions', label: words.sessions },
  ] as const;
  return (
    <View name={words.legend}>
      <div className="compare-choice">
        <Segments legend={words.legend} options={whats} value={what} onChange={setWhat} />
      </div>
      {what === 'moments' ? <Moments {...props} /> : <Sessions {...props} />}
    </View>
  );
}

function Moments({ review, view, marked, onMark }: CompareViewProps): ReactElement {
  const { compare: words } = useReviewTexts();
  return (
    <>
      <p className="hint">{words.hint}</p>
      <div className="compare-bar">
        <button type="button" onClick={() => onMark(view.seq)} aria-keyshortcuts="m">
          {words.mark(view.seq)}
        </button>
        {marked !== undefined && (
          <span>
            {words.from} <strong>#{marked}</strong> {words.to} <strong>#{view.seq}</strong>
          </span>
        )}
        {marked !== undefined && (
          <button type="button" className="quiet" onClick={() => onMark(undefined)}>
            {words.clear}
          </button>
        )}
      </div>
      {marked !== undefined && <MomentChangesList review={review} from={marked} to={view.seq} />}
    </>
  );
}

/** Another session, for the comparison. */
interface Other {
  readonly title: string;
  readonly review: Review;
}

function Sessions({ review, sessionId }: CompareViewProps): ReactElement {
  const { compare: words, open: openWords, untitled } = useReviewTexts();
  const { store } = useAgent();
  const [other, setOther] = useState<Other>();
  const [problem, setProblem] = useState<string>();

  const open = (loading: Promise<Other>): void => {
    setProblem(undefined);
    loading.then(setOther, (thrown: unknown) => setProblem(thrown instanceof Error ? thrown.message : String(thrown)));
  };

  const openFile = async (file: File): Promise<Other> => ({
    title: file.name,
    review: createReview((await readFile(file, openWords)).events),
  });

  const openStored = async (id: string): Promise<Other> => {
    const stored = await store?.read(id);
    if (stored === undefined) throw new Error(words.gone);
    return { title: stored.summary.title || untitled, review: createReview(stored.events) };
  };

  return (
    <>
      <div className="compare-bar">
        <SessionPicker label={words.with} except={sessionId} onPick={(id) => open(openStored(id))} />
        <FileButton label={words.withFile} onFile={(file) => open(openFile(file))} />
      </div>
      {problem !== undefined && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      {other && <StepPairs changes={compareReviews(review, other.review)} title={other.title} />}
    </>
  );
}

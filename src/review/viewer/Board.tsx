/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Annotation } from '../../core/model/annotation.ts';
import type { Review } from '../create-review.ts';
import type { MaskNotice } from '../../storage/files/mask/options.ts';
import { EventPane } from './EventPane.tsx';
import { maskText } from './format.ts';
import { useKeys } from './use-keys.ts';
import { Notes } from './Notes.tsx';
import { PaneButtons, type PaneName } from './Pane.tsx';
import { SearchBox } from './SearchBox.tsx';
import { SeenPane } from './SeenPane.tsx';
import { SentPane } from './SentPane.tsx';
import { useTexts } from './texts/use-texts.ts';
import { Timeline } from './Timeline.tsx';
import { Transport } from './Transport.tsx';
import { useView } from './use-view.ts';

interface BoardProps {
  readonly review: Review;
  readonly annotations: readonly Annotation[];
  readonly masked?: MaskNotice;
  readonly problem?: string;
}

/** The timeline of the session, and three views of one moment. */
export function Board({ review, annotations, masked, problem }: BoardProps): VNode {
  const texts = useTexts();
  const view = useView(review);
  const search = useRef<HTMLInputElement>(null);
  const [pane, setPane] = useState<PaneName>('seen');
  const [speed, setSpeed] = useState(1);
  useKeys({ review, search, speed });
  useMomentOfAddress(review);
  const step = review.stepAt(view.seq);

  return (
    <div class="board" data-pane={pane}>
      <header class="top">
        <h1>
          <bdi>{view.state.title || document.title}</bdi>
          <small>{texts.readOnly}</small>
        </h1>
        <SearchBox review={review} input={search} />
      </header>
      {problem !== undefined && (
        <p class="strip bad" role="status">
          {texts.damaged(problem)}
        </p>
      )}
      {masked && (
        <p class="strip" role="status">
          {maskText(texts, masked)}
        </p>
      )}
      <section class="time" aria-label={texts.time}>
        <Transport review={review} view={view} speed={speed} onSpeed={setSpeed} />
        <Timeline review={review} view={view} current={step?.index} />
        {annotations.length > 0 && <Notes review={review} annotations={annotations} />}
      </section>
      <nav class="tabs" aria-label={texts.shown}>
        <PaneButtons current={pane} onSelect={setPane} />
      </nav>
      <main class="panes">
        <SeenPane state={view.state} />
        <SentPane step={step} />
        <EventPane review={review} view={view} />
      </main>
    </div>
  );
}

/** Moves to the moment that the address names: `#@12` is event 12. */
function useMomentOfAddress(review: Review): void {
  useEffect(() => {
    const go = (): void => {
      const seq = /^#@(\d+)$/.exec(location.hash)?.[1];
      if (seq !== undefined) review.goTo({ seq: Number(seq) });
    };
    go();
    addEventListener('hashchange', go);
    return () => removeEventListener('hashchange', go);
  }, [review]);
}

import { type AgentError, toAgentError } from 'brooklet';
import { useReview } from 'brooklet/react';
import { type ReactElement, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { FileButton } from '../FileButton.tsx';
import type { OpenedFile } from '../readFile.ts';
import { ReviewBoard } from '../ReviewBoard.tsx';
import { useAnnotations } from '../useAnnotations.ts';
import { goToHref } from '../../base/route.ts';
import { useReviewTexts } from '../../texts/reviewTexts.ts';
import { textFor } from '../../texts/textFor.ts';
import { useAllTexts } from '../../texts/useAllTexts.ts';
import { parseLink, type SharedLink } from './link.ts';
import { loadFile, openShared } from './load.ts';
import '../../styles/review.css';
import '../../styles/dialogs.css';

/** A conversation that somebody has shared by a link: read-only, and nothing of it is stored. */
export function SharedRoom({ path }: { readonly path: string }): ReactElement {
  const { sharing: words } = useAllTexts();
  const link = useMemo(() => parseLink(path), [path]);
  return (
    <>
      {link ? (
        <Shared key={path} link={link} />
      ) : (
        <main className="review-empty">
          <h1>{words.title}</h1>
          <p className="strip" role="alert">
            {words.badLink}
          </p>
          <a href="#/">{words.back}</a>
        </main>
      )}
    </>
  );
}

function Shared({ link }: { readonly link: SharedLink }): ReactElement {
  const { sharing: words } = useAllTexts();
  const { open: fileWords } = useReviewTexts();
  const { address } = link;
  const [opened, setOpened] = useState<OpenedFile>();
  const [error, setError] = useState<AgentError>();
  const [isLoading, setIsLoading] = useState(address !== undefined);

  const open = (loading: Promise<Blob>, signal?: AbortSignal): void => {
    /** Does nothing once the link is no longer shown. */
    const show = (change: () => void): void => (signal?.aborted ? undefined : change());
    setError(undefined);
    setIsLoading(true);
    loading
      .then((blob) => openShared(blob, link, fileWords))
      .then(
        (file) => show(() => setOpened(file)),
        (thrown: unknown) => show(() => setError(toAgentError(thrown))),
      )
      .finally(() => show(() => setIsLoading(false)));
  };
  const load = useEffectEvent((signal: AbortSignal): void => {
    if (address !== undefined) open(loadFile(address, signal), signal);
  });
  useEffect(() => {
    const controller = new AbortController();
    load(controller.signal);
    return () => controller.abort();
  }, []);

  if (opened) return <SharedBoard file={opened} />;
  return (
    <main className="review-empty">
      <h1>{words.title}</h1>
      <p className="hint">{words.readOnly}</p>
      {isLoading && <p className="hint">{words.loading}</p>}
      {error && (
        <p className="strip" role="alert">
          {textFor(words.problems, error.code) ?? error.message}
        </p>
      )}
      {!isLoading && (
        <div className="file-drop review-drop">
          <strong>{words.chooseFile}</strong>
          <span className="hint">{words.chooseHint}</span>
          <FileButton
            label={words.choose}
            isPrimary
            accept=".brooklet"
            onFile={(file) => open(Promise.resolve(file))}
          />
        </div>
      )}
      <a href="#/">{words.back}</a>
    </main>
  );
}

function SharedBoard({ file }: { readonly file: OpenedFile }): ReactElement | null {
  const { review, view } = useReview(file.events);
  const notes = useAnnotations({ store: undefined, sessionId: undefined, inFile: file.annotations });
  if (!review || !view) return null;
  return (
    <ReviewBoard
      review={review}
      source={file.sessions}
      sessionId={undefined}
      problem={file.problem}
      notes={notes}
      onLeave={() => goToHref('#/review')}
    />
  );
}

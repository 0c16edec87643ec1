import type { ReactElement } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import type { ImportState } from './useImport.ts';

interface ImportProgressBarProps {
  readonly state: ImportState;
  readonly onStop: () => void;
  readonly onGoOn: () => void;
}

/** How far an import is, with a button that stops it, or one that goes on after a stop. */
export function ImportProgressBar({ state, onStop, onGoOn }: ImportProgressBarProps): ReactElement {
  const { importing: words } = useAllTexts();
  const progress = state.is === 'working' ? state.progress : undefined;
  const isStoring = progress?.step === 'store';
  const label = isStoring ? words.storing(progress.done, progress.total) : words.reading;
  return (
    <>
      <output className="hint">
        {state.is === 'working' && label}
        {state.is === 'stopped' && words.stopped(state.done)}
      </output>
      {state.is === 'working' && (
        <div className="import-progress">
          <progress
            aria-label={isStoring ? words.title : words.reading}
            max={progress?.total || 1}
            {...(progress && { value: progress.done })}
          />
          <button type="button" onClick={onStop}>
            {words.stop}
          </button>
        </div>
      )}
      {state.is === 'stopped' && (
        <div className="modal-verbs">
          <button type="button" className="primary" onClick={onGoOn}>
            {words.goOn}
          </button>
        </div>
      )}
    </>
  );
}

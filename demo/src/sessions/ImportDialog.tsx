import { useAgent } from 'brooklet/react';
import { Segments } from 'brooklet/ui';
import { type ReactElement, useEffect, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { showToast } from '../toast/toasts.ts';
import { FileDrop } from '../ui/FileDrop.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Modal } from '../ui/Modal.tsx';
import { HistoryPreview } from './HistoryPreview.tsx';
import { ImportPreview } from './ImportPreview.tsx';
import { ImportProgressBar } from './ImportProgressBar.tsx';
import { type Conflict, type ImportState, isStored, useImport } from './useImport.ts';

interface ImportDialogProps {
  /** A file that was dropped. */
  readonly file: File | undefined;
  readonly onClose: () => void;
}

/**
 * Imports a file of conversations, of this app or of another program: first a report of what would happen, then, on request, the import,
 * which can be stopped.
 */
export function ImportDialog({ file: dropped, onClose }: ImportDialogProps): ReactElement {
  const { importing: words, toast, common } = useAllTexts();
  const { store } = useAgent();
  const [file, setFile] = useState(dropped);
  const [conflict, setConflict] = useState<Conflict>('skip');
  const [restoreRemoved, setRestoreRemoved] = useState(false);
  const { state, check, store: storeFile, stop } = useImport(store);

  useEffect(() => {
    if (file) void check(file, { conflict, restoreRemoved });
  }, [file, conflict, restoreRemoved, check]);

  const run = async (): Promise<void> => {
    const stored = file && (await storeFile(file, { conflict, restoreRemoved }));
    if (stored === undefined) return;
    onClose();
    showToast(toast.imported(stored));
  };

  const goOn = (): void => {
    if (state.is === 'stopped' && state.isStoring) void run();
    else if (file) void check(file, { conflict, restoreRemoved });
  };

  const count = toStore(state);
  const hasRemoved = state.is === 'history' && state.report.conversations.some(({ result }) => result === 'removed');
  return (
    <Modal title={words.title} onClose={onClose}>
      <button type="button" className="quiet small modal-close" aria-label={common.close} onClick={onClose}>
        <Icon name="close" />
      </button>
      {!file && (
        <FileDrop
          title={words.choose}
          hint={words.chooseHint}
          accept=".jsonl,.json,.zip,application/jsonl,application/json,application/zip"
          onFile={setFile}
        />
      )}
      {file && (
        <p className="import-file">
          <Icon name="file" />
          <bdi>{file.name}</bdi>
          <button type="button" className="link" onClick={() => setFile(undefined)}>
            {words.otherFile}
          </button>
        </p>
      )}
      {file && <ImportProgressBar state={state} onStop={stop} onGoOn={goOn} />}
      {state.is === 'failed' && (
        <p className="bad" role="alert">
          {state.error.message}
        </p>
      )}
      {state.is === 'unknown' && (
        <p className="bad" role="alert">
          {words.unknown}
        </p>
      )}
      {file && state.is === 'checked' && <ImportPreview report={state.report} />}
      {file && state.is === 'history' && <HistoryPreview report={state.report} />}
      {file && count !== undefined && (
        <>
          {state.is === 'checked' && (
            <Segments
              legend={words.conflict}
              options={[
                { value: 'skip', label: words.skip },
                { value: 'copy', label: words.copy },
                { value: 'replace', label: words.replace },
              ]}
              value={conflict}
              onChange={setConflict}
            />
          )}
          {state.is === 'history' && (hasRemoved || restoreRemoved) && (
            <label className="import-restore">
              <input
                type="checkbox"
                checked={restoreRemoved}
                onChange={(event) => setRestoreRemoved(event.target.checked)}
              />
              {words.restore}
            </label>
          )}
          <p className="hint">
            {state.is === 'history' && `${words.again} `}
            {words.safe}
          </p>
          <div className="modal-verbs">
            <button type="button" onClick={onClose}>
              {common.cancel}
            </button>
            <button type="button" className="primary" disabled={count === 0} onClick={() => void run()}>
              {words.run(count)}
            </button>
          </div>
        </>
      )}
    </Modal>
  );
}

/** Returns the number of conversations that an import would store; `undefined` before the file was checked, and where it has problems. */
function toStore(state: ImportState): number | undefined {
  if (state.is === 'history') return state.report.conversations.filter(({ result }) => isStored(result)).length;
  if (state.is !== 'checked' || state.report.problems.length > 0 || state.report.sessions === 0) return undefined;
  return state.report.imported.filter(({ result }) => result !== 'skipped').length;
}

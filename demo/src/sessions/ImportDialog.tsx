import { useAgent } from 'brooklet/react';
import { type ReactElement, useEffect, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { showToast } from '../toast/toasts.ts';
import { FileDrop } from '../ui/FileDrop.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Modal } from '../ui/Modal.tsx';
import { Segments } from '../ui/Segments.tsx';
import { ImportPreview } from './ImportPreview.tsx';
import { type Conflict, useImport } from './useImport.ts';

interface ImportDialogProps {
  /** A file that was dropped. */
  readonly file: File | undefined;
  readonly onClose: () => void;
}

/** Imports a file of conversations: first a report of what would happen, then, on request, the import. */
export function ImportDialog({ file: dropped, onClose }: ImportDialogProps): ReactElement {
  const { importing: words, toast, common } = useAllTexts();
  const { store } = useAgent();
  const [file, setFile] = useState(dropped);
  const [conflict, setConflict] = useState<Conflict>('skip');
  const { state, check, store: storeFile } = useImport(store);

  useEffect(() => {
    if (file) void check(file, conflict);
  }, [file, conflict, check]);

  const report = state.is === 'checked' ? state.report : undefined;
  const stored = report?.imported.filter(({ result }) => result !== 'skipped').length ?? 0;

  const run = async (): Promise<void> => {
    if (!file || !(await storeFile(file, conflict))) return;
    onClose();
    showToast(toast.imported(stored));
  };

  return (
    <Modal title={words.title} onClose={onClose}>
      <button type="button" className="quiet small modal-close" aria-label={common.close} onClick={onClose}>
        <Icon name="close" />
      </button>
      {!file && (
        <FileDrop
          title={words.choose}
          hint={words.chooseHint}
          accept=".jsonl,.json,application/jsonl"
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
      <output className="hint">{state.is === 'working' && words.reading}</output>
      {state.is === 'failed' && (
        <p className="bad" role="alert">
          {state.error.message}
        </p>
      )}
      {file && report && <ImportPreview report={report} />}
      {file && report && report.problems.length === 0 && report.sessions > 0 && (
        <>
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
          <p className="hint">{words.safe}</p>
          <div className="modal-verbs">
            <button type="button" onClick={onClose}>
              {common.cancel}
            </button>
            <button
              type="button"
              className="primary"
              disabled={stored === 0 || state.is === 'working'}
              onClick={() => void run()}
            >
              {words.run(stored)}
            </button>
          </div>
        </>
      )}
    </Modal>
  );
}

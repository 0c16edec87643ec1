import { type ReactElement, useCallback, useEffect, useState } from 'react';
import { messageOf } from '../base/messageOf.ts';
import { formatBytes } from '../texts/format.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { FileView } from './FileView.tsx';
import { type ListedFile, listFiles } from './listFiles.ts';

/** The files of the workspace. A click opens a file. */
export function FileList(): ReactElement {
  const texts = useAllTexts();
  const { workspace: words } = texts;
  const [files, setFiles] = useState<readonly ListedFile[]>();
  const [problem, setProblem] = useState<string>();
  const [opened, setOpened] = useState<string>();

  const load = useCallback(() => {
    setProblem(undefined);
    listFiles().then(setFiles, (thrown: unknown) => setProblem(messageOf(thrown)));
  }, []);
  useEffect(load, [load]);

  if (opened !== undefined) return <FileView path={opened} onClose={() => setOpened(undefined)} />;
  return (
    <>
      <div className="with-button">
        <h3>{words.files}</h3>
        <button type="button" className="quiet small" aria-label={words.refresh} title={words.refresh} onClick={load}>
          <Icon name="refresh" />
        </button>
      </div>
      {problem !== undefined && (
        <p className="hint bad" role="alert">
          {problem}
        </p>
      )}
      {files?.length === 0 && <p className="hint">{words.empty}</p>}
      {files && files.length > 0 && (
        <ul className="file-list" aria-label={words.files}>
          {files.map(({ path, size }) => (
            <li key={path}>
              <button type="button" onClick={() => setOpened(path)}>
                <Icon name="file" />
                <bdi>{path}</bdi>
                <small>{formatBytes(texts, size)}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

import { type ReactElement, useEffect, useRef, useState } from 'react';
import { messageOf } from '../base/messageOf.ts';
import { download } from '../base/transfer.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { openFile } from './listFiles.ts';
import '../styles/tools.css';

/** Characters of a file that are shown. */
const longest = 200_000;

/** A text file of the workspace, to read and to save elsewhere. */
export function FileView({ path, onClose }: { readonly path: string; readonly onClose: () => void }): ReactElement {
  const { workspace: words } = useAllTexts();
  const [file, setFile] = useState<File>();
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const back = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    let isMounted = true;
    back.current?.focus();
    openFile(path)
      .then(async (found) => {
        const content = await found.text();
        if (!isMounted) return;
        setFile(found);
        setText(content.slice(0, longest));
      })
      .catch((thrown: unknown) => isMounted && setProblem(messageOf(thrown)));
    return () => {
      isMounted = false;
    };
  }, [path]);

  return (
    <>
      <div className="with-button">
        <button ref={back} type="button" className="quiet small" onClick={onClose}>
          <Icon name="stepBack" />
          <span>{words.files}</span>
        </button>
        {file && (
          <button type="button" className="quiet small" onClick={() => download(file)}>
            <Icon name="download" />
            <span>{words.save}</span>
          </button>
        )}
      </div>
      <h3>
        <bdi>{path}</bdi>
      </h3>
      {problem !== undefined && (
        <p className="hint bad" role="alert">
          {problem}
        </p>
      )}
      {text?.includes('\0') === true && <p className="hint">{words.binary}</p>}
      {text !== undefined && !text.includes('\0') && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
        <pre className="json file-text" tabIndex={0} aria-label={path}>
          {text}
        </pre>
      )}
      {file && file.size > longest && <p className="hint">{words.cut}</p>}
    </>
  );
}

import type { ReactElement } from 'react';
import { Icon } from '../ui/Icon.tsx';
import type { Attachments } from './useAttachments.ts';
import { useTexts } from '../texts/useTexts.ts';

/** The files of the message that the user writes, and why others were not attached. */
export function AttachmentList({ attachments }: { readonly attachments: Attachments }): ReactElement | null {
  const { composer: words } = useTexts();
  const { files, problems, remove } = attachments;
  return (
    <>
      {problems.length > 0 && (
        <div className="attachment-problems bad" role="alert">
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      )}
      {files.length > 0 && (
        <ul className="attachments" aria-label={words.attachments}>
          {files.map(({ id, name, preview }) => (
            <li key={id}>
              {preview === undefined ? <Icon name="file" /> : <img src={preview} alt="" />}
              <bdi className="attachment-name" title={name}>
                {name}
              </bdi>
              <button
                type="button"
                className="quiet small"
                aria-label={words.removeFile(name)}
                title={words.removeFile(name)}
                onClick={() => remove(id)}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

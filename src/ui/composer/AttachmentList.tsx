import type { ReactElement } from 'react';
import { Icon } from '../base/Icon.tsx';
import { IconButton } from '../base/IconButton.tsx';
import type { Labels } from '../labels/english.ts';
import type { ComposerProps } from '../props.ts';
import type { Attachments } from './useAttachments.ts';
import { visible } from '../base/visible.ts';

interface AttachmentListProps {
  readonly attachments: Attachments;
  readonly tokensOf: ComposerProps['tokensOf'];
  readonly labels: Labels['composer'];
}

/** The files of the message that the person writes, and why others were not attached. */
export function AttachmentList({ attachments, tokensOf, labels }: AttachmentListProps): ReactElement {
  const { files, problems, remove } = attachments;
  return (
    <>
      {problems.length > 0 && (
        <div className="bk-bad" role="alert">
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      )}
      {files.length > 0 && (
        <ul className="bk-attachments" aria-label={labels.attachments}>
          {files.map((file) => (
            <li key={file.key}>
              {file.preview === undefined ? <Icon name="file" /> : <img src={file.preview} alt="" />}
              <span>
                <bdi title={file.name}>{visible(file.name)}</bdi>
                {tokensOf && <small>{labels.tokens(tokensOf(file.part))}</small>}
              </span>
              <IconButton icon="close" label={labels.remove(file.name)} onClick={() => remove([file])} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

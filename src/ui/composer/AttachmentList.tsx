import { type ReactElement, useState } from 'react';
import { isText, textOf } from '../base/bytesOf.ts';
import { Icon } from '../base/Icon.tsx';
import { IconButton } from '../base/IconButton.tsx';
import type { Labels } from '../labels/english.ts';
import type { ComposerProps } from '../props.ts';
import { FileText, Viewer } from '../thread/Viewer.tsx';
import type { Attachment, Attachments } from './useAttachments.ts';
import { visible } from '../base/visible.ts';

interface AttachmentListProps extends Pick<ComposerProps, 'tokensOf' | 'maxTokens'> {
  readonly attachments: Attachments;
  /** Puts the text of which a file was made into the field. */
  readonly onText: (text: string) => void;
  /** Called when the button that was pressed is gone. */
  readonly onDone: () => void;
  readonly labels: Labels['composer'];
}

/** The files of the message that the person writes, and why others were not attached. */
export function AttachmentList(props: AttachmentListProps): ReactElement {
  const { attachments, tokensOf, maxTokens = Infinity, onText, onDone, labels } = props;
  const { files, problems, remove, cut } = attachments;
  const [opened, setOpened] = useState<Attachment>();
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
          {files.map((file) => {
            const tokens = tokensOf?.(file.part);
            const isTooLong = tokens !== undefined && tokens > maxTokens;
            const removeIt = (): void => {
              remove([file]);
              onDone();
            };
            return (
              <li key={file.key} data-state={isTooLong ? 'long' : undefined}>
                {file.preview === undefined ? <Icon name="file" /> : <img src={file.preview} alt="" />}
                <span>
                  <Name file={file} labels={labels} onOpen={() => setOpened(file)} />
                  {tokens !== undefined && (
                    <small role={isTooLong ? 'alert' : undefined}>
                      {isTooLong ? labels.manyTokens(tokens, maxTokens) : labels.tokens(tokens)}
                      {file.isCut === true && ` · ${labels.isFirstPart}`}
                    </small>
                  )}
                </span>
                {isTooLong && isText(file.part) && (
                  <button type="button" className="bk-button" onClick={() => cut(file, tokens, maxTokens)}>
                    {labels.firstPart}
                  </button>
                )}
                {isTooLong && (
                  <button type="button" className="bk-button" onClick={removeIt}>
                    {labels.removeFile}
                  </button>
                )}
                {file.pasted !== undefined && (
                  <button
                    type="button"
                    className="bk-button"
                    onClick={() => {
                      onText(file.pasted ?? '');
                      removeIt();
                    }}
                  >
                    {labels.asText}
                  </button>
                )}
                <IconButton icon="close" label={labels.remove(file.name)} onClick={removeIt} />
              </li>
            );
          })}
        </ul>
      )}
      {opened && (
        <Viewer title={visible(opened.name)} onClose={() => setOpened(undefined)}>
          {opened.preview === undefined ? (
            <FileText text={textOf(opened.part) ?? ''} />
          ) : (
            <img src={opened.preview} alt={visible(opened.name)} />
          )}
        </Viewer>
      )}
    </>
  );
}

interface NameProps {
  readonly file: Attachment;
  readonly labels: Labels['composer'];
  readonly onOpen: () => void;
}

/** The name of a file. A picture and a text can be looked at before they are sent. */
function Name({ file, labels, onOpen }: NameProps): ReactElement {
  const name = <bdi title={file.name}>{visible(file.name)}</bdi>;
  if (file.preview === undefined && !isText(file.part)) return name;
  return (
    <button type="button" className="bk-link-button" title={labels.open(file.name)} onClick={onOpen}>
      {name}
    </button>
  );
}

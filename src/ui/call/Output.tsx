import type { ReactElement } from 'react';
import { Icon } from '../base/Icon.tsx';
import { extractTextContent, isParts, type Part, type ToolDetails, type ToolPart } from '../../core/model/index.ts';
import { useLabels } from '../labels/useLabels.ts';
import { useParts } from '../parts.ts';
import { Media } from '../thread/Media.tsx';
import { Code } from './Code.tsx';
import { Diff } from './Diff.tsx';
import { maxFiles } from './limits.ts';
import { visible } from '../base/visible.ts';

/** The result of a call: as its tool presents it, else its parts, its text, or JSON. */
export function Output({ call }: { readonly call: ToolPart }): ReactElement {
  const { details, output } = call;
  if (details) return <Details details={details} />;
  if (isParts(output)) return <Parts parts={output} />;
  return <Code text={typeof output === 'string' ? output : JSON.stringify(output, null, 2)} />;
}

function Parts({ parts }: { readonly parts: readonly Part[] }): ReactElement {
  const text = extractTextContent(parts);
  return (
    <>
      {text !== '' && <Code text={text} />}
      {parts.map((content, index) =>
        // The parts of a result do not change, so the index is a stable key.
        'mediaType' in content ? <Media key={index} part={content} /> : null,
      )}
    </>
  );
}

function Details({ details }: { readonly details: ToolDetails }): ReactElement {
  const { Diff: Change = Diff } = useParts();
  switch (details.type) {
    case 'text':
      return <Code text={details.text} />;
    case 'json':
      return <Code text={JSON.stringify(details.value, null, 2)} />;
    case 'fileList':
      return <FileList files={details.files} />;
    case 'commandOutput':
      return <CommandOutput {...details} />;
    case 'diff':
      return <Change before={details.oldContent} after={details.newContent} name={details.filePath} />;
    case 'image':
      return <Media part={details} />;
  }
}

function FileList({ files }: { readonly files: readonly string[] }): ReactElement {
  const words = useLabels('tool', undefined);
  if (files.length === 0) return <p className="bk-hint">{words.noFiles}</p>;
  return (
    <>
      <ul className="bk-file-list">
        {files.slice(0, maxFiles).map((file) => (
          <li key={file}>
            <Icon name="file" />
            <bdi>{visible(file)}</bdi>
          </li>
        ))}
      </ul>
      {files.length > maxFiles && <p className="bk-hint">{words.moreFiles(files.length - maxFiles)}</p>}
    </>
  );
}

function CommandOutput({ stdout, stderr, exitCode }: Extract<ToolDetails, { type: 'commandOutput' }>): ReactElement {
  const words = useLabels('tool', undefined);
  return (
    <>
      {stdout !== '' && <Code text={stdout} />}
      {stderr !== '' && (
        <div role="group" aria-label={words.errors}>
          <Code text={stderr} state="bad" />
        </div>
      )}
      <p className={exitCode === 0 ? 'bk-good' : 'bk-bad'}>{words.exitCode(exitCode)}</p>
    </>
  );
}

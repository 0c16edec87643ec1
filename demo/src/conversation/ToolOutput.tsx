import type { ToolPart } from 'brooklet';
import type { ToolDetails } from 'brooklet/core';
import type { ReactElement } from 'react';
import { Icon } from '../ui/Icon.tsx';
import { Diff } from './Diff.tsx';
import { Media } from './Media.tsx';
import { useTexts } from '../texts/useTexts.ts';

/** The result of a call: as its tool presents it, else as text or JSON. */
export function ToolOutput({ call }: { readonly call: ToolPart }): ReactElement {
  if (call.details) return <Details details={call.details} />;
  return (
    <pre className="json">{typeof call.output === 'string' ? call.output : JSON.stringify(call.output, null, 2)}</pre>
  );
}

function Details({ details }: { readonly details: ToolDetails }): ReactElement {
  switch (details.type) {
    case 'text':
      return <pre className="json">{details.text}</pre>;
    case 'json':
      return <pre className="json">{JSON.stringify(details.value, null, 2)}</pre>;
    case 'fileList':
      return <FileList files={details.files} />;
    case 'commandOutput':
      return <CommandOutput {...details} />;
    case 'diff':
      return <Diff details={details} />;
    case 'image':
      return <Media part={details} />;
  }
}

function FileList({ files }: { readonly files: readonly string[] }): ReactElement {
  const { tool: text } = useTexts();
  if (files.length === 0) return <p className="hint">{text.noFiles}</p>;
  return (
    <ul className="files">
      {files.map((file) => (
        <li key={file}>
          <Icon name="file" />
          <bdi>{file}</bdi>
        </li>
      ))}
    </ul>
  );
}

function CommandOutput({ stdout, stderr, exitCode }: Extract<ToolDetails, { type: 'commandOutput' }>): ReactElement {
  const { tool: text } = useTexts();
  return (
    <div className="command">
      {stdout !== '' && <pre className="json">{stdout}</pre>}
      {stderr !== '' && (
        <pre className="json errors" aria-label={text.errors}>
          {stderr}
        </pre>
      )}
      <p className={exitCode === 0 ? 'exit good' : 'exit bad'}>
        <Icon name={exitCode === 0 ? 'check' : 'alert'} />
        {text.exitCode(exitCode)}
      </p>
    </div>
  );
}

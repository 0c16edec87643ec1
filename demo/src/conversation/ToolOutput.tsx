import type { ToolDetails, ToolPart } from 'brooklet';
import type { ReactElement } from 'react';
import { Media } from './Media.tsx';

/** A result as its tool presents it, else as it is. */
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
      return <pre className="json">{details.files.join('\n')}</pre>;
    case 'commandOutput':
      return (
        <pre className="json">
          {[details.stdout, details.stderr, `exit code ${details.exitCode}`].filter((text) => text !== '').join('\n')}
        </pre>
      );
    case 'diff':
      return (
        <>
          <p>{details.filePath}</p>
          <pre className="json removed">{details.oldContent}</pre>
          <pre className="json added">{details.newContent}</pre>
        </>
      );
    case 'image':
      return <Media part={details} />;
  }
}

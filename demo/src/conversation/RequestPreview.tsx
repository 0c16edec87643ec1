import type { ToolPart } from 'brooklet';
import { CodeBlock, Diff } from 'brooklet/ui';
import { lazy, type ReactElement, type ReactNode, Suspense } from 'react';
import { textIn } from '../base/json.ts';
import { present } from '../agent/lazyTools.ts';
import { highlightCode } from '../markdown/Markdown.tsx';

const ChangePreview = lazy(async () => ({ default: (await import('../workspace/ChangePreview.tsx')).ChangePreview }));

/** Fields with a text that the call would store or remove: shown as a quotation. */
const quoted: ReadonlyMap<string, string> = new Map([
  ['add_note', 'text'],
  ['delete_note', 'begins'],
]);

interface RequestPreviewProps {
  readonly call: ToolPart;
  /** The input, field by field. */
  readonly children: ReactNode;
}

/** What a call would do, as a person reads it: a change as a diff, a note as a quotation, a script as code, anything else field by field. */
export function RequestPreview({ call, children }: RequestPreviewProps): ReactElement {
  const input = call.editedInput ?? call.input ?? {};
  if (call.name === 'write_file' || call.name === 'patch_file')
    return (
      <Suspense fallback={null}>
        <ChangePreview call={call}>{children}</ChangePreview>
      </Suspense>
    );
  const { details } = present(call.name, input, undefined, false);
  if (details?.type === 'diff')
    return <Diff before={details.oldContent} after={details.newContent} name={details.filePath} />;
  const quotation = textIn(input, quoted.get(call.name) ?? '');
  if (quotation !== '')
    return (
      <blockquote className="request-quote">
        <bdi>{quotation}</bdi>
      </blockquote>
    );
  const code = textIn(input, 'code');
  if (call.name === 'run_javascript' && code !== '')
    return <CodeBlock language="js" text={code} highlight={highlightCode} />;
  return <>{children}</>;
}

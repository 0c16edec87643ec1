import type { ToolPart } from 'brooklet';
import { lazy, type ReactElement, Suspense } from 'react';
import { textIn } from '../json.ts';
import { CodeBlock } from '../markdown/CodeBlock.tsx';
import { present } from '../lazyTools.ts';
import { Diff } from './Diff.tsx';
import { ToolInput } from './ToolInput.tsx';

const ChangePreview = lazy(async () => ({ default: (await import('../workspace/ChangePreview.tsx')).ChangePreview }));

/** Fields with a text that the call would store or remove: shown as a quotation. */
const quoted: ReadonlyMap<string, string> = new Map([
  ['add_note', 'text'],
  ['delete_note', 'begins'],
]);

/** What a call would do, as a person reads it: a change as a diff, a note as a quotation, a script as code, anything else field by field. */
export function RequestPreview({ call }: { readonly call: ToolPart }): ReactElement {
  const input = call.editedInput ?? call.input ?? {};
  if (call.name === 'write_file' || call.name === 'patch_file')
    return (
      <Suspense fallback={null}>
        <ChangePreview call={call} />
      </Suspense>
    );
  const { details } = present(call.name, input, undefined, false);
  if (details?.type === 'diff') return <Diff details={details} />;
  const quotation = textIn(input, quoted.get(call.name) ?? '');
  if (quotation !== '')
    return (
      <blockquote className="request-quote">
        <bdi>{quotation}</bdi>
      </blockquote>
    );
  const code = textIn(input, 'code');
  if (call.name === 'run_javascript' && code !== '') return <CodeBlock language="js" text={code} />;
  return <ToolInput input={input} />;
}

import type { ReactElement } from 'react';
import type { ToolPart } from '../../core/model/index.ts';
import { useParts } from '../parts.ts';
import { Diff } from './Diff.tsx';
import { Input } from './Input.tsx';

/** What a call would do: the diff that its tool has prepared, else its input. */
export function Preview({ call }: { readonly call: ToolPart }): ReactElement {
  const { Diff: Part = Diff } = useParts();
  const { details, input = {} } = call;
  return details?.type === 'diff' ? (
    <Part before={details.oldContent} after={details.newContent} name={details.filePath} />
  ) : (
    <Input input={input} />
  );
}

import type { ReactElement } from 'react';
import type { JsonObject, ToolPart } from '../../core/model/index.ts';
import { useParts } from '../parts.ts';
import { Diff } from './Diff.tsx';
import { Input } from './Input.tsx';

interface PreviewProps {
  readonly call: ToolPart;
  readonly schema: JsonObject | undefined;
}

/** What a call would do: the diff that its tool has prepared, else its input. */
export function Preview({ call, schema }: PreviewProps): ReactElement {
  const { Diff: Part = Diff } = useParts();
  const { details, input = {} } = call;
  return details?.type === 'diff' ? (
    <Part before={details.oldContent} after={details.newContent} name={details.filePath} />
  ) : (
    <Input input={input} schema={schema} />
  );
}

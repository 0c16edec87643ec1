import { Diff as Base } from 'brooklet/ui';
import type { ToolDetails } from 'brooklet/core';
import type { ReactElement } from 'react';

/** The change that a tool presents. */
export function Diff({ details }: { readonly details: Extract<ToolDetails, { type: 'diff' }> }): ReactElement {
  return <Base before={details.oldContent} after={details.newContent} name={details.filePath} />;
}

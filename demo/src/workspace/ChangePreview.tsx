import type { ToolPart } from 'brooklet';
import type { ToolDetails } from 'brooklet/core';
import { previewChange } from 'brooklet/workspace';
import { type ReactElement, useEffect, useState } from 'react';
import { Diff } from '../conversation/Diff.tsx';
import { ToolInput } from '../conversation/ToolInput.tsx';
import { directory, folderChange$ } from './folder.ts';

/** What a call would change in the workspace, as a diff; its input where the file cannot be read. */
export function ChangePreview({ call }: { readonly call: ToolPart }): ReactElement | null {
  const [details, setDetails] = useState<ToolDetails | 'unknown'>();
  useEffect(() => {
    let isMounted = true;
    const subscription = folderChange$.subscribe(() => {
      previewChange(call, { directory }).then(
        (found) => isMounted && setDetails(found ?? 'unknown'),
        () => isMounted && setDetails('unknown'),
      );
    });
    return () => {
      isMounted = false;
      subscription.unsubscribe();
    };
  }, [call]);
  if (details === undefined) return null;
  if (details !== 'unknown' && details.type === 'diff') return <Diff details={details} />;
  return <ToolInput input={call.editedInput ?? call.input ?? {}} />;
}

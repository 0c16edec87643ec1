import type { ToolPart } from 'brooklet';
import type { ToolDetails } from 'brooklet/core';
import { previewChange } from 'brooklet/workspace';
import { Diff } from 'brooklet/ui';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { directory, folderChange$ } from './folder.ts';

interface ChangePreviewProps {
  readonly call: ToolPart;
  /** The input of the call. */
  readonly children: ReactNode;
}

/** What a call would change in the workspace, as a diff; its input where the file cannot be read. */
export function ChangePreview({ call, children }: ChangePreviewProps): ReactElement | null {
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
  if (details !== 'unknown' && details.type === 'diff')
    return <Diff before={details.oldContent} after={details.newContent} name={details.filePath} />;
  return <>{children}</>;
}

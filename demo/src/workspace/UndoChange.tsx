import type { ToolPart } from 'brooklet';
import { undoChange } from 'brooklet/workspace';
import { type ReactElement, useState } from 'react';
import { messageOf } from '../base/messageOf.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { allowAccess, directory } from './folder.ts';
import { workspace } from './place.ts';
import '../styles/extensions.css';

/** Takes back a change of the workspace, from what the log contains. */
export function UndoChange({ call }: { readonly call: ToolPart }): ReactElement {
  const { workspace: words } = useAllTexts();
  const [result, setResult] = useState<{ readonly text: string; readonly isBad: boolean }>();
  const [isBusy, setIsBusy] = useState(false);

  const takeBack = async (): Promise<string> => {
    if (workspace.get() === 'picked') await allowAccess();
    const { path, isRemoved } = await undoChange(call, { directory });
    return isRemoved ? words.removedFile(path) : words.undone(path);
  };
  const undo = async (): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    setResult(
      await takeBack().then(
        (text) => ({ text, isBad: false }),
        (thrown: unknown) => ({ text: messageOf(thrown), isBad: true }),
      ),
    );
    setIsBusy(false);
  };

  return (
    <div className="undo-change">
      {(result === undefined || result.isBad) && (
        <button type="button" className="small" aria-disabled={isBusy} onClick={() => void undo()}>
          <Icon name="history" />
          <span>{words.undo}</span>
        </button>
      )}
      <output className={result?.isBad ? 'hint bad' : 'hint'}>{result?.text}</output>
    </div>
  );
}

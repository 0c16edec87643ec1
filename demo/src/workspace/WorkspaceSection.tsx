import { useObservable } from 'brooklet/react';
import { Segments } from 'brooklet/ui';
import { type ReactElement, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { reportRefusal } from '../toast/reportRefusal.ts';
import { FileList } from './FileList.tsx';
import { allowAccess, canKeep, canPick, pickFolder } from './folder.ts';
import { type Place, workspace } from './place.ts';
import { useFolder } from './useFolder.ts';
import '../styles/extensions.css';

/** Where the agent works on files, and the files that are there. */
export function WorkspaceSection(): ReactElement {
  const { workspace: words } = useAllTexts();
  const place = useObservable(workspace.value$, workspace.get);
  const folder = useFolder();
  const [isPicking, setIsPicking] = useState(false);
  const shown = isPicking ? 'picked' : place;

  const choose = (next: Place): void => {
    setIsPicking(next === 'picked' && folder.access === 'missing');
    if (next !== 'picked' || folder.access !== 'missing') workspace.change(() => next);
  };
  const pick = (): void => {
    pickFolder().then((isDone) => isDone && setIsPicking(false), reportRefusal);
  };

  return (
    <div className="settings settings-body">
      <p className="hint">{words.intro}</p>
      <Segments
        legend={words.place}
        options={[
          { value: 'off', label: words.off },
          ...(canKeep() || place === 'private' ? [{ value: 'private' as const, label: words.private }] : []),
          ...(canPick() ? [{ value: 'picked' as const, label: words.picked }] : []),
        ]}
        value={shown}
        onChange={choose}
      />
      <p className="hint">{words.places[shown]}</p>
      {!canKeep() && !canPick() && <p className="hint">{words.unavailable}</p>}
      {shown === 'picked' && (
        <div className="buttons">
          {folder.access !== 'missing' && folder.access !== 'granted' && (
            <button type="button" className="primary" onClick={() => void allowAccess().catch(reportRefusal)}>
              {words.allowAccess(folder.name)}
            </button>
          )}
          <button type="button" onClick={pick}>
            {folder.access === 'missing' ? words.pick : words.pickOther(folder.name)}
          </button>
        </div>
      )}
      {(place === 'private' || (place === 'picked' && folder.access === 'granted')) && (
        <FileList key={`${place} ${folder.name}`} />
      )}
    </div>
  );
}

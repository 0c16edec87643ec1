import { useAgent } from 'brooklet/react';
import { estimateSpace, keepStorage, type Space } from 'brooklet/storage';
import { type ReactElement, useEffect, useState } from 'react';
import { EncryptionSetting } from '../encryption/EncryptionSetting.tsx';
import { exportSessions } from '../sessions/actions.ts';
import { openOverlay } from '../base/overlay.ts';
import { formatBytes } from '../texts/format.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { EraseEverything } from './EraseEverything.tsx';
import { OutlivingSetting } from './OutlivingSetting.tsx';

/** Whether conversations are stored, how much space they take, and whether the browser may erase them. */
export function StorageSection({ onKeys }: { readonly onKeys: () => void }): ReactElement {
  const { storage: words } = useAllTexts();
  const agent = useAgent();
  const isStored = agent.store?.isPersistent?.() ?? agent.store !== undefined;
  return (
    <div className="settings-body">
      <p className={isStored ? 'state good' : 'state bad'}>
        <Icon name={isStored ? 'check' : 'alert'} />
        <strong>{isStored ? words.saved : words.memory}</strong>
      </p>
      <p className="hint">{isStored ? words.where : words.memoryWhy}</p>
      {isStored && <SpaceFigures />}
      <div className="buttons">
        <button type="button" onClick={() => void exportSessions(agent)}>
          <Icon name="download" />
          <span>{words.exportAll}</span>
        </button>
        <button type="button" onClick={() => openOverlay({ is: 'import' })}>
          <Icon name="upload" />
          <span>{words.importFile}</span>
        </button>
      </div>
      {isStored && <EncryptionSetting onKeys={onKeys} />}
      <OutlivingSetting />
      <EraseEverything />
    </div>
  );
}

/** Share of the quota above which the space is short. */
const short = 0.9;

function SpaceFigures(): ReactElement {
  const texts = useAllTexts();
  const { storage: words } = texts;
  const [space, setSpace] = useState<Space>();
  const [isRefused, setIsRefused] = useState(false);

  useEffect(() => {
    let isMounted = true;
    void estimateSpace().then((found) => isMounted && setSpace(found));
    return () => {
      isMounted = false;
    };
  }, []);

  const protect = async (): Promise<void> => {
    const isKept = await keepStorage();
    const found = await estimateSpace();
    // Both at once: an answer beside figures from before it would contradict them.
    setIsRefused(!isKept);
    setSpace(found);
  };

  if (space === undefined) return <p className="hint">{words.unknown}</p>;
  const { usage, quota, isPersistent } = space;
  const label = words.used(formatBytes(texts, usage), formatBytes(texts, quota));
  return (
    <>
      <div className="space">
        <meter min={0} max={quota} high={quota * short} value={usage} aria-label={label} />
        <span>{label}</span>
      </div>
      {usage > quota * short && <p className="hint warning">{words.full}</p>}
      <div className="with-button">
        <p className="hint">{isPersistent ? words.persistent : words.notPersistent}</p>
        {!isPersistent && (
          <button type="button" onClick={() => void protect()}>
            {words.persist}
          </button>
        )}
      </div>
      <output className="hint">{isRefused && words.refused}</output>
    </>
  );
}

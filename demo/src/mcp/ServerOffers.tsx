import { useObservable } from 'brooklet/react';
import { lazy, type ReactElement, Suspense, useState } from 'react';
import { createPortal } from 'react-dom';
import type { ComposerDraft } from 'brooklet/ui';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { RoomIcon } from '../ui/RoomIcon.tsx';
import { servers } from './servers.ts';

const OffersDialog = lazy(async () => ({ default: (await import('./OffersDialog.tsx')).OffersDialog }));

interface ServerOffersProps {
  /** The message that the user writes. */
  readonly message: ComposerDraft;
}

/** Beside the message field: the prompts and resources of the user's servers. `null` without a server. */
export function ServerOffers(props: ServerOffersProps): ReactElement | null {
  const { mcp: words } = useAllTexts();
  const list = useObservable(servers.value$, servers.get);
  const [isOpen, setIsOpen] = useState(false);
  if (!list.some(({ isOn }) => isOn)) return null;
  return (
    <>
      <button
        type="button"
        className="bk-round"
        data-state="quiet"
        aria-label={words.offers}
        title={words.offers}
        onClick={() => setIsOpen(true)}
      >
        <RoomIcon name="plug" />
      </button>
      {/* Outside of the form of the message: the dialog has forms of its own. */}
      {isOpen &&
        createPortal(
          <Suspense fallback={null}>
            <OffersDialog {...props} onClose={() => setIsOpen(false)} />
          </Suspense>,
          document.body,
        )}
    </>
  );
}

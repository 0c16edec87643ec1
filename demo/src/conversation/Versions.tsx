import type { AgentSession } from 'brooklet';
import type { ReactElement } from 'react';
import { useTexts } from '../texts/useTexts.ts';
import { announce } from '../ui/announce.ts';
import { Icon } from '../ui/Icon.tsx';
import type { MessageActions } from './MessageRow.tsx';

interface VersionsProps {
  readonly session: AgentSession;
  /** The first message of a version. */
  readonly messageId: string;
  readonly actions: MessageActions;
  /** Whether a run is under way: then no other version can be shown. */
  readonly isBusy: boolean;
}

/** Steps through the versions that an edit or another try has left: ‹ 2 / 3 ›. */
export function Versions({ session, messageId, actions, isBusy }: VersionsProps): ReactElement | null {
  const { message: words } = useTexts();
  const { index, count } = session.alternatives(messageId);
  if (count < 2 || index < 0) return null;
  const show = async (version: number): Promise<void> => {
    if (await actions.selectAlternative(messageId, version)) announce(words.versionOf(version + 1, count));
  };
  return (
    <div className="versions" role="group" aria-label={words.alternatives}>
      <Step isBack label={words.previous} isOff={isBusy || index === 0} onClick={() => void show(index - 1)} />
      <span aria-label={words.versionOf(index + 1, count)} role="img">
        {index + 1} / {count}
      </span>
      <Step label={words.next} isOff={isBusy || index === count - 1} onClick={() => void show(index + 1)} />
    </div>
  );
}

interface StepProps {
  readonly isBack?: boolean;
  readonly label: string;
  readonly isOff: boolean;
  readonly onClick: () => void;
}

/** Not `disabled`: the focus stays on the button at the first and the last version. */
function Step({ isBack = false, label, isOff, onClick }: StepProps): ReactElement {
  return (
    <button
      type="button"
      className="quiet small"
      aria-label={label}
      title={label}
      aria-disabled={isOff}
      onClick={() => {
        if (!isOff) onClick();
      }}
    >
      <Icon name={isBack ? 'stepBack' : 'stepOn'} />
    </button>
  );
}

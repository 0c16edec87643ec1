import type { AgentSession } from 'brooklet';
import { type ReactElement, useRef } from 'react';
import { useTexts } from '../texts/useTexts.ts';
import { announce } from '../ui/announce.ts';
import { Icon } from '../ui/Icon.tsx';
import type { MessageActions } from './MessageRow.tsx';
import { useVersionFocus, type VersionStep } from './useVersionFocus.ts';

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
  const group = useRef<HTMLDivElement>(null);
  const follow = useVersionFocus(session, messageId, group);
  if (count < 2 || index < 0) return null;
  const show = (version: number, step: VersionStep): void =>
    void follow(step, async () => {
      if (await actions.selectAlternative(messageId, version)) announce(words.versionOf(version + 1, count));
    });
  return (
    <div ref={group} className="versions" role="group" aria-label={words.alternatives}>
      <Step step="back" label={words.previous} isOff={isBusy || index === 0} onClick={() => show(index - 1, 'back')} />
      <span aria-label={words.versionOf(index + 1, count)} role="img">
        {index + 1} / {count}
      </span>
      <Step step="on" label={words.next} isOff={isBusy || index === count - 1} onClick={() => show(index + 1, 'on')} />
    </div>
  );
}

interface StepProps {
  readonly step: VersionStep;
  readonly label: string;
  readonly isOff: boolean;
  readonly onClick: () => void;
}

/** Not `disabled`: the focus stays on the button at the first and the last version. */
function Step({ step, label, isOff, onClick }: StepProps): ReactElement {
  return (
    <button
      type="button"
      className="quiet small"
      data-step={step}
      aria-label={label}
      title={label}
      aria-disabled={isOff}
      onClick={() => {
        if (!isOff) onClick();
      }}
    >
      <Icon name={step === 'back' ? 'stepBack' : 'stepOn'} />
    </button>
  );
}

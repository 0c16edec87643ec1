import { type ReactElement, useEffect, useRef } from 'react';
import { Icon } from '../base/Icon.tsx';
import { part } from '../base/part.ts';
import { useLabels } from '../labels/useLabels.ts';
import type { VersionsProps } from '../props.ts';

/** Steps through the versions that an edit or another try has left: ‹ 2 / 3 ›. Shows nothing for one version. */
export function Versions(props: VersionsProps): ReactElement | null {
  const { count, index, onSelect, isDisabled = false, focus, labels, className } = props;
  const words = useLabels('versions', labels);
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focus !== undefined) group.current?.querySelector<HTMLElement>(`[data-step=${focus}]`)?.focus();
  }, [focus]);
  if (count < 2 || index < 0) return null;
  return (
    <div ref={group} {...part('versions', className)} role="group" aria-label={words.label}>
      <Step step="back" label={words.previous} isOff={isDisabled || index === 0} onClick={() => onSelect(index - 1)} />
      <span aria-label={words.versionOf(index + 1, count)} role="img">
        {index + 1} / {count}
      </span>
      <Step step="on" label={words.next} isOff={isDisabled || index >= count - 1} onClick={() => onSelect(index + 1)} />
    </div>
  );
}

interface StepProps {
  readonly step: 'back' | 'on';
  readonly label: string;
  readonly isOff: boolean;
  readonly onClick: () => void;
}

/** Not `disabled`: the focus stays on the button at the first and the last version. */
function Step({ step, label, isOff, onClick }: StepProps): ReactElement {
  return (
    <button
      type="button"
      className="bk-icon-button"
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

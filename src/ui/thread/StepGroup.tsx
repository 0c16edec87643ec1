import { type ReactElement, type ReactNode, useState } from 'react';
import { formatDuration } from '../base/duration.ts';
import { Icon } from '../base/Icon.tsx';
import { part } from '../base/part.ts';
import type { Labels } from '../labels/english.ts';
import { useLabels } from '../labels/useLabels.ts';
import type { Steps } from './rows.ts';
import { visible } from '../base/visible.ts';

interface StepGroupProps {
  readonly steps: Steps;
  readonly labels: Labels['thread'];
  /** The rows of the steps, rendered while the group is open. */
  readonly renderSteps: () => ReactNode;
}

/** The steps that led to an answer, in one line: “8 steps · 12 s”. */
export function StepGroup({ steps, labels, renderSteps }: StepGroupProps): ReactElement {
  const { title } = useLabels('tool', undefined);
  const [isOpen, setIsOpen] = useState(false);
  const { calls, failed, durationMs, tools } = steps;
  return (
    <details
      {...part('steps', undefined, failed > 0 ? 'failed' : 'done')}
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>
        <Icon name="chevron" />
        <span>
          {labels.steps(calls)}
          {durationMs > 0 && ` · ${formatDuration(durationMs)}`}
        </span>
        <bdi className="bk-steps-tools">{visible(tools.map((name) => title(name)).join(', '))}</bdi>
        {failed > 0 && <span className="bk-bad">{labels.failedSteps(failed)}</span>}
      </summary>
      {isOpen && <ol className="bk-messages">{renderSteps()}</ol>}
    </details>
  );
}

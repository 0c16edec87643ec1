import { type ReactElement, type ReactNode, useState } from 'react';
import { useTexts } from '../texts/useTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { formatDuration } from './duration.ts';
import type { Steps } from './rows.ts';
import { titleOf } from './titleOf.ts';

interface StepGroupProps {
  readonly steps: Steps;
  /** The rows of the steps, rendered while the group is open. */
  readonly renderSteps: () => ReactNode;
}

/** The steps that led to an answer, in one line: “8 steps · 12 s”. */
export function StepGroup({ steps, renderSteps }: StepGroupProps): ReactElement {
  const texts = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  const { calls, failed, durationMs, tools } = steps;
  const titles = tools.map((name) => titleOf(texts, name)).join(', ');
  return (
    <details className="steps" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron" />
        <span>
          {texts.steps.group(calls)}
          {durationMs > 0 && ` · ${formatDuration(durationMs)}`}
        </span>
        <span className="steps-tools">{titles}</span>
        {failed > 0 && <span className="bad">{texts.steps.failed(failed)}</span>}
      </summary>
      {isOpen && <ol className="messages">{renderSteps()}</ol>}
    </details>
  );
}

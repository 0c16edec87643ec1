import type { ReactElement } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { Segments } from '../ui/Segments.tsx';

export type PaneName = 'seen' | 'request' | 'event';

const panes: readonly PaneName[] = ['seen', 'request', 'event'];

interface PaneTabsProps {
  readonly value: PaneName;
  readonly onChange: (pane: PaneName) => void;
}

/** The choice of a pane, where there is room for one only. */
export function PaneTabs({ value, onChange }: PaneTabsProps): ReactElement {
  const { panes: words } = useReviewTexts();
  const options = panes.map((name) => ({ value: name, label: words[name] }));
  return (
    <div className="pane-tabs">
      <Segments legend={words.label} options={options} value={value} onChange={onChange} />
    </div>
  );
}

import type { ReactElement } from 'react';
import { Segments } from '../ui/Segments.tsx';

export type PaneName = 'seen' | 'request' | 'event';

const panes: readonly { readonly value: PaneName; readonly label: string }[] = [
  { value: 'seen', label: 'Person' },
  { value: 'request', label: 'Model' },
  { value: 'event', label: 'Log' },
];

interface PaneTabsProps {
  readonly value: PaneName;
  readonly onChange: (pane: PaneName) => void;
}

/** The choice of a pane, where there is room for one only. */
export function PaneTabs({ value, onChange }: PaneTabsProps): ReactElement {
  return (
    <div className="pane-tabs">
      <Segments legend="What is shown" options={panes} value={value} onChange={onChange} />
    </div>
  );
}

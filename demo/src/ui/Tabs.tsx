import { type ReactElement, type ReactNode, useId, useRef } from 'react';

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly id: Id; readonly label: string; readonly icon: ReactNode }[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
  /** The panel of the selected tab. */
  readonly children: ReactNode;
}

/** Sections beside a list of their names. Arrow keys, Home and End select. */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect, children }: TabsProps<Id>): ReactElement {
  const list = useRef<HTMLDivElement>(null);
  const name = useId();

  const move = (key: string): boolean => {
    const to = targetOf(
      key,
      tabs.findIndex(({ id }) => id === selected),
      tabs.length,
    );
    const tab = to === undefined ? undefined : tabs[to];
    if (to === undefined || tab === undefined) return false;
    onSelect(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus();
    return true;
  };

  return (
    <div className="tabs">
      <div ref={list} role="tablist" aria-label={label} className="tab-list">
        {tabs.map(({ id, label, icon }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${name}-${id}`}
            aria-selected={id === selected}
            aria-controls={`${name}-panel`}
            tabIndex={id === selected ? 0 : -1}
            className="tab"
            onClick={() => onSelect(id)}
            onKeyDown={(event) => {
              if (move(event.key)) event.preventDefault();
            }}
          >
            {icon}
            <span>{label}</span>
          </button>
        ))}
      </div>
      <div
        key={selected}
        role="tabpanel"
        id={`${name}-panel`}
        aria-labelledby={`${name}-${selected}`}
        className="tab-panel"
      >
        {children}
      </div>
    </div>
  );
}

function targetOf(key: string, from: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return (from + 1) % count;
    case 'ArrowUp':
    case 'ArrowLeft':
      return (from - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

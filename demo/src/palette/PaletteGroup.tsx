import type { ReactElement } from 'react';
import { Icon } from '../ui/Icon.tsx';
import type { Command } from './commands.ts';
import { KeyCaps } from './KeyCaps.tsx';

/** A line of the palette. */
export type Entry = Command;

interface PaletteGroupProps {
  /** The beginning of the ids of the lines. */
  readonly id: string;
  readonly label: string;
  readonly entries: readonly Entry[];
  /** The line that Enter chooses. */
  readonly active: Entry | undefined;
  readonly onActive: (entry: Entry) => void;
  readonly onChoose: (entry: Entry) => void;
}

/** A heading, and the lines below it. The focus stays in the field: the lines are options, and need no keys of their own. */
export function PaletteGroup(props: PaletteGroupProps): ReactElement | null {
  const { id, label, entries, active, onActive, onChoose } = props;
  if (entries.length === 0) return null;
  return (
    <div role="group" aria-label={label}>
      <div className="palette-heading" aria-hidden="true">
        {label}
      </div>
      {entries.map((entry) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the keys
        <div
          key={entry.id}
          id={`${id}-${entry.id}`}
          role="option"
          tabIndex={-1}
          aria-selected={entry === active}
          className="palette-entry"
          onPointerMove={() => {
            if (entry !== active) onActive(entry);
          }}
          onClick={() => onChoose(entry)}
        >
          <Icon name={entry.icon} />
          <bdi>{entry.label}</bdi>
          {entry.keys && <KeyCaps keys={entry.keys} />}
        </div>
      ))}
    </div>
  );
}

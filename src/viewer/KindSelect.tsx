/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { type EventKind, eventKinds } from '../review/kind.ts';

interface KindSelectProps {
  /** `undefined` for all kinds. */
  readonly kind: EventKind | undefined;
  readonly onSelect: (kind: EventKind | undefined) => void;
}

/** The choice of the events that are listed. */
export function KindSelect({ kind, onSelect }: KindSelectProps): VNode {
  return (
    <label>
      Events{' '}
      <select
        value={kind ?? 'all'}
        onChange={({ currentTarget }) => onSelect(eventKinds.find((one) => one === currentTarget.value))}
      >
        <option value="all">all kinds</option>
        {eventKinds.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}

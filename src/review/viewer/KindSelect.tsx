/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { type EventKind, eventKinds } from '../kind.ts';
import { useTexts } from './texts/use-texts.ts';

interface KindSelectProps {
  /** `undefined` for all kinds. */
  readonly kind: EventKind | undefined;
  readonly onSelect: (kind: EventKind | undefined) => void;
}

/** The choice of the events that are listed. */
export function KindSelect({ kind, onSelect }: KindSelectProps): VNode {
  const { events, allKinds, kinds } = useTexts();
  return (
    <label>
      {events}{' '}
      <select
        value={kind ?? 'all'}
        onChange={({ currentTarget }) => onSelect(eventKinds.find((one) => one === currentTarget.value))}
      >
        <option value="all">{allKinds}</option>
        {eventKinds.map((one) => (
          <option key={one} value={one}>
            {kinds[one]}
          </option>
        ))}
      </select>
    </label>
  );
}

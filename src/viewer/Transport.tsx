/** @jsxImportSource preact */
import type { VNode } from 'preact';
import type { Review } from '../review/create-review.ts';
import type { ReviewView } from '../review/player.ts';
import { formatCount, formatMoment } from './format.ts';

interface TransportProps {
  readonly review: Review;
  readonly view: ReviewView;
  readonly speed: number;
  readonly onSpeed: (speed: number) => void;
}

const speeds = [1, 4, 16] as const;

/** The buttons that move the position, and where it is. */
export function Transport({ review, view, speed, onSpeed }: TransportProps): VNode {
  const { isPlaying } = view;
  const choose = (next: number): void => {
    onSpeed(next);
    if (isPlaying) review.play({ speed: next });
  };
  return (
    <div class="transport">
      <div class="buttons" role="group" aria-label="Move">
        <Move sign="⏮" label="Previous step" keys="Shift+ArrowLeft" onClick={() => review.moveStep(-1)} />
        <Move sign="◀" label="Previous event" keys="ArrowLeft" onClick={() => review.move(-1)} />
        <Move
          sign={isPlaying ? '⏸' : '▶'}
          label={isPlaying ? 'Pause' : 'Play'}
          keys="Space"
          onClick={() => (isPlaying ? review.pause() : review.play({ speed }))}
        />
        <Move sign="▶" label="Next event" keys="ArrowRight" onClick={() => review.move(1)} />
        <Move sign="⏭" label="Next step" keys="Shift+ArrowRight" onClick={() => review.moveStep(1)} />
      </div>
      <select aria-label="Speed" value={speed} onChange={(event) => choose(Number(event.currentTarget.value))}>
        {speeds.map((one) => (
          <option key={one} value={one}>
            {one}×
          </option>
        ))}
      </select>
      <p class="where">
        <strong>{view.event?.type ?? 'Before the first event'}</strong>
        <span>
          {formatCount(view.count)} of {formatCount(review.events.length)} events
        </span>
        <span>{formatMoment(view.at, review.from)}</span>
      </p>
    </div>
  );
}

interface MoveProps {
  readonly sign: string;
  readonly label: string;
  readonly keys: string;
  readonly onClick: () => void;
}

function Move({ sign, label, keys, onClick }: MoveProps): VNode {
  return (
    <button type="button" aria-label={label} aria-keyshortcuts={keys} title={`${label} (${keys})`} onClick={onClick}>
      <span aria-hidden="true">{sign}</span>
    </button>
  );
}

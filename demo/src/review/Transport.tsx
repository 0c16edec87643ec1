import type { EventKind, Review, ReviewView } from 'brooklet/review';
import type { ReactElement } from 'react';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { formatMoment } from './format.ts';

interface TransportProps {
  readonly review: Review;
  readonly view: ReviewView;
  readonly kinds: readonly EventKind[] | undefined;
  readonly speed: number;
  readonly onSpeed: (speed: number) => void;
}

const speeds = [1, 4, 16] as const;

/** The buttons that move the position, and where it is. */
export function Transport({ review, view, kinds, speed, onSpeed }: TransportProps): ReactElement {
  const { isPlaying } = view;

  const choose = (next: number): void => {
    onSpeed(next);
    if (isPlaying) review.play({ speed: next });
  };

  return (
    <div className="transport">
      <div className="transport-buttons" role="group" aria-label="Move">
        <Move icon="runBack" label="Previous step" keys="Shift+ArrowLeft" onClick={() => review.moveStep(-1)} />
        <Move icon="stepBack" label="Previous event" keys="ArrowLeft" onClick={() => review.move(-1, kinds)} />
        <Move
          icon={isPlaying ? 'pause' : 'play'}
          label={isPlaying ? 'Pause' : 'Play'}
          keys="Space"
          onClick={() => (isPlaying ? review.pause() : review.play({ speed }))}
        />
        <Move icon="stepOn" label="Next event" keys="ArrowRight" onClick={() => review.move(1, kinds)} />
        <Move icon="runOn" label="Next step" keys="Shift+ArrowRight" onClick={() => review.moveStep(1)} />
      </div>
      <label className="speed">
        <span className="visually-hidden">Speed</span>
        <select value={speed} onChange={(event) => choose(Number(event.target.value))}>
          {speeds.map((one) => (
            <option key={one} value={one}>
              {one}×
            </option>
          ))}
        </select>
      </label>
      <p className="where">
        <strong>{view.event?.type ?? 'Before the first event'}</strong>
        <span>
          {view.count} of {review.events.length} events
        </span>
        <span>{formatMoment(view.at, review.from)}</span>
      </p>
    </div>
  );
}

interface MoveProps {
  readonly icon: IconName;
  readonly label: string;
  readonly keys: string;
  readonly onClick: () => void;
}

function Move({ icon, label, keys, onClick }: MoveProps): ReactElement {
  return (
    <button
      type="button"
      className="quiet small"
      aria-label={label}
      aria-keyshortcuts={keys}
      title={`${label} (${keys})`}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

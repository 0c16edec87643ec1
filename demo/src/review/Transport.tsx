import type { EventKind, Review, ReviewView } from 'brooklet/review';
import type { ReactElement } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { formatMoment } from './format.ts';
import type { ScaleName } from './scale.ts';

interface TransportProps {
  readonly review: Review;
  readonly view: ReviewView;
  readonly kinds: readonly EventKind[] | undefined;
  readonly speed: number;
  readonly onSpeed: (speed: number) => void;
  readonly scale: ScaleName;
  readonly onScale: (scale: ScaleName) => void;
}

/** The speeds of playing, as factors of the original pace. */
const speeds = [1, 2, 4, 8] as const;

/** The buttons that move the position, and where it is. */
export function Transport({ review, view, kinds, speed, onSpeed, scale, onScale }: TransportProps): ReactElement {
  const words = useReviewTexts();
  const { isPlaying } = view;
  return (
    <div className="transport">
      <div className="transport-buttons" role="group" aria-label={words.move}>
        <Move icon="runBack" label={words.previousStep} keys="Shift+ArrowLeft" onClick={() => review.moveStep(-1)} />
        <Move icon="stepBack" label={words.previousEvent} keys="ArrowLeft" onClick={() => review.move(-1, kinds)} />
        <Move
          icon={isPlaying ? 'pause' : 'play'}
          label={isPlaying ? words.pause : words.play}
          keys="Space"
          onClick={() => (isPlaying ? review.pause() : review.play({ speed }))}
        />
        <Move icon="stepOn" label={words.nextEvent} keys="ArrowRight" onClick={() => review.move(1, kinds)} />
        <Move icon="runOn" label={words.nextStep} keys="Shift+ArrowRight" onClick={() => review.moveStep(1)} />
      </div>
      <div className="speeds" role="group" aria-label={words.speed}>
        {speeds.map((one) => (
          <button
            key={one}
            type="button"
            className="quiet small"
            aria-pressed={one === speed}
            onClick={() => onSpeed(one)}
          >
            {one}×
          </button>
        ))}
      </div>
      <p className="where">
        <strong>{view.event?.type ?? words.beforeFirst}</strong>
        <span>{words.counted(view.count, review.events.length)}</span>
        <span>{formatMoment(words, view.at, review.from)}</span>
      </p>
      <div className="speeds" role="group" aria-label={words.scale}>
        <Choice label={words.scales.events} isChosen={scale === 'events'} onClick={() => onScale('events')} />
        <Choice label={words.scales.time} isChosen={scale === 'time'} onClick={() => onScale('time')} />
      </div>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly isChosen: boolean;
  readonly onClick: () => void;
}

function Choice({ label, isChosen, onClick }: ChoiceProps): ReactElement {
  return (
    <button type="button" className="quiet small" aria-pressed={isChosen} onClick={onClick}>
      {label}
    </button>
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
      className={icon === 'play' || icon === 'pause' ? 'quiet small play' : 'quiet small'}
      aria-label={label}
      aria-keyshortcuts={keys}
      title={`${label} (${keys})`}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

import type { ReactElement } from 'react';
import type { EventKind, Review, ReviewView } from '../../review/index.ts';
import { MoveIcon, type MoveIconName } from './MoveIcon.tsx';
import { useReviewTexts } from './reviewTexts.ts';
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
  const { time: words, formats } = useReviewTexts();
  const { isPlaying } = view;
  return (
    <div className="bk-transport">
      <div className="bk-moves" role="group" aria-label={words.move}>
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
      <div className="bk-transport-choice" role="group" aria-label={words.speed}>
        {speeds.map((one) => (
          <Choice key={one} label={`${one}×`} isChosen={one === speed} onClick={() => onSpeed(one)} />
        ))}
      </div>
      <p className="bk-where">
        <strong>{view.event?.type ?? words.beforeFirst}</strong>
        <bdi>{words.counted(view.seq, review.events.at(-1)?.seq ?? 0)}</bdi>
        {review.events.length > 0 && <bdi>{formats.moment(view.at, review.from)}</bdi>}
      </p>
      <div className="bk-transport-choice" role="group" aria-label={words.scale}>
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
    <button type="button" aria-pressed={isChosen} onClick={onClick}>
      {label}
    </button>
  );
}

interface MoveProps {
  readonly icon: MoveIconName;
  readonly label: string;
  readonly keys: string;
  readonly onClick: () => void;
}

function Move({ icon, label, keys, onClick }: MoveProps): ReactElement {
  return (
    <button
      type="button"
      className="bk-icon-button"
      data-kind={icon}
      aria-label={label}
      aria-keyshortcuts={keys}
      title={`${label} (${keys})`}
      onClick={onClick}
    >
      <MoveIcon name={icon} />
    </button>
  );
}

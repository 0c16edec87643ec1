/** @jsxImportSource preact */
import type { VNode } from 'preact';
import type { Review } from '../create-review.ts';
import type { ReviewView } from '../player.ts';
import { formatCount, formatMoment } from './format.ts';
import { useTexts } from './texts/use-texts.ts';

interface TransportProps {
  readonly review: Review;
  readonly view: ReviewView;
  readonly speed: number;
  readonly onSpeed: (speed: number) => void;
}

const icons = {
  stepBack: 'M8 3 3 8l5 5M13 3 8 8l5 5',
  eventBack: 'M10 3 5 8l5 5',
  play: 'M5 3v10l8-5z',
  pause: 'M5 3v10M11 3v10',
  eventOn: 'm6 3 5 5-5 5',
  stepOn: 'm3 3 5 5-5 5M8 3l5 5-5 5',
} as const;

const speeds = [1, 4, 16] as const;

/** The buttons that move the position, and where it is. */
export function Transport({ review, view, speed, onSpeed }: TransportProps): VNode {
  const texts = useTexts();
  const { isPlaying } = view;
  const choose = (next: number): void => {
    onSpeed(next);
    if (isPlaying) review.play({ speed: next });
  };
  return (
    <div class="transport">
      <div class="buttons" role="group" aria-label={texts.move}>
        <Move icon="stepBack" label={texts.previousStep} keys="Shift+ArrowLeft" onClick={() => review.moveStep(-1)} />
        <Move icon="eventBack" label={texts.previousEvent} keys="ArrowLeft" onClick={() => review.move(-1)} />
        <Move
          icon={isPlaying ? 'pause' : 'play'}
          label={isPlaying ? texts.pause : texts.play}
          keys="Space"
          onClick={() => (isPlaying ? review.pause() : review.play({ speed }))}
        />
        <Move icon="eventOn" label={texts.nextEvent} keys="ArrowRight" onClick={() => review.move(1)} />
        <Move icon="stepOn" label={texts.nextStep} keys="Shift+ArrowRight" onClick={() => review.moveStep(1)} />
      </div>
      <select aria-label={texts.speed} value={speed} onChange={(event) => choose(Number(event.currentTarget.value))}>
        {speeds.map((one) => (
          <option key={one} value={one}>
            {one}×
          </option>
        ))}
      </select>
      <p class="where">
        <strong>{view.event?.type ?? texts.beforeFirst}</strong>
        <span>{texts.counted(formatCount(texts, view.count), formatCount(texts, review.events.length))}</span>
        <span>{formatMoment(texts, view.at, review.from)}</span>
      </p>
    </div>
  );
}

interface MoveProps {
  readonly icon: keyof typeof icons;
  readonly label: string;
  readonly keys: string;
  readonly onClick: () => void;
}

function Move({ icon, label, keys, onClick }: MoveProps): VNode {
  return (
    <button type="button" aria-label={label} aria-keyshortcuts={keys} title={`${label} (${keys})`} onClick={onClick}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={icons[icon]} />
      </svg>
    </button>
  );
}

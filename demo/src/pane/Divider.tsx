import { type KeyboardEvent, type PointerEvent, type ReactElement, useLayoutEffect, useState } from 'react';
import { readLocal, writeLocal } from '../base/local.ts';
import { useTexts } from '../texts/useTexts.ts';

const key = 'brooklet-studio:pane';
/** Percent of the room of the conversation. */
const least = 25;
const most = 75;
const usual = 48;
const step = 4;

const within = (share: number): number => Math.round(Math.min(most, Math.max(least, share)));

/** The line between the conversation and the pane: drag it, or move it with the arrow keys. The width is kept. */
export function Divider(): ReactElement {
  const { pane: words } = useTexts();
  const [share, setShare] = useState(() => within(Number(readLocal(key) ?? usual) || usual));

  useLayoutEffect(() => {
    document.documentElement.style.setProperty('--pane', `${share}%`);
    writeLocal(key, String(share));
  }, [share]);

  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const room = event.currentTarget.closest('.main')?.getBoundingClientRect();
    if (!room || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
    const width = isRightToLeft ? event.clientX - room.left : room.right - event.clientX;
    setShare(within((width / room.width) * 100));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const wider = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
    if (event.key === 'Home') setShare(least);
    else if (event.key === 'End') setShare(most);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
      setShare(within(share + (event.key === wider ? step : -step)));
    else return;
    event.preventDefault();
  };
  return (
    <div
      className="pane-divider"
      role="separator"
      aria-orientation="vertical"
      aria-label={words.width}
      aria-valuenow={share}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
    />
  );
}

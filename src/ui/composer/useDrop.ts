import { type RefObject, useEffect, useRef, useState } from 'react';

/** Takes the files that are dropped on the chat around an element, or on the element. Returns whether files are over it. */
export function useDrop(
  element: RefObject<HTMLElement | null>,
  onFiles: ((files: readonly File[]) => void) | undefined,
): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(onFiles);
  useEffect(() => void (latest.current = onFiles));
  useEffect(() => {
    const zone = element.current?.closest<HTMLElement>('[data-part=chat]') ?? element.current;
    if (!zone) return undefined;
    const takes = (event: DragEvent): boolean =>
      latest.current !== undefined && event.dataTransfer?.types.includes('Files') === true;
    const onOver = (event: DragEvent): void => {
      if (!takes(event)) return;
      event.preventDefault();
      setIsOver(true);
    };
    const onLeave = (event: DragEvent): void => {
      if (!(event.relatedTarget instanceof Node && zone.contains(event.relatedTarget))) setIsOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      setIsOver(false);
      if (!takes(event)) return;
      event.preventDefault();
      latest.current?.([...(event.dataTransfer?.files ?? [])]);
    };
    zone.addEventListener('dragover', onOver);
    zone.addEventListener('dragleave', onLeave);
    zone.addEventListener('drop', onDrop);
    return () => {
      zone.removeEventListener('dragover', onOver);
      zone.removeEventListener('dragleave', onLeave);
      zone.removeEventListener('drop', onDrop);
    };
  }, [element]);
  return isOver;
}

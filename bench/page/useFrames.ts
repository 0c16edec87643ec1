import { useEffect, useReducer } from 'react';

/** Renders again at most once a frame, for clients without hooks: as their users would write it, and as the floor does. */
export function useFrames(subscribe: (onChange: () => void) => () => void): void {
  const [, render] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let frame: number | undefined;
    const unsubscribe = subscribe(() => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        render();
      });
    });
    return () => {
      unsubscribe();
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, [subscribe]);
}

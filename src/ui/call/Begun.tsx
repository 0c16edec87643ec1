import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { focusEnd } from '../base/focus.ts';

interface BegunProps {
  readonly isShown: boolean;
  readonly children: ReactNode;
}

/** A form that stays in the page once it was opened, so that what was typed is there again. It has the focus whenever it is shown. */
export function Begun({ isShown, children }: BegunProps): ReactElement {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const field = isShown ? root.current?.querySelector<HTMLElement>('input, textarea, select') : undefined;
    if (field) focusEnd(field);
  }, [isShown]);
  return (
    <div ref={root} hidden={!isShown}>
      {children}
    </div>
  );
}

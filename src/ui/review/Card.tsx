import type { ReactElement, ReactNode } from 'react';
import { MomentLink } from './MomentLink.tsx';

interface CardProps {
  /** Of the moment to which the title leads; missing where the log does not have it. */
  readonly seq: number | undefined;
  readonly title: ReactNode;
  /** Beside the title. */
  readonly tag?: ReactNode;
  readonly hint?: ReactNode;
  readonly end?: ReactNode;
  readonly state?: 'failed' | 'note' | undefined;
  readonly isCurrent?: boolean;
  readonly children?: ReactNode;
}

/** One thing of a list, with the moment when it happened. */
export function Card({ seq, title, tag, hint, end, state, isCurrent = false, children }: CardProps): ReactElement {
  return (
    <li className="bk-card" data-state={state} aria-current={isCurrent ? 'step' : undefined}>
      <div className="bk-card-top">
        <h3>{seq === undefined ? title : <MomentLink seq={seq}>{title}</MomentLink>}</h3>
        {tag}
        <span className="bk-hint">{hint}</span>
        {end}
      </div>
      {children}
    </li>
  );
}

interface PillProps {
  readonly isBad?: boolean;
  readonly children: ReactNode;
}

/** How something ended, in a word. */
export function Pill({ isBad = false, children }: PillProps): ReactElement {
  return (
    <span className="bk-pill" data-state={isBad ? 'bad' : 'good'}>
      {children}
    </span>
  );
}

import type { ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from '../base/Icon.tsx';
import { part } from '../base/part.ts';

interface NoticeProps {
  readonly icon?: IconName;
  readonly title: string;
  readonly state: 'bad' | 'paused' | 'stopped' | 'waiting';
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A notice below the messages. What failed is an alert. */
export function Notice({ icon, title, state, className, children }: NoticeProps): ReactElement {
  return (
    <div {...part('run-notice', className, state)} role={state === 'bad' ? 'alert' : undefined}>
      {icon && <Icon name={icon} />}
      <div>
        <strong>{title}</strong>
        {children}
      </div>
    </div>
  );
}

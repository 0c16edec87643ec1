import type { ReactElement } from 'react';
import { Icon, type IconName } from './Icon.tsx';

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly title?: string | undefined;
  /** For a button that can be on. */
  readonly isPressed?: boolean;
  readonly onClick: () => void;
}

/** A small button with an icon and a name. */
export function IconButton({ icon, label, title = label, isPressed, onClick }: IconButtonProps): ReactElement {
  return (
    <button
      type="button"
      className="bk-icon-button"
      aria-label={label}
      aria-pressed={isPressed}
      title={title}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

import { type KeyboardEvent, type ReactElement, type ReactNode, useLayoutEffect, useRef } from 'react';
import type { FrameEnv } from './frame-env.ts';
import type { Settings } from './settings.ts';

type LauncherProps = Pick<FrameEnv, 'words' | 'isOpen' | 'unread' | 'onOpen' | 'onClose' | 'direction'> & {
  readonly side: NonNullable<Settings['launcher']>;
  readonly theme: Settings['theme'];
  readonly children: ReactNode;
};

/** A button at a corner of the page, and above it the chat that it opens. In the top layer, where the browser has one. */
export function Launcher(props: LauncherProps): ReactElement {
  const { words, isOpen, unread, onOpen, onClose, side, theme, direction, children } = props;
  const layer = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = layer.current;
    // Missing in old browsers: then the layer is that of its `z-index`.
    if (element && typeof element.showPopover === 'function' && !element.matches(':popover-open'))
      element.showPopover();
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen || event.defaultPrevented || event.nativeEvent.isComposing) return;
    // What runs is stopped first, by the same key.
    if (layer.current?.querySelector('[data-part=chat][data-state=running]')) return;
    event.preventDefault();
    onClose();
  };
  const label = isOpen ? words.close : words.open(unread);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears the keys of what is within it
    <div
      className="bk-float"
      popover="manual"
      ref={layer}
      dir={direction}
      data-side={side}
      data-theme={theme === 'auto' ? undefined : theme}
      onKeyDown={onKeyDown}
    >
      {children}
      <button
        type="button"
        className="bk-launcher"
        part="launcher"
        aria-label={label}
        title={label}
        aria-expanded={isOpen}
        onClick={isOpen ? onClose : onOpen}
      >
        <slot name="launcher">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d={isOpen ? 'M6 6l12 12M18 6 6 18' : 'M4 5h16v11h-9l-4 4v-4H4z'} />
          </svg>
        </slot>
        {unread > 0 && (
          <span className="bk-badge" part="badge" aria-hidden="true">
            {unread > 99 ? '99+' : unread}
          </span>
        )}
      </button>
    </div>
  );
}

import { useObservable } from 'brooklet/react';
import { type ReactElement, useEffect, useState } from 'react';
import { ariaKeys, keys } from '../base/shortcuts.ts';
import { useTexts } from '../texts/useTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { closeToast, getToasts, type Toast, toasts$ } from './toasts.ts';

/** The toasts, announced politely. They stay while the pointer or the focus is on them. */
export function Toasts(): ReactElement {
  const { toast: words } = useTexts();
  const toasts = useObservable(toasts$, getToasts);
  const [isHeld, setIsHeld] = useState(false);
  return (
    <section
      className="toasts"
      aria-label={words.region}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <ol aria-live="polite" aria-relevant="additions text">
        {toasts.map((toast) => (
          <ToastItem key={toast.id} toast={toast} isHeld={isHeld} />
        ))}
      </ol>
    </section>
  );
}

function ToastItem({ toast, isHeld }: { readonly toast: Toast; readonly isHeld: boolean }): ReactElement {
  const { common } = useTexts();
  const { id, text, tone, action, duration } = toast;

  useEffect(() => {
    if (isHeld || duration === Infinity) return undefined;
    const timer = setTimeout(() => closeToast(id), duration);
    return () => clearTimeout(timer);
  }, [id, duration, isHeld]);

  const close = (): void => {
    // The focus would be lost with the button.
    document.getElementById('main')?.focus({ preventScroll: true });
    closeToast(id);
  };

  return (
    <li className={`toast ${tone}`}>
      <span className="toast-text">{text}</span>
      {action && (
        <button
          type="button"
          className="toast-action"
          aria-keyshortcuts={action.isUndo ? ariaKeys(keys.undo) : undefined}
          onClick={() => {
            close();
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className="quiet small" aria-label={common.dismiss} title={common.dismiss} onClick={close}>
        <Icon name="close" />
      </button>
    </li>
  );
}

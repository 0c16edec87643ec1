import { useObservable } from 'brooklet/react';
import { type ReactElement, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Switch } from '../ui/Switch.tsx';
import { notifications } from './notifications.ts';
import { switchNotifications } from './switchNotifications.ts';

/** Switches the notifications of Studio. */
export function NotificationsSwitch(): ReactElement {
  const { settings: words } = useAllTexts();
  const isOn = useObservable(notifications.value$, notifications.get);
  const [isRefused, setRefused] = useState(false);
  return (
    <Switch
      label={words.notifications}
      hint={isOn && isRefused ? words.notificationsRefused : words.notificationsHint}
      isOn={isOn}
      onChange={(next) => void switchNotifications(next).then((may) => setRefused(!may))}
    />
  );
}

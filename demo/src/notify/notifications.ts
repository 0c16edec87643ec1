import type { Agent } from 'brooklet';
import { goTo } from '../base/route.ts';
import { createStored } from '../base/stored.ts';

/** Whether Studio notifies a person who looks at no page of it. */
export const notifications = createStored<boolean>('brooklet-studio:notifications', {
  read: (text) => text === 'on',
  write: (isOn) => (isOn ? 'on' : undefined),
});

/** Notifies while the setting is on. */
export function watchNotifications(agent: Agent): void {
  let stop: Promise<() => void> | undefined;
  notifications.value$.subscribe((isOn) => {
    if (isOn) stop ??= start(agent);
    else {
      stop?.then(
        (end) => end(),
        () => {},
      );
      stop = undefined;
    }
  });
}

async function start(agent: Agent): Promise<() => void> {
  const { notify } = await import('brooklet/notify');
  return notify(agent, { name: 'studio', onOpen: goTo });
}

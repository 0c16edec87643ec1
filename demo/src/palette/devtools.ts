import type { Agent } from 'brooklet';

let unmount: (() => void) | undefined;

/** Opens the devtools of the package, or removes them. Their code is loaded when they are first opened. */
export async function toggleDevtools(agent: Agent): Promise<void> {
  if (unmount) {
    unmount();
    unmount = undefined;
    return;
  }
  const { mountDevtools } = await import('brooklet/devtools');
  unmount ??= mountDevtools(agent, { inProduction: true, isOpen: true });
}

import { unref } from '../../core/ports.ts';

/** What the tabs of a vault say to each other: the disk has changed, or all keys are erased, in the memory of each tab too. */
type VaultMessage = 'changed' | 'erased';

/** The channel of a vault; silent where the browser has no `BroadcastChannel`. */
export interface VaultChannel {
  post(message: VaultMessage): void;
  listen(callback: (message: VaultMessage) => void): void;
  close(): void;
}

export function openVaultChannel(name: string): VaultChannel {
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(`brooklet vault ${name}`);
  unref(channel);
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
    post: (message) => channel?.postMessage(message),
    listen: (callback) =>
      channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) =>
        callback(data === 'erased' ? 'erased' : 'changed'),
      ),
    close: () => channel?.close(),
  };
}

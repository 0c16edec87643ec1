import { unref } from '../core/ports.ts';

/** The channel on which pages and workers of one name, of all builds, hear that the person signs out. */
const channelOf = (group: string): string => `brooklet:sign-out:${group}`;

/** Calls `signOut`, with the id of the order, when a page announces it. Returns a function that stops listening. */
export function listenForSignOut(group: string, signOut: (orderId: string) => void): () => void {
  const channel = new BroadcastChannel(channelOf(group));
  unref(channel);
  // Any script of the origin can post here: it could end the runs by the database, too.
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => signOut(String(data)));
  return () => channel.close();
}

/** Announces that the person signs out, to every other page and every worker of the name. */
export function announceSignOut(group: string, orderId: string): void {
  const channel = new BroadcastChannel(channelOf(group));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
  channel.postMessage(orderId);
  channel.close();
}

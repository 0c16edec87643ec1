import { lazy } from 'react';

/** Rooms that few pages need. The first load would have to name the files of each; here it names this file. */
export const SessionSync = lazy(async () => ({
  default: (await import('../devices/SessionSync.tsx')).SessionSync,
}));
export const ShareDialog = lazy(async () => ({ default: (await import('../shared/ShareDialog.tsx')).ShareDialog }));
export const SharedRoom = lazy(async () => ({ default: (await import('../shared/SharedRoom.tsx')).SharedRoom }));

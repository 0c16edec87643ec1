import { lazy } from 'react';
import type { SessionSync } from '../devices/SessionSync.tsx';
import type { ShareDialog } from '../shared/ShareDialog.tsx';

// Rooms that few pages need. The first load would have to name the files of each; here it names this file.

export const loadSessionSync = async (): Promise<typeof SessionSync> =>
  (await import('../devices/SessionSync.tsx')).SessionSync;

export const loadShareDialog = async (): Promise<typeof ShareDialog> =>
  (await import('../shared/ShareDialog.tsx')).ShareDialog;

export const SharedRoom = lazy(async () => ({ default: (await import('../shared/SharedRoom.tsx')).SharedRoom }));

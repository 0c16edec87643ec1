import type { SessionSync } from '../devices/SessionSync.tsx';

// A part that few pages need. The first load would have to name its files; here it names this file.

export const loadSessionSync = async (): Promise<typeof SessionSync> =>
  (await import('../devices/SessionSync.tsx')).SessionSync;

import type { ShareDialog } from '../review/shared/ShareDialog.tsx';

// Rooms that few pages need. The first load would have to name the files of each; here it names this file.

export const loadShareDialog = async (): Promise<typeof ShareDialog> =>
  (await import('../review/shared/ShareDialog.tsx')).ShareDialog;

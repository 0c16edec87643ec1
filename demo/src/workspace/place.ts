import { createStored } from '../base/stored.ts';

/** Where the files are that the agent works on: nowhere, in the browser's private file system, or in a folder of the disk. */
export type Place = 'off' | 'private' | 'picked';

export const workspace = createStored<Place>('brooklet-studio:workspace', {
  read: (text) => (text === 'private' || text === 'picked' ? text : 'off'),
  write: (place) => (place === 'off' ? undefined : place),
});

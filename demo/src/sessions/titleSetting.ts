import { createStored } from '../base/stored.ts';

/** Whether the model writes titles. */
export const titleSetting = createStored('brooklet-studio:titles', {
  read: (text) => text !== 'off',
  write: (isOn) => (isOn ? undefined : 'off'),
});

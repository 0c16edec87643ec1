import { type AllTexts, roomsEn } from './en/rooms.ts';
import { en, type Texts } from './en/en.ts';
import { getTexts } from './language.ts';
import { useTexts } from './useTexts.ts';

const allEn: AllTexts = { ...en, ...roomsEn };

/** Returns the texts of the interface with those of the rooms that are loaded later. For these rooms only. */
export function useAllTexts(): AllTexts {
  return toAll(useTexts());
}

/** Returns the same outside of a component. */
export function getAllTexts(): AllTexts {
  return toAll(getTexts());
}

/** Every language but English is loaded as a whole. */
function toAll(texts: Texts): AllTexts {
  return hasRooms(texts) ? texts : allEn;
}

function hasRooms(texts: Texts): texts is AllTexts {
  return 'settings' in texts;
}

import { room } from '../base/room.ts';

// The parts of a conversation that few messages need.

export const UnlockCard = room(async () => (await import('../keys/UnlockCard.tsx')).UnlockCard);
export const VirtualRows = room(async () => (await import('./VirtualRows.tsx')).VirtualRows);
export const CallNotes = room(async () => (await import('./CallNotes.tsx')).CallNotes);
export const RuleNote = room(async () => (await import('./RuleNote.tsx')).RuleNote);
export const InterfaceMessage = room(async () => (await import('../mcp/InterfaceMessage.tsx')).InterfaceMessage);
export const AnswerWith = room(async () => (await import('./AnswerWith.tsx')).AnswerWith);

import { lazy } from 'react';

/** The parts of the page that are not needed to begin a conversation. */
const loaders = {
  settings: () => import('../settings/SettingsDialog.tsx'),
  chat: () => import('../settings/ChatSettingsDialog.tsx'),
  palette: () => import('../palette/Palette.tsx'),
  help: () => import('../palette/HelpDialog.tsx'),
  importing: () => import('../sessions/ImportDialog.tsx'),
  sessionList: () => import('../sessions/SessionList.tsx'),
  unlockDialog: () => import('../keys/UnlockDialog.tsx'),
  unlockCard: () => import('../keys/UnlockCard.tsx'),
  toolCard: () => import('../conversation/ToolCard.tsx'),
  ruleNote: () => import('../conversation/RuleNote.tsx'),
  serverOffers: () => import('../mcp/ServerOffers.tsx'),
  review: () => import('../review/ReviewRoom.tsx'),
  later: () => import('./laterRooms.ts'),
};

/** Loaded at once where conversations are encrypted, and else not at all. */
export const Gate = lazy(async () => ({ default: (await import('../encryption/Gate.tsx')).Gate }));

export const SettingsDialog = lazy(async () => ({ default: (await loaders.settings()).SettingsDialog }));
export const ChatSettingsDialog = lazy(async () => ({ default: (await loaders.chat()).ChatSettingsDialog }));
export const Palette = lazy(async () => ({ default: (await loaders.palette()).Palette }));
export const HelpDialog = lazy(async () => ({ default: (await loaders.help()).HelpDialog }));
export const ImportDialog = lazy(async () => ({ default: (await loaders.importing()).ImportDialog }));
export const SessionList = lazy(async () => ({ default: (await loaders.sessionList()).SessionList }));
export const UnlockDialog = lazy(async () => ({ default: (await loaders.unlockDialog()).UnlockDialog }));
export const UnlockCard = lazy(async () => ({ default: (await loaders.unlockCard()).UnlockCard }));
export const ToolCard = lazy(async () => ({ default: (await loaders.toolCard()).ToolCard }));
export const RuleNote = lazy(async () => ({ default: (await loaders.ruleNote()).RuleNote }));
export const ServerOffers = lazy(async () => ({ default: (await loaders.serverOffers()).ServerOffers }));
export const ReviewRoom = lazy(async () => ({ default: (await loaders.review()).ReviewRoom }));

export const ShareDialog = lazy(async () => ({ default: (await loaders.later()).ShareDialog }));
export const SessionSync = lazy(async () => ({ default: (await loaders.later()).SessionSync }));

/** Loads all rooms when the page has nothing else to do, so that each opens at once. */
export function preloadRooms(): void {
  whenIdle(() => {
    for (const load of Object.values(loaders)) load().catch(ignore);
  });
}

/** A room that cannot be loaded says so when it is opened. */
function ignore(): void {}

/** Calls `act` in idle time. Safari has no idle callbacks. */
function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act, { timeout: 5_000 });
  else setTimeout(act, 2_000);
}

import { conversationEn } from './conversation.ts';

/**
 * Every sentence of the interface in English, by room. Its type is what each other language has to provide.
 *
 * A text with a gap is a function. A language writes its own plurals and word order.
 */
export const en = {
  /** For `Intl` and for `<html lang>`. */
  locale: 'en',
  /** For `<html dir>`: a language that is written from the right needs nothing else. */
  dir: 'ltr',

  common: {
    app: 'Brooklet Studio',
    cancel: 'Cancel',
    close: 'Close',
    dismiss: 'Dismiss',
    loading: 'Loading…',
    opening: 'Opening…',
    newChat: 'New chat',
    reload: 'Reload',
    retry: 'Try again',
    undo: 'Undo',
    untitled: 'Untitled',
    you: 'You',
    agent: 'Agent',
  },

  ...conversationEn,

  shell: {
    skipToComposer: 'Skip to the message field',
    openSessions: 'Sessions',
    pageTitle: (title: string): string => `${title} — Brooklet Studio`,
    plannedLocked: (count: number): string =>
      count === 1 ? '1 planned message waits for your keys.' : `${count} planned messages wait for your keys.`,
    brokenTitle: 'This page has failed',
    brokenSaved: 'Your conversations are saved.',
    roomTitle: 'This part could not be loaded',
    roomOffline: 'You are offline, and this part was not loaded before. Open it again when the network is back.',
    roomText: 'The page may have been updated since you opened it. Reload to get the current version.',
    offline:
      'You are offline. The demo model and your conversations still work; other models answer when the network is back.',
    updateReady: 'A new version is ready.',
    update: 'Update now',
    install: 'Install Brooklet Studio',
  },

  toast: {
    region: 'Notifications',
    deleted: (title: string): string => `“${title}” deleted`,
    restored: (title: string): string => `“${title}” restored`,
    restoredMany: (sessions: number): string => `${sessions} conversations restored`,
    archived: (title: string): string => `“${title}” archived`,
    unarchived: (title: string): string => `“${title}” moved out of the archive`,
    notRestored: (title: string): string => `“${title}” can no longer be restored.`,
    exported: (sessions: number): string =>
      sessions === 1 ? '1 conversation exported' : `${sessions} conversations exported`,
    notExported: (sessions: number): string =>
      sessions === 1 ? '1 conversation could not be read.' : `${sessions} conversations could not be read.`,
    imported: (sessions: number): string =>
      sessions === 1 ? '1 conversation imported' : `${sessions} conversations imported`,
  },

  /** What Studio adds to the list of the package, whose own texts are in `parts`. */
  sessions: {
    empty: 'Your conversations appear here. They are stored in this browser only.',
    nothingHere: 'There is no conversation here.',
    review: 'Review',
    exportOne: 'Export',
    share: 'Share a link…',
    forkedFrom: (title: string): string => `Forked from “${title}”`,
    /** @param more number of further calls */
    waits: (call: string, more: number): string => (more > 0 ? `${call} +${more}` : call),
    more: 'More actions',
    importFile: 'Import…',
    exportAll: 'Export all',
    openReview: 'Open a review',
    help: 'Keyboard shortcuts',
    drop: 'Drop a file to import it',
    settings: 'Settings',
  },

  connection: {
    offline: 'Offline demo model',
    offlineShort: 'Offline demo',
    offlineHost: 'scripted, not a real AI',
    browser: 'This browser’s model',
    browserHost: 'runs on this device',
    defaultModel: 'Default model',
    keyLocked: (host: string): string => `${host} — key locked`,
    keyNeeded: (host: string): string => `${host} — key needed`,
    at: (model: string, host: string): string => `${model} at ${host}`,
    /** What is wrong with the last answer of the service. */
    health: { refused: 'The key was refused, or the account has no credit', unreachable: 'The service did not answer' },
  },

  /** The buttons of a chat's own model and settings. */
  chatChip: {
    open: 'Settings of this chat',
    isSet: 'This chat has settings of its own',
    pick: (model: string): string => `Model of this chat: ${model}`,
  },
};

/** What a language provides. */
export type Texts = typeof en;

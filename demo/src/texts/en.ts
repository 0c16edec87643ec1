import { conversationEn } from './en.conversation.ts';

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
    notRestored: (title: string): string => `“${title}” can no longer be restored.`,
    exported: (sessions: number): string =>
      sessions === 1 ? '1 conversation exported' : `${sessions} conversations exported`,
    notExported: (sessions: number): string =>
      sessions === 1 ? '1 conversation could not be read.' : `${sessions} conversations could not be read.`,
    imported: (sessions: number): string =>
      sessions === 1 ? '1 conversation imported' : `${sessions} conversations imported`,
  },

  sessions: {
    list: 'Sessions',
    search: 'Search conversations',
    clearSearch: 'Clear the search',
    searching: 'Searching…',
    found: (count: number, more: boolean): string =>
      count === 0 ? 'No conversation found' : `${count}${more ? '+' : ''} found`,
    notFound: (words: string): string => `No conversation contains “${words}”.`,
    empty: 'Your conversations appear here. They are stored in this browser only.',
    pinned: 'Pinned',
    today: 'Today',
    yesterday: 'Yesterday',
    lastWeek: 'Last seven days',
    older: 'Older',
    showOlder: 'Show older',
    title: 'Title',
    actions: (title: string): string => `Actions for ${title}`,
    pin: 'Pin',
    unpin: 'Unpin',
    rename: 'Rename',
    review: 'Review',
    exportOne: 'Export',
    share: 'Share a link…',
    remove: 'Delete',
    working: 'Working',
    waiting: 'Waiting for your decision',
    unfinished: 'Did not finish',
    more: 'More actions',
    importFile: 'Import…',
    exportAll: 'Export all',
    openReview: 'Open a review',
    settings: 'Settings',
  },

  importing: {
    title: 'Import conversations',
    drop: 'Drop a file to import it',
    choose: 'Choose a file',
    chooseHint: 'Drop a .jsonl file here, or choose one. Nothing is stored before you confirm.',
    reading: 'Checking the file…',
    inFile: (sessions: number, events: number): string =>
      `${sessions === 1 ? '1 conversation' : `${sessions} conversations`}, ${events === 1 ? '1 event' : `${events} events`}.`,
    nothing: 'This file contains no conversation.',
    damaged: 'This file cannot be imported. Nothing was stored.',
    problem: (line: number, field: string, reason: string): string =>
      `Line ${line}: ${field === '' ? 'the line' : field} ${reason}`,
    moreProblems: (count: number): string => (count === 1 ? 'and 1 more problem' : `and ${count} more problems`),
    added: 'New',
    skipped: 'Already here',
    copied: 'Copy',
    replaced: 'Replaced',
    conflict: 'Conversations that are already here',
    skip: 'Keep mine',
    copy: 'Add a copy',
    replace: 'Replace mine',
    safe: 'Nothing in an imported file can run: open runs and calls are ended, and approval rules are removed.',
    run: (sessions: number): string =>
      sessions === 0
        ? 'Nothing to import'
        : sessions === 1
          ? 'Import 1 conversation'
          : `Import ${sessions} conversations`,
    otherFile: 'Choose another file',
  },

  help: {
    title: 'Keyboard shortcuts',
    everywhere: 'Everywhere',
    inChat: 'In the message field',
    inPalette: 'In lists and menus',
    palette: 'Command palette',
    newChat: 'New chat',
    search: 'Search conversations',
    settings: 'Settings',
    help: 'This help',
    undo: 'Undo the last deletion',
    stop: 'Stop the answer',
    send: 'Send',
    steer: 'Steer the running answer',
    newLine: 'New line',
    move: 'Move',
    choose: 'Choose',
    leave: 'Close',
    or: 'or',
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
  },

  chatSettings: {
    title: 'This chat',
    open: 'Model and instructions of this chat',
    model: 'Model',
    modelHint: 'Answers in this chat only. Empty: the model of the settings.',
    modelDefault: (name: string): string => `${name} (settings)`,
    modelFixed:
      'The offline demo and the browser’s model offer no choice. Connect a provider to choose a model per chat.',
    instructions: 'Instructions',
    instructionsHint: 'Added to the agent’s own instructions, in this chat only.',
    instructionsPlaceholder: 'For example: Answer in French, and keep it under 100 words.',
    applies: 'Applies from the next message.',
    save: 'Save',
    isSet: 'This chat has its own model or instructions',
  },
};

/** What a language provides. */
export type Texts = typeof en;

import { devicesEn } from './devices.ts';
import type { Texts } from './en.ts';
import { extensionsEn } from './extensions.ts';
import { settingsEn } from './settings.ts';

/** The sentences of the rooms that are loaded later. */
export const roomsEn = {
  ...devicesEn,
  ...extensionsEn,
  ...settingsEn,

  palette: {
    title: 'Command palette',
    field: 'Search commands and conversations',
    results: 'Results',
    nothing: 'Nothing found.',
    commands: 'Commands',
    conversations: 'Conversations',
    recent: 'Recent conversations',
    goToSearch: 'Search conversations',
    openSettings: 'Open settings',
    connectModel: 'Choose a model',
    showHelp: 'Keyboard shortcuts',
    reviewThis: 'Review this conversation',
    reviewFile: 'Review an exported file',
    devtools: 'Show or hide the devtools',
    exportThis: 'Export this conversation',
    exportAll: 'Export all conversations',
    importFile: 'Import conversations',
    deleteThis: 'Delete this conversation',
    pinThis: 'Pin or unpin this conversation',
    chatSettings: 'Instructions and model of this chat',
    theme: (name: string): string => `Theme: ${name}`,
    language: (name: string): string => `Language: ${name}`,
    hint: 'to choose',
    open: 'to open',
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
    chatSettings: 'Model and instructions of this chat',
    sidebar: 'Show or hide the conversations',
    answerAgain: 'Answer the last message again',
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

  importing: {
    title: 'Import conversations',
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

  chatSettings: {
    title: 'This chat',
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
  },
};

/** Every sentence of the interface. */
export type AllTexts = Texts & typeof roomsEn;

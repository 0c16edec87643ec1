import type { ConversationResult, LeftOutReason, TakenParts } from 'brooklet/storage';
import { devicesEn } from './devices.ts';
import type { Texts } from './en.ts';
import { extensionsEn } from './extensions.ts';
import { settingsEn } from './settings.ts';

/** The sentences of the rooms that are loaded later. */
export const roomsEn = {
  ...devicesEn,
  ...extensionsEn,
  ...settingsEn,

  later: {
    title: 'Send later',
    text: 'Prompt',
    time: 'When',
    hint: 'It is sent once, while Studio is open in any tab, else at your next visit.',
    planned: 'Planned prompts',
    at: (due: number): string => new Date(due).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' }),
    cancel: (text: string): string => `Do not send “${text}”`,
    plan: 'Plan',
  },
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
    sendLater: 'Send a prompt later',
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
    chooseHint:
      'Drop a file here, or choose one: an export of this app (.jsonl), the export of ChatGPT or Claude (.zip, or its conversations.json), an export of Open WebUI, LobeChat or NextChat, or a log of Claude Code, Codex or Gemini CLI. Nothing is stored before you confirm.',
    reading: 'Checking the file…',
    storing: (done: number, total: number): string => `Importing: ${done} of ${total} conversations`,
    stop: 'Stop',
    stopped: (done: number): string =>
      done === 0
        ? 'Stopped. Nothing was imported.'
        : `Stopped. ${done === 1 ? '1 conversation was' : `${done} conversations were`} imported and ${done === 1 ? 'is' : 'are'} kept.`,
    goOn: 'Go on',
    unknown:
      'This file is none that can be imported. Expected: an export of this app, conversations.json of ChatGPT or Claude, an export of Open WebUI, LobeChat or NextChat, a log of Claude Code, Codex or Gemini CLI, or messages as JSON.',
    /** A file of messages that no known program has written. */
    plainMessages: 'Messages',
    found: (format: string, conversations: number, messages: number): string =>
      `${format}: ${conversations === 1 ? '1 conversation' : `${conversations} conversations`}, ${messages === 1 ? '1 message' : `${messages} messages`}.`,
    taken: 'What is taken',
    takenParts: {
      messages: 'Messages',
      versions: 'Further versions',
      texts: 'Texts',
      reasoning: 'Reasoning',
      images: 'Images',
      audio: 'Recordings',
      files: 'Files',
      sources: 'Sources',
      calls: 'Tool calls',
      results: 'Results of tool calls',
    } satisfies Record<keyof TakenParts, string>,
    leftOut: 'What is left out',
    nothingLeftOut: 'Nothing is left out.',
    reasons: {
      'not-in-file': 'not in the file, which only names it',
      hidden: 'instructions and context that are not shown there',
      note: 'a record of the program about itself',
      'side-chain': 'of a sub-agent',
      duplicate: 'twice in the file',
      'without-call': 'its call is not in the file',
      empty: 'empty',
      encrypted: 'encrypted',
      unknown: 'of a kind that conversations do not have here',
    } satisfies Record<LeftOutReason, string>,
    parts: {
      message: 'message',
      text: 'text',
      image: 'image',
      audio: 'recording',
      video: 'video',
      file: 'file',
      source: 'source',
      call: 'tool call',
      result: 'result of a tool call',
      reasoning: 'reasoning',
      instructions: 'instructions',
      summary: 'summary',
      error: 'error',
      value: 'value',
    },
    left: (count: number, part: string, reason: string): string => `${count} × ${part}: ${reason}`,
    results: {
      added: 'New',
      extended: 'More messages',
      unchanged: 'Already here',
      empty: 'Empty',
      removed: 'Deleted here',
      busy: 'Answering now',
      unreadable: 'Damaged here',
    } satisfies Record<ConversationResult, string>,
    inFile: (sessions: number, events: number): string =>
      `${sessions === 1 ? '1 conversation' : `${sessions} conversations`}, ${events === 1 ? '1 event' : `${events} events`}.`,
    restore: 'Import conversations that were deleted here, too',
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
    again: 'The same file again adds only what is new.',
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

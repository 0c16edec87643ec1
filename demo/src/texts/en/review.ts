/** The sentences of the review that are not in `ReviewView`, in English. */
export const reviewEn = {
  /** For numbers. */
  locale: 'en',

  title: 'Review',
  back: 'Back to the conversation',
  backToAll: 'Back to the conversations',
  untitled: 'Untitled',
  opening: 'Opening…',
  notStored:
    'This session is not stored in this browser. It may have been deleted, or belong to another browser: ask for the exported file.',
  pickOwn: 'Or a session of this browser',
  pickNone: 'No other session is stored here',
  pick: 'Choose a session…',

  open: {
    button: 'Open a file',
    title: 'Open an exported session',
    hint: 'Drop a .jsonl file here, or choose one. It stays in this tab, nothing is sent, and nothing in it runs.',
    reading: 'Reading…',
    choose: 'Choose a file',
    sessions: 'Sessions of the file',
    several: (count: number): string => `This file has ${count} sessions:`,
    unreadable: 'Unreadable.',
    empty: (reason: string): string => `There is no session in this file. ${reason}`,
    cut: (reason: string): string => `Shown up to a line that cannot be read. ${reason}`,
    /** `field`: the name of a field; empty for the whole line. `reason`: the end of an English sentence. */
    problem: (line: number, field: string, reason: string): string => `Line ${line}: ${field || 'the line'} ${reason}.`,
    newer: 'A newer version of Brooklet may have written it.',
  },

  moment: 'The address of this moment',
  linkTo: (seq: number): string => `Link to event ${seq}`,

  save: {
    button: 'Save',
    session: 'Session with notes (.jsonl)',
    page: 'Page that opens anywhere (.html)',
    test: 'Copy as test',
    report: 'Bug report…',
    sessionSaved: 'The session was saved.',
    pageSaved: 'The page was saved.',
    testCopied: 'The test was copied: paste it into a file that vitest runs.',
  },

  report: {
    title: 'Bug report',
    intro: 'This makes one file. Nothing is sent: you decide who gets it. Its content:',
    what: 'What happened, and what did you expect?',
    withSession: (events: number, notes: number): string =>
      `The whole session with ${events} events and ${notes} notes: everything that was said, asked and answered`,
    page: 'The page',
    noKey: 'No key and no password: Brooklet stores none.',
    characters: (count: string): string => `${count} characters.`,
    save: 'Save the report',
    cancel: 'Cancel',
  },

  sent: {
    wire: 'Wire',
    copyBody: 'Copy the body',
    body: 'Body of the request',
    bodyHint:
      'The body that a client of this wire makes of the recorded request; “Copy the body” copies its exact bytes. It is what was sent then, if the same wire and model were used.',
    noWires: 'The code of the wires could not be loaded.',
  },

  notes: {
    inFile: 'Notes on a file last as long as this page. Save the file to keep them.',
    kept: 'Kept beside the session, and saved with it. The session itself does not change.',
  },

  compare: {
    with: 'With',
    withFile: 'Compare with a file',
    gone: 'This session is not stored here any more.',
  },
};

/** The sentences of the review that are not in `ReviewView`, in one language. */
export type ReviewTexts = typeof reviewEn;

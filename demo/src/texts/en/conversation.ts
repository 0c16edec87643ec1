import { partsEn } from './parts.ts';

/** The conversation in English: a part of `en`. */
export const conversationEn = {
  /** What Studio says in its own words in the parts of a chat; all else is the package's. */
  parts: partsEn,

  conversation: {
    label: 'Conversation',
    review: 'Review',
    reviewTitle: 'See what happened, step by step',
    offlineChip: 'Offline demo',
  },

  pane: {
    open: 'Open at the side',
    close: 'Close',
    copy: 'Copy',
    save: 'Save as a file',
    width: 'Width of the side pane',
    view: 'View',
    drawn: 'Preview',
    source: 'Source',
    titles: { answer: 'Answer', code: 'Code', page: 'Page', diagram: 'Diagram' },
    page: 'A page that the model has written',
    sandboxed: 'It runs apart from this page, and without a network.',
    left: 'The page has gone elsewhere, and was closed.',
    diagram: 'Diagram',
    notDrawn: 'The diagram could not be drawn.',
  },

  takeOut: {
    chat: 'Copy, save or print',
    answer: 'Save or print this answer',
    copy: 'Copy as Markdown',
    copied: 'Copied as Markdown',
    markdown: 'Save as Markdown',
    page: 'Save as a page (HTML)',
    print: 'Print…',
  },

  composer: {
    cleared: (host: string): string => `The reload cleared the key for ${host}. Enter it again to continue.`,
    noKeyYet: (host: string): string => `This tab has no key for ${host} yet.`,
    enterKey: 'Enter the key',
    keysLocked: 'Your API keys are locked.',
    unlock: 'Unlock',
    offline: 'Offline demo model',
    /** After the name of the model. */
    offlineHint: ' — scripted, not a real AI.',
    connect: 'Connect a model',
    mistakes: 'Models make mistakes. Check important answers.',
  },

  welcome: {
    label: 'Welcome',
    title: 'What can I do for you today?',
    text: 'An agent that runs in this tab: its tools run here, and your conversations are stored here.',
    suggestions: 'Suggestions',
    /** `text` is sent; the scripted model reads English. */
    prompts: {
      lookUp: { text: 'What time is it in Tokyo, and what is 17.5% of 240?', hint: 'Looks up and calculates' },
      note: { text: 'Remember to water the plants', hint: 'Saves a note, with your approval' },
      walk: { text: 'Plan a walk with me', hint: 'Asks what it needs to know' },
      fix: { text: 'Fix the typo in poem.txt', hint: 'Shows the change before saving it' },
    },
    more: 'More to try',
    morePrompts: {
      story: 'Tell me a long story about a brook',
      formatting: 'Show me some formatting',
      diagram: 'Show me a diagram',
      page: 'Write a small page',
      primes: 'How many primes are below 30 million?',
      draw: 'Draw the brook',
      script: 'Run a slow script',
      steps: 'Double 3 twelve times',
      research: 'Ask two researchers',
    },
    theatre: 'Try a failure',
    theatreText: 'Each of these fails on purpose, so that you can see what happens then.',
    failures: {
      limit: { text: 'Fail with a rate limit', hint: 'Retries by itself' },
      cut: { text: 'Fail midway through a story', hint: 'The connection is cut' },
      slow: { text: 'Fail slowly', hint: 'Nothing arrives for a while' },
      json: { text: 'Fail with bad JSON', hint: 'A tool call that cannot be read' },
      credit: { text: 'Fail with no credit', hint: 'The account is empty' },
      key: { text: 'Fail with a refused key', hint: 'The key is wrong' },
      cors: { text: 'Fail with a CORS error', hint: 'The browser blocks the answer' },
      overflow: { text: 'Fail with a context overflow', hint: 'The conversation is too long' },
      refusal: { text: 'Fail with a refusal', hint: 'A content filter ends the answer' },
      network: { text: 'Fail with a network error', hint: 'Nobody answers' },
    },
  },

  message: {
    answerWith: 'Answer again with…',
    fork: 'Fork from here',
    forkTitle: 'Continue from here in a new chat',
    remove: 'Delete from here',
    removeTitle: 'Delete this and all later messages?',
    removeText: (count: number): string =>
      count === 1
        ? 'This message will be removed from the conversation.'
        : `${count} messages will be removed from the conversation.`,
    removeNote: 'Fork the conversation first if you want to keep them.',
    keep: 'Keep',
    forked: (title: string): string => `You are in a copy of “${title}”`,
    /** Before the title, which is a link. */
    forkedFrom: 'Forked from',
    backToOriginal: 'Back to the original',
    /** The conversations of the agents above, of which each has called the next one. */
    above: 'Conversations above',
    /** Before the titles, which are links. */
    partOf: 'Part of',
    goneAbove: 'a conversation that is no longer here',
    pin: 'Pin in context',
    unpin: 'Unpin',
    pinTitle: 'The model always sees this message in full',
    tokens: (count: string): string => `${count} tokens`,
    tokensTitle: (input: number, output: number, model: string): string =>
      `${input} tokens in, ${output} tokens out${model === '' ? '' : `, ${model}`}`,
    fallback: 'Answered by the fallback model',
    fallbackReason: (reason: string): string => `The chosen model failed: ${reason}`,
  },

  tool: {
    function: 'Tool',
    unknown: 'A tool',
    inThisTab: (verdict: string): string => `${verdict} in this tab`,
    inOtherTab: (verdict: string, tab: string): string => `${verdict} in another tab (${tab})`,
    tooLateOther: (verdict: string, tab: string): string =>
      `Your decision came too late: ${verdict.toLowerCase()} in another tab (${tab}).`,
    rule: {
      approved: 'Approved, as you decided before',
      rejected: 'Declined, as you decided before',
      forSession: ' for this conversation',
      forAgent: ' for every conversation',
      revoked: '; you have revoked that since',
      revoke: 'Revoke',
    },
    noFiles: 'No files.',
    errors: 'Errors',
    exitCode: (code: number): string => `Exit code ${code}`,
  },

  /** By the name of the tool: what the call does, as a person would say it. */
  toolTitles: {
    add_note: 'Add a note',
    ask_user: 'Question',
    calculate: 'Calculate',
    count_primes: 'Count primes',
    current_time: 'Check the time',
    delete_note: 'Delete a note',
    draw_brook: 'Draw the brook',
    edit_file: 'Edit a file',
    list_files: 'List files',
    list_notes: 'Read your notes',
    patch_file: 'Change a file',
    read_file: 'Read a file',
    read_skill: 'Read a skill',
    run_javascript: 'Run JavaScript',
    search_notes: 'Search your notes',
    write_file: 'Write a file',
  },

  /** The results of the page's own tools in a line. */
  toolSummaries: {
    time: (weekday: string, time: string, zone: string): string => `${weekday}, ${time} (${zone})`,
    noteAdded: (id: string): string => `Note ${id} added`,
    notes: (count: string): string => (count === '1' ? '1 note' : `${count} notes`),
    notesFound: (count: string, words: string): string =>
      `${count === '1' ? '1 note' : `${count} notes`} with “${words}”`,
    noteDeleted: (id: string): string => `Note ${id} deleted`,
    files: (count: number): string => `${count} files`,
    primes: (primes: string, below: string): string => `${primes} primes below ${below}`,
    brook: (waves: string): string => `The brook, with ${waves} waves`,
    answered: (answer: string): string => (answer === '' ? 'Answered' : `Answered: ${answer}`),
    result: (result: string): string => `Result: ${result}`,
  },

  run: {
    stepLimit:
      'It reached the limit of requests to the model for one answer. Continue allows the same amount again; the settings of this chat have the limit.',
    openSettings: 'Open settings',
    dismiss: 'Dismiss',
    openBackup: 'Open an exported file…',
  },

  context: {
    marker: (before: string, after: string): string =>
      `For the model, everything above is summed up: ${before} → ${after} tokens`,
  },

  storageStrip: {
    memory: 'Not saved: this conversation is lost when you close this tab.',
    failed: (reason: string): string =>
      `Not saved: ${reason} You can continue here; the conversation is saved as soon as the storage works again.`,
    full: 'Not saved: the storage of this browser is full. Delete conversations that you no longer need; this one is saved as soon as there is room.',
    toStorage: 'Open the storage settings',
    reload: 'Reload',
    damaged:
      'A part of this conversation is damaged. What is left can be read and exported. To continue, make a copy of it, or start a new chat.',
    newer: 'A newer version of this page has written this conversation. Reload the page to continue.',
    copy: 'Continue in a copy',
    newChat: 'New chat',
  },

  markdown: {
    formula: 'Formula',
    picture: 'Picture',
    refusedPicture: (name: string): string => `${name} (address refused)`,
    pictureAt: (name: string, host: string): string => `${name} (picture at ${host})`,
    pictureFailed: (name: string, host: string): string => `${name} could not be loaded from ${host}`,
    loadPicture: (host: string): string => `Load picture from ${host}`,
    noAddress: 'no address',
    refusedLink: 'This address is not safe to link.',
  },
};

import { abilities, formatting, story } from './texts.ts';

/** What the offline model says and asks, in English. Its type is what each other language has to provide. */
export const wordsEn = {
  /** Of `Intl`. */
  locale: 'en',
  abilities,
  story,
  formatting,
  greeting: `Hello! ${abilities}`,
  thanks: 'You are welcome.',
  done: 'That is done.',
  notUnderstood: `I did not understand that. ${abilities}`,
  slow: 'That took a while, as you asked. You could have stopped it at any time.',
  refusal: 'I would rather not',
  together: 'I will look these up together.',
  diagram: `A brook, from the spring to the river:

\`\`\`mermaid
flowchart LR
  spring([Spring]) --> mill[Mill]
  mill --> fork{Much water?}
  fork -->|yes| meadow[Meadow]
  fork -->|no| garden[Gardens]
  meadow --> river([River])
  garden --> river
\`\`\`
`,
  page: `Here is a page that counts. Open it at the side to use it.

\`\`\`html
<!doctype html>
<title>Herons</title>
<style>
  body { font: 1.25rem system-ui; display: grid; place-content: center; gap: 1rem; min-height: 90vh; text-align: center }
  button { font: inherit; padding: 0.5em 1em }
</style>
<p>Herons seen: <output>0</output></p>
<button>Another one</button>
<script>
  const count = document.querySelector('output');
  document.querySelector('button').onclick = () => { count.value = Number(count.value) + 1; };
</script>
\`\`\`
`,
  thought: (tools: number, more: string): string =>
    `The user wants something that ${tools === 1 ? 'a tool' : 'tools'} can do for me. ${more}`,
  independent: 'The calls do not depend on each other, so I request all of them at once.',
  thoughts: {
    current_time: 'I cannot know the time by myself, so I ask for it.',
    calculate: 'A calculation is better than a guess.',
    list_notes: 'I have to read the notes first.',
    add_note: 'Saving changes the notes in this browser, so the user must approve it first.',
    delete_note: 'Deleting cannot be undone, so the user must approve it first.',
    list_files: 'I have to see which files there are.',
    read_file: 'I have to read the file before I change it.',
    edit_file: 'I know what to change. The user will see the change first.',
    count_primes: 'That takes a while; the tool reports its progress.',
    draw_brook: 'A picture shows it best.',
    run_javascript: 'In the sandbox the script can do no harm.',
    ask_researcher: 'Two questions, so I ask two researchers at once.',
    ask_user: 'Only the user knows that, so I ask.',
  } as Readonly<Record<string, string>>,
  fails: {
    credit: '402 from the offline demo: the account has no credit (as you asked).',
    overflow: '400 from the offline demo: the conversation is too long (as you asked).',
    cors: 'The offline demo pretends that the browser blocked the answer: the server does not allow this page (CORS). Allow its origin on the server.',
    refused: '401 from the offline demo: the key was refused (as you asked). Check it in Settings.',
    limit: '429 from the offline demo: too many requests (as you asked).',
    network: 'The offline demo pretends that nothing answered (as you asked). Try again.',
  },
  afterLimit: 'Now it worked, without any help from you.',
  afterJSON: 'The input of that call was not JSON, so the tool did not run. A real model would correct it now.',
  afterFailure: 'This time it worked: that is what *Try again* is for.',
  calls: {
    researched: (task: string, answer: string): string => `On “${task}” a researcher says: ${answer}`,
    rejected: (name: string, reason: string): string =>
      `You declined \`${name}\`${reason === '' ? '' : ` (“${reason}”)`}, so nothing was done.`,
    expired: (name: string): string => `\`${name}\` was not decided in time, so nothing was done.`,
    cancelled: (name: string): string => `\`${name}\` was stopped.`,
    uncertain: (name: string): string =>
      `It is unknown whether \`${name}\` has run: the page was closed or reloaded while it ran. Check before you ask again.`,
    failed: (name: string, output: string): string => `\`${name}\` failed: ${output}`,
    time: (time: string, weekday: string, date: string, zone: string): string =>
      `It is **${time}** on ${weekday}, ${date} (${zone}).`,
    result: (expression: string, result: string): string => `\`${expression}\` is **${result}**.`,
    noNotes: 'You have no notes yet. Try “Remember to water the plants”.',
    notes: (list: string): string => `Your notes:\n\n${list}`,
    note: (text: string, id: number): string => `- ${text} (note ${id})`,
    saved: (text: string, isChanged: boolean): string => `Saved${isChanged ? ', with your change' : ''}: “${text}”.`,
    deleted: (text: string): string => `Deleted the note “${text}”.`,
    files: (count: number): string => `There are ${count} files.`,
    fixed: (path: string): string => `I have fixed \`${path}\`.`,
    primes: (primes: string, below: string): string => `There are **${primes}** primes below ${below}.`,
    drawn: 'Here it is, as I imagine it.',
    ran: (result: string): string => `It ran and returned \`${result}\`.`,
    returned: (name: string, output: string): string => `\`${name}\` returned ${output}`,
    unreadNotes: 'I could not read your notes, so nothing was deleted.',
    nothingToDelete: 'You have no notes, so there is nothing to delete.',
    noSuchNote: (which: string, list: string): string => `None of your notes is about “${which}”. You have:\n\n${list}`,
    noMistake: 'I find no mistake in `poem.txt`.',
    pleased: (name: string): string => `I am pleased to meet you, ${name}.`,
    noTool: (name: string): string => `I have no tool \`${name}\`.`,
  },
  walk: {
    way: 'Which way shall we go?',
    ways: ['Upstream, to the spring', 'Downstream, to the river', 'Along the meadow'] as readonly string[],
    details: 'What do I need to know for the walk?',
    day: 'Which day?',
    days: ['Friday', 'Saturday', 'Sunday'] as readonly string[],
    people: 'How many are coming?',
    picnic: 'Bring a picnic',
    extra: 'Anything else?',
    name: 'What is your name?',
    settled: (way: string, day: string): string => `Then it is settled: **${way.toLowerCase()}**, on ${day}.`,
    us: (people: string): string => `${people === '1' ? 'One of us' : `${people} of us`}, at nine, by the mill`,
    withPicnic: 'A picnic in the basket',
    withoutPicnic: 'No picnic; there is an inn',
    and: (extra: string): string => `And: ${extra}`,
  },
  script: {
    counting: 'Counting herons…',
    day: (day: string): string => `day ${day}`,
    end: 'The water has reached the mill.',
  },
};

export type OfflineWords = typeof wordsEn;

import { describe, expect, it } from 'vitest';
import { readIntents, type Intent } from '../../demo/src/offline/intents.ts';

describe('readIntents', () => {
  it.each<readonly [string, readonly Intent[]]>([
    ['What time is it?', [{ type: 'time' }]],
    ['what’s the time in New York', [{ type: 'time', place: 'New York', timeZone: 'America/New_York' }]],
    ['What is 17.5% of 240?', [{ type: 'calculate', expression: '17.5 / 100 * 240' }]],
    ['What is 12 times (3 plus 4)?', [{ type: 'calculate', expression: '12 * (3 + 4)' }]],
    ['Work out the square root of 2 squared, please.', [{ type: 'calculate', expression: 'sqrt(2) ^ 2' }]],
    ['1,250 divided by 5', [{ type: 'calculate', expression: '1250 / 5' }]],
    ['Is it true (that 2 + 3 is 5)?', [{ type: 'calculate', expression: '2 + 3' }]],
    ['1/0', [{ type: 'calculate', expression: '1/0' }]],
    [
      'What time is it in Tokyo, and what is 6 * 7?',
      [
        { type: 'time', place: 'Tokyo', timeZone: 'Asia/Tokyo' },
        { type: 'calculate', expression: '6 * 7' },
      ],
    ],
    ['Remember to water the plants', [{ type: 'save-notes', texts: ['water the plants'] }]],
    ['Save a note: “3 + 4 is 7”', [{ type: 'save-notes', texts: ['3 + 4 is 7'] }]],
    ['Save three notes: bread, milk and eggs', [{ type: 'save-notes', texts: ['bread', 'milk', 'eggs'] }]],
    ['What is 10 + 50%?', [{ type: 'calculate', expression: '10 + 50 / 100' }]],
    ['Which files are there?', [{ type: 'list-files' }]],
    ['Fix the typo in poem.txt', [{ type: 'fix-file' }]],
    ['How many primes are below 30 million?', [{ type: 'primes', below: 30_000_000 }]],
    ['Count the primes up to 1,000', [{ type: 'primes', below: 1000 }]],
    ['Draw the brook', [{ type: 'draw' }]],
    ['Run some JavaScript', [{ type: 'run', isSlow: false }]],
    ['Run a slow script', [{ type: 'run', isSlow: true }]],
    ['Plan a walk with me', [{ type: 'walk' }]],
    ['Ask me something', [{ type: 'ask' }]],
    ['Double 3 twelve times', [{ type: 'steps', from: 3, times: 12 }]],
    ['Double 2 4 times, step by step', [{ type: 'steps', from: 2, times: 4 }]],
    ['Show my notes', [{ type: 'list-notes' }]],
    ['Which notes do I have?', [{ type: 'list-notes' }]],
    ['Delete note 2', [{ type: 'delete-note', which: '2' }]],
    ['Delete the note about plants', [{ type: 'delete-note', which: 'plants' }]],
    ['Delete my milk note', [{ type: 'delete-note', which: 'milk' }]],
    ['Delete all my notes', [{ type: 'delete-note', which: 'all' }]],
    ['Tell me a long story', [{ type: 'long' }]],
    ['Show me some formatting', [{ type: 'formatting' }]],
    ['Fail midway through a story', [{ type: 'fail', how: 'cut' }]],
    ['Please fail with a refused key', [{ type: 'fail', how: 'refused' }]],
    ['Hit a rate limit error', [{ type: 'fail', how: 'limit' }]],
    ['Fail', [{ type: 'fail', how: 'network' }]],
    ['Hello there', [{ type: 'greeting' }]],
    ['Who painted the Mona Lisa?', []],
  ])('reads “%s”', (text, intents) => {
    expect(readIntents(text)).toEqual(intents);
  });
});

import { describe, expect, it } from 'vitest';
import { readWishes, type Wish } from '../../demo/src/offline/wishes.ts';

describe('readWishes', () => {
  it.each<readonly [string, readonly Wish[]]>([
    ['What time is it?', [{ want: 'time' }]],
    ['what’s the time in New York', [{ want: 'time', place: 'New York', timeZone: 'America/New_York' }]],
    ['What is 17.5% of 240?', [{ want: 'calculate', expression: '17.5 / 100 * 240' }]],
    ['What is 12 times (3 plus 4)?', [{ want: 'calculate', expression: '12 * (3 + 4)' }]],
    ['Work out the square root of 2 squared, please.', [{ want: 'calculate', expression: 'sqrt(2) ^ 2' }]],
    ['1,250 divided by 5', [{ want: 'calculate', expression: '1250 / 5' }]],
    ['Is it true (that 2 + 3 is 5)?', [{ want: 'calculate', expression: '2 + 3' }]],
    ['1/0', [{ want: 'calculate', expression: '1/0' }]],
    [
      'What time is it in Tokyo, and what is 6 * 7?',
      [
        { want: 'time', place: 'Tokyo', timeZone: 'Asia/Tokyo' },
        { want: 'calculate', expression: '6 * 7' },
      ],
    ],
    ['Remember to water the plants', [{ want: 'save-notes', texts: ['water the plants'] }]],
    ['Save a note: “3 + 4 is 7”', [{ want: 'save-notes', texts: ['3 + 4 is 7'] }]],
    ['Save three notes: bread, milk and eggs', [{ want: 'save-notes', texts: ['bread', 'milk', 'eggs'] }]],
    ['What is 10 + 50%?', [{ want: 'calculate', expression: '10 + 50 / 100' }]],
    ['Which files are there?', [{ want: 'list-files' }]],
    ['Fix the typo in poem.txt', [{ want: 'fix-file' }]],
    ['How many primes are below 30 million?', [{ want: 'primes', below: 30_000_000 }]],
    ['Count the primes up to 1,000', [{ want: 'primes', below: 1000 }]],
    ['Draw the brook', [{ want: 'draw' }]],
    ['Run some JavaScript', [{ want: 'run', isSlow: false }]],
    ['Run a slow script', [{ want: 'run', isSlow: true }]],
    ['Plan a walk with me', [{ want: 'walk' }]],
    ['Ask me something', [{ want: 'ask' }]],
    ['Double 3 twelve times', [{ want: 'steps', from: 3, times: 12 }]],
    ['Double 2 4 times, step by step', [{ want: 'steps', from: 2, times: 4 }]],
    ['Show my notes', [{ want: 'list-notes' }]],
    ['Which notes do I have?', [{ want: 'list-notes' }]],
    ['Delete note 2', [{ want: 'delete-note', which: '2' }]],
    ['Delete the note about plants', [{ want: 'delete-note', which: 'plants' }]],
    ['Delete my milk note', [{ want: 'delete-note', which: 'milk' }]],
    ['Delete all my notes', [{ want: 'delete-note', which: 'all' }]],
    ['Tell me a long story', [{ want: 'long' }]],
    ['Show me some formatting', [{ want: 'formatting' }]],
    ['Fail midway through a story', [{ want: 'fail', how: 'cut' }]],
    ['Please fail with a refused key', [{ want: 'fail', how: 'refused' }]],
    ['Hit a rate limit error', [{ want: 'fail', how: 'limit' }]],
    ['Fail', [{ want: 'fail', how: 'network' }]],
    ['Hello there', [{ want: 'greeting' }]],
    ['Who painted the Mona Lisa?', []],
  ])('reads “%s”', (text, wishes) => {
    expect(readWishes(text)).toEqual(wishes);
  });
});

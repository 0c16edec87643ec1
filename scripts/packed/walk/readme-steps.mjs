// What the README has a newcomer do, step by step, as it says it.

/**
 * A command to run, a file to write, or a message to write into the page.
 *
 * @typedef {{ readonly do: 'run', readonly command: string }
 *   | { readonly do: 'write', readonly path: string, readonly text: string }
 *   | { readonly do: 'say', readonly text: string }} Step
 */

const given = /```(?<language>\w+)\n(?<code>.*?)```|\bwrite: \*(?<message>[^*\n]+)\*/gs;
const fileNames = /`([\w./-]+\.(?:tsx?|css|html))`/g;

/**
 * Returns the steps from an empty project to an approved call, in the order of the README.
 *
 * @param {string} readme
 * @returns {readonly Step[]}
 */
export const readSteps = (readme) => [
  ...startBy('npm create vite', readme),
  ...readChapter('A chat in React', readme).flat(),
  ...readChapter('Ask for approval', readme).flat(),
];

/**
 * Returns the commands of the block of "Start" that has a text: each block is another start.
 *
 * @param {string} part
 * @param {string} readme
 * @returns {readonly Step[]}
 */
export function startBy(part, readme) {
  const found = readChapter('Start', readme).find((steps) =>
    steps.some((step) => step.do === 'run' && step.command.includes(part)),
  );
  if (!found) throw new Error(`The README starts nothing by ${part}.`);
  return found;
}

/**
 * Returns the steps of a chapter, a list for each block. Throws where the README leaves something to the reader: in which file a code belongs, and where that is.
 *
 * @param {string} name
 * @param {string} readme
 * @returns {readonly (readonly Step[])[]}
 */
function readChapter(name, readme) {
  const chapter = readme.split(/^## /m).find((part) => part.startsWith(`${name}\n`));
  if (chapter === undefined) throw new Error(`The README has no chapter "${name}".`);
  let end = 0;
  return Array.from(chapter.matchAll(given), ({ 0: all, index, groups = {} }) => {
    const before = chapter.slice(end, index);
    end = index + all.length;
    const { language, code = '', message } = groups;
    if (message !== undefined) return [{ do: 'say', text: message }];
    if (language === 'sh') return commandsIn(code).map((command) => ({ do: 'run', command }));
    const path = Array.from(before.matchAll(fileNames), ([, file = '']) => file).at(-1);
    if (!path?.includes('/')) throw new Error(`The README names no file, with its folder, for this code:\n${code}`);
    return [{ do: 'write', path, text: code }];
  });
}

/** @param {string} code @returns {readonly string[]} */
const commandsIn = (code) =>
  code
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '')
    .flatMap((line) => line.split(/\s*&&\s*/));

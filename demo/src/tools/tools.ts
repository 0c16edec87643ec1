import type { Tool } from 'brooklet';
import { arithmeticTool, askTool, clockTool, notesTools, sandboxTool } from 'brooklet/tools';
import { drawBrook } from './drawing.ts';
import { fileTools } from './files.ts';
import { countPrimes } from './primes.ts';
import { askResearcher } from './researcher.ts';

/** ms */
const tenMinutes = 600_000;

/** Tools that need no page: a worker runs them, too. */
export const freeTools: readonly Tool[] = [
  clockTool(),
  arithmeticTool(),
  ...notesTools({ needsApproval: { add: true, delete: true } }),
  askTool({ approvalTimeout: tenMinutes }),
  countPrimes,
  drawBrook,
  askResearcher,
];

/** Tools that need the document, or localStorage. */
export const pageTools: readonly Tool[] = [sandboxTool(), ...fileTools];

/** The tools of the package, and three examples of custom tools. Tools that change something need an approval. */
export const tools: readonly Tool[] = [...freeTools, ...pageTools];

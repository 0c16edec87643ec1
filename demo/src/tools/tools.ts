import type { Tool } from 'brooklet';
import { arithmeticTool, askTool, clockTool, notesTools, sandboxTool } from 'brooklet/tools';
import { drawBrook } from './drawing.ts';
import { fileTools } from './files.ts';
import { countPrimes } from './primes.ts';

/** ms */
const tenMinutes = 600_000;

/** Tools that come with the package, and three examples of one's own. What changes something asks the person first. */
export const tools: readonly Tool[] = [
  clockTool(),
  arithmeticTool(),
  ...notesTools({ needsApproval: { add: true, delete: true } }),
  askTool({ approvalTimeout: tenMinutes }),
  sandboxTool(),
  ...fileTools,
  countPrimes,
  drawBrook,
];

import type { Tool } from 'brooklet';
import { arithmeticTool, askTool, clockTool, notesTools, sandboxTool } from 'brooklet/tools';
import { drawBrook } from './drawing.ts';
import { fileTools } from './files.ts';
import { countPrimes } from './primes.ts';
import { askResearcher } from './researcher.ts';

/** ms */
const tenMinutes = 600_000;

/** The tools of the package, and three examples of custom tools. Tools that change something need an approval. */
export const tools: readonly Tool[] = [
  clockTool(),
  arithmeticTool(),
  ...notesTools({ needsApproval: { add: true, delete: true } }),
  askTool({ approvalTimeout: tenMinutes }),
  sandboxTool(),
  ...fileTools,
  countPrimes,
  drawBrook,
  askResearcher,
];

import { fail } from '../../../core/error.ts';

/** What an export leaves out. Each place that was masked contains `[masked]`, or nothing where a text does not fit. */
export interface ExportMask {
  /** Images, sounds and files lose their data, their address and their name. */
  readonly attachments?: boolean;
  /** Results of tools, their presentation, answers to their questions, and what ran at the provider. */
  readonly toolOutputs?: boolean;
  /** The instructions and presets of the requests, and every other system message. */
  readonly instructions?: boolean;
  /**
   * Whatever matches one of these is replaced: in texts, titles, names, ids, errors, summaries, metadata, and in inputs and outputs of tools.
   * A file that matches, as base64 or as text, loses its data.
   */
  readonly patterns?: readonly RegExp[];
}

/** What was masked in a file. The patterns themselves are not stored: they may contain what they hide. */
export interface MaskNotice {
  readonly attachments: boolean;
  readonly toolOutputs: boolean;
  readonly instructions: boolean;
  /** Number of patterns. */
  readonly patterns: number;
}

/** Returns the notice of a mask. @throws AgentError `INVALID_INPUT` for a pattern that is not a regular expression */
export function toNotice({ attachments, toolOutputs, instructions, patterns = [] }: ExportMask): MaskNotice {
  for (const pattern of patterns)
    if (!(pattern instanceof RegExp)) fail('INVALID_INPUT', '`mask.patterns` contains a value that is not a RegExp.');
  return {
    attachments: attachments === true,
    toolOutputs: toolOutputs === true,
    instructions: instructions === true,
    patterns: patterns.length,
  };
}

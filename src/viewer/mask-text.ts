import type { MaskNotice } from '../storage/files/mask/options.ts';
import type { ViewerTexts } from './texts/en.ts';

/** Returns a sentence that says what is missing in the file. */
export function maskText(
  { masked, maskedParts }: ViewerTexts,
  { attachments, toolOutputs, instructions, patterns }: MaskNotice,
): string {
  return masked([
    ...(attachments ? [maskedParts.attachments] : []),
    ...(toolOutputs ? [maskedParts.toolOutputs] : []),
    ...(instructions ? [maskedParts.instructions] : []),
    ...(patterns > 0 ? [maskedParts.patterns(patterns)] : []),
  ]);
}

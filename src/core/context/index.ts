// How a conversation is kept within the model's window: strategies, estimators and reports.
export type { ContextAgentOptions, ContextOptions, ContextRunOptions, Scratch } from './options.ts';
export type { ContextReport, LastRequest, ZoneReport } from './report.ts';
export type { CompactionInput, CompactionStrategy } from './strategy.ts';
export { summarize } from './summarize.ts';
export { dropOldest } from './drop-oldest.ts';
export { keepTools } from './keep-tools.ts';
export { estimateText } from './tokens.ts';
export { rebuildRequest } from './rebuild-request.ts';
export { anthropicImage, estimateMedia, imageSize, openAIImage, type ImageSize } from './media.ts';

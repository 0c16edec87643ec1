// In the order in which to read it.
export { toOTLP, type OTLPOptions } from './to-otlp.ts';
export type { OTLPAttribute, OTLPLink, OTLPSpan, OTLPTraces, OTLPValue } from './otlp.ts';
export { usageReport, type UsageReportOptions, type UsageSource } from './usage-report.ts';

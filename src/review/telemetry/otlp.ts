// OTLP 1.x as JSON: opentelemetry/proto/trace/v1/trace.proto by the rules of its JSON encoding. Ids are hex, 64-bit numbers are strings.

/** A value of an attribute. */
export type OTLPValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly boolValue: boolean }
  | { readonly arrayValue: { readonly values: readonly OTLPValue[] } };

/** One attribute. */
export interface OTLPAttribute {
  readonly key: string;
  readonly value: OTLPValue;
}

/** A reference to another span. */
export interface OTLPLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: readonly OTLPAttribute[];
}

/** One span: a run, a request or a call. */
export interface OTLPSpan {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1: internal, 3: client. */
  readonly kind: 1 | 3;
  /** ns since the epoch. */
  readonly startTimeUnixNano: string;
  /** ns since the epoch. */
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OTLPAttribute[];
  readonly links: readonly OTLPLink[];
  /** 0: unset, 2: error. */
  readonly status: { readonly code: 0 | 2; readonly message?: string };
}

/** The body of a request to `/v1/traces`. */
export interface OTLPTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OTLPAttribute[] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string };
      readonly spans: readonly OTLPSpan[];
      readonly schemaUrl: string;
    }[];
  }[];
}

/** Values of attributes by their key. A field that is `undefined` is left out; a whole number is an integer unless its name is that of a fraction. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Attributes that are fractions also where they are whole. */
const fractions = /\.temperature$/;

export function toAttributes(values: Attributes): readonly OTLPAttribute[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : { key, value: toValue(value, fractions.test(key)) },
  );
}

function toValue(value: string | number | boolean | readonly string[], isFraction: boolean): OTLPValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return isFraction || !Number.isSafeInteger(value) ? { doubleValue: value } : { intValue: String(value) };
  return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } };
}

/** The largest time that 64 bits hold in ns, in ms. */
const latest = 18_446_744_073_709;

/** Returns ns since the epoch as text, for a time in ms. */
export function toNano(at: number): string {
  return String(BigInt(Math.round(Math.min(Math.max(at, 0), latest))) * 1_000_000n);
}

/** Returns an id of so many hex digits that is always the same for the same text, and never 0. Not cryptographic. */
export function toHexId(text: string, digits: 16 | 32): string {
  let id = '';
  for (let salt = 0; id.length < digits; salt++) id += hash32(`${salt} ${text}`).toString(16).padStart(8, '0');
  return /[^0]/.test(id) ? id : id.replace(/0$/, '1');
}

/** FNV-1a with the final mixing of MurmurHash3, so that similar texts have different ids. */
function hash32(text: string): number {
  let sum = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  sum = Math.imul(sum ^ (sum >>> 13), 0xc2b2ae35);
  return (sum ^ (sum >>> 16)) >>> 0;
}

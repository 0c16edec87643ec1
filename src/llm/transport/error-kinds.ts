import type { AgentErrorCode } from '../../core/error.ts';
import type { ErrorBody } from './error-body.ts';

/** What an error reply means. */
export interface ErrorKind {
  readonly code: AgentErrorCode;
  /** What happened, for a person. */
  readonly what: string;
  /** What to do next. */
  readonly next: string;
}

/** A kind, and how services state it. */
interface Known extends ErrorKind {
  /** Matches one whole identifier of the error, in lower case. */
  readonly names?: RegExp;
  /** Matches the words of the message, outside of quotes. */
  readonly words?: RegExp;
  /** Whether a stated delay excludes the kind: Google reports a limit per minute as "quota" too, but then states when to try again. */
  readonly noDelay?: boolean;
}

const later = 'Try again later.';

const brokenCall: Known = {
  code: 'LLM_API_ERROR',
  names: /^tool_use_failed$/,
  what: 'the model wrote a broken tool call',
  next: 'Try again.',
};

const overflow: Known = {
  code: 'CONTEXT_OVERFLOW',
  names:
    /^(context_length_exceeded|contextwindowexceedederror|exceed_context_size_error|request_too_large|model_context_window_exceeded|tokens_limit_reached|prompt_too_long|string_above_max_context)$/,
  words:
    /context.{0,3}(length|window|size|limit)|context the overflows|prompt exceeds|(prompt|input|request|conversation|messages)( is| are|'s)? too (long|large)|(prompt|input|request).{0,40}\blonger than|maximum (model|prompt|input) length|token.{0,60} exceeds? the|exceed.{0,20} token limit|too many (input |prompt )?tokens|exceeds? the maximum number of tokens|reduce the length|range of input|tokens \+ .{0,20}must be|max tokens allowed|request exceeds the maximum size|(prompt|input)( length)?( \(.{0,20}\))? exceeds (the )?(maximum|model)|上下文.{0,8}(超|过长)|输入.{0,6}过长/is,
  what: 'the conversation is too long for the model',
  next: 'Shorten it.',
};

/** Kinds in order: the first counts whose names match, then the first whose words match. */
const known: readonly Known[] = [
  brokenCall,
  overflow,
  {
    code: 'INSUFFICIENT_QUOTA',
    names: /^(billing_hard_limit_reached|budget_?exceeded(error)?|spending_limit.*|usage_limit_(reached|exceeded))$/,
    words:
      /(spending|billing|budget|hard|monthly|usage) (limit|cap|quota)s?\b.{0,40}\b(reached|exceeded|hit)|(reached|exceeded|hit|over)\b.{0,40}\b(spending|billing|budget|api usage|monthly usage) (limit|cap|quota)s?|budget has been exceeded/is,
    noDelay: true,
    what: 'the spending limit of the account is reached',
    next: 'Raise the limit, or wait until it is renewed.',
  },
  {
    code: 'INSUFFICIENT_QUOTA',
    names:
      /^(insufficient_(quota|balance|credits?|funds)(_error)?|exceeded_current_quota_error|billing_not_active|billing_error|creditserror|arrearage|payment_required|quota_exceeded)$/,
    words:
      /insufficient.(quota|balance|credit|funds)|credit balance|(any|available|enough|out of|more) credits|current.quota|arrearage|not? enough (balance|funds)|check your (plan|billing)|余额|欠费/is,
    noDelay: true,
    what: 'the account has no credit',
    next: 'Add credit.',
  },
  {
    code: 'OVERLOADED',
    names:
      /^(overloaded(_error)?|engine_overloaded(_error)?|model_overloaded|capacity_exceeded|slow_down|server_overloaded)$/,
    words:
      /\b(is|are|currently|temporarily) (currently |temporarily )?overloaded|^overloaded|server is busy|service is too busy/is,
    what: 'the service is overloaded',
    next: later,
  },
  {
    code: 'RATE_LIMIT_EXCEEDED',
    names:
      /^(rate_?limit.*|ratelimiterror|too_many_requests|limit_requests|limit_burst_rate|throttling.*|throttled|tokens_per_min.*)$/,
    words:
      /rate.?limit(s|ed)?\b.{0,40}\b(reached|exceeded|hit)|rate.limited|(exceed|reached|hit|over).{0,60}\brate.?limit|^rate.?limit|too many requests|\bthrottl(ed|ing)\b|请求.{0,6}(频繁|过多)|限流/is,
    what: 'too many requests',
    next: later,
  },
  {
    code: 'CONTENT_FILTERED',
    names:
      /^(content_?filter(ed)?|contentfilter.*|content_policy_violation|responsibleaipolicyviolation|data_?inspection_?failed|(.*_)?sensitive|moderation_(blocked|error)|safety|prohibited_content|image_safety|sensitive_content_detected|safety_check_.*|risk_control.*|content_moderation.*)$/,
    words:
      /content (filter|filtering|management) |content.filter|(content|safety|usage|acceptable.use|responsible ai).{0,20}(policy|policies|guidelines?)\b|(violat|reject|block|refus)\w* .{0,60}\b(policy|policies|guidelines?|safety|moderation)|\bflagged\b|requires moderation|safety system|content exists risk|high risk|inappropriate|(unsafe|sensitive) (or \w+ )?(content|information|words?|material)|(is|are|as|contains?) sensitive\b|敏感|违规|不安全/is,
    what: 'a content filter stopped it',
    next: 'Rephrase the message.',
  },
  {
    code: 'AUTHENTICATION_FAILED',
    names:
      /^(authentication_error|invalid_authentication(_error)?|invalid_api_?key|api_?key_(invalid|expired|missing|not_found)|unauthenticated|unauthorized|incorrect_api_key|expired_api_key|account_deactivated|missing_api_key|invalid_token|authenticationerror)$/,
    words:
      /(invalid|incorrect|missing|wrong|expired|revoked|unknown|bad|no|malformed|disabled)( or \w+)? (x-)?(api.?key|authorization|auth(entication)?|token|access token|subscription key|credentials)\b|\b(api.?key|authorization|access token)\b(?!s? id)( provided)?,? (is |was |has |not |header is |must |missing|invalid|required|expired|could not|reported)|authentication (fails?|failed|is required|error)|(provide|pass|set|check) (an?|your|a valid|the) .{0,10}api.?key|(?<!not )unauthorized|令牌|密钥/is,
    what: 'the key was refused',
    next: 'Check that it is complete, and made for this service.',
  },
  {
    code: 'PERMISSION_DENIED',
    names:
      /^(permission_(denied|error)|permissiondeniederror|forbidden|access_denied|unsupported_country_region_territory|request_forbidden|insufficient_permissions?)$/,
    words: /insufficient permissions?|missing scopes?|(does|do) not have permission|permission denied/is,
    what: 'the key may not be used for this',
    next: 'Check its permissions.',
  },
  {
    code: 'INVALID_REQUEST',
    names: /^(unsupported_(model_)?feature|tools_not_supported)$/,
    words:
      /no endpoints found (that|matching|which)|no (available |allowed )?(model )?providers? .{0,20}(meets?|support|match|available)|only (supported|available) (in|via|with|through) (the |"")|not a chat model|(does|do) not support (tool|function|image|vision|audio|file|structured|reasoning|thinking|stream|system|response)|data policy/is,
    what: 'no model there does all that the request asks for',
    next: 'Choose another model, or leave out what it does not support: tools, images, or a parameter.',
  },
  {
    code: 'MODEL_NOT_FOUND',
    names:
      /^(model_(not_found|not_available|not_exist|not_supported|unavailable)|invalid_model(_id)?|deploymentnotfound|unknown_model|model_does_not_exist|model_not_loaded)$/,
    words:
      /\bmodel\b.{0,100}(not.(exist|found|available|loaded)|not have access)|(unknown|no such|invalid|valid|not found the|unable to access|unrecognized) model|deployment .{0,40}does not exist|no models loaded|no endpoints found for|模型.{0,10}不存在/is,
    what: 'the model is not known there',
    next: 'Check its name.',
  },
  {
    code: 'REQUEST_TIMEOUT',
    names: /^(.*timeout.*|deadline_exceeded)$/,
    what: 'the service took too long',
    next: later,
  },
];

const refused: ErrorKind = {
  code: 'INVALID_REQUEST',
  what: 'the request was refused',
  next: 'Check the model and its parameters.',
};
const noAddress: ErrorKind = {
  code: 'INVALID_REQUEST',
  what: 'nothing is at this address',
  next: 'Check the base URL; most end in /v1.',
};
const unknown: ErrorKind = { code: 'LLM_API_ERROR', what: 'the service failed', next: later };

/** A page instead of an error: a proxy, a firewall or a login in front of the service, which knows nothing of models. */
const pageRefused: ErrorKind = {
  code: 'INVALID_REQUEST',
  what: 'a server on the way refused the request, with a web page in the place of an answer',
  next: 'Check the base URL, and what is between this page and the service.',
};
const pageTooLarge: ErrorKind = {
  ...pageRefused,
  what: 'a server on the way refused the request as too large, with a web page or nothing in the place of an answer',
  next: 'Send fewer or smaller attachments, or raise the limit of that server.',
};

/** Hosts that refuse a conversation that is too long with a 400 or 413 without a word: Cerebras. */
const wordless = /(^|\.)cerebras\.ai(:\d+)?$/;

const kindOf = (code: AgentErrorCode): ErrorKind => known.findLast((kind) => kind.code === code) ?? unknown;

/** The kind of a status where neither a name nor a word says more. */
function byStatus(status: number | undefined, isPage: boolean): ErrorKind {
  switch (status) {
    case 401:
      return kindOf('AUTHENTICATION_FAILED');
    case 402:
      return kindOf('INSUFFICIENT_QUOTA');
    case 403:
      return isPage ? { ...pageRefused, code: 'PERMISSION_DENIED' } : kindOf('PERMISSION_DENIED');
    case 404:
      return noAddress;
    case 408:
    case 504:
    case 524:
      return kindOf('REQUEST_TIMEOUT');
    case 409:
    case 425:
      return unknown;
    case 413:
      return pageTooLarge;
    case 429:
      return kindOf('RATE_LIMIT_EXCEEDED');
    case 498:
    case 503:
    case 529:
      return kindOf('OVERLOADED');
    case undefined:
      return unknown;
    default:
      if (status >= 500) return unknown;
      return isPage ? pageRefused : refused;
  }
}

/**
 * Returns the kind of an error reply: by its status where that says all, then by the identifiers of the error, then by the words that
 * count under its status, else by its status again.
 *
 * @param hasDelay whether the service states when to try again
 */
export function kindOfError(
  host: string,
  status: number | undefined,
  { names, words, isPage }: ErrorBody,
  hasDelay: boolean,
): ErrorKind {
  // A service that rejects a body as too large speaks of the conversation; a server in front of it has no words.
  if (status === 413 && words !== '') return overflow;
  if ((status === 400 || status === 413) && words === '' && !isPage && wordless.test(host)) return overflow;
  const fits = ({ code, noDelay }: Known): boolean =>
    !(noDelay && hasDelay && (status === undefined || status === 429)) && mayBe(code, status);
  const possible = known.filter(fits);
  return (
    possible.find((kind) => kind.names !== undefined && names.some((name) => kind.names?.test(name))) ??
    possible.find((kind) => kind.words?.test(words) && saysMore(kind, status)) ??
    // Of an address that is right, only the model can be missing.
    (status === 404 && /\b(model|deployment)s?\b/i.test(words) ? kindOf('MODEL_NOT_FOUND') : undefined) ??
    (status === undefined && names.some((name) => name.includes('invalid')) ? refused : byStatus(status, isPage))
  );
}

/** Statuses that exclude a kind, whatever the reply says: a limit of requests is not a limit of the window. */
function mayBe(code: AgentErrorCode, status: number | undefined): boolean {
  if (status === 429) return code !== 'CONTEXT_OVERFLOW';
  return !(status === 402 && code !== 'INSUFFICIENT_QUOTA');
}

/** The codes that words may state under a status that has a meaning of its own. */
const stated: Readonly<Record<number, readonly AgentErrorCode[]>> = {
  401: ['INSUFFICIENT_QUOTA', 'PERMISSION_DENIED'],
  403: ['INSUFFICIENT_QUOTA', 'CONTENT_FILTERED', 'AUTHENTICATION_FAILED', 'RATE_LIMIT_EXCEEDED', 'MODEL_NOT_FOUND'],
  404: ['INVALID_REQUEST', 'MODEL_NOT_FOUND'],
  408: [],
  429: ['INSUFFICIENT_QUOTA', 'OVERLOADED'],
  498: [],
  503: ['RATE_LIMIT_EXCEEDED'],
  504: [],
  529: [],
};

/** Whether words may state this kind under the status. */
function saysMore({ code }: ErrorKind, status: number | undefined): boolean {
  return status === undefined || (stated[status]?.includes(code) ?? true);
}

/** What other libraries call an option of this package, as `plain` writes both. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  requiresapproval: ['needsapproval', 'approve'],
  requireapproval: ['needsapproval', 'approve'],
  requireconfirmation: ['needsapproval', 'approve'],
  requiresconfirmation: ['needsapproval', 'approve'],
  confirm: ['needsapproval', 'approve'],
  askbefore: ['needsapproval', 'approve'],
  needsapproval: ['approve'],
  maxiterations: ['maxsteps'],
  maxturns: ['maxsteps'],
  maxrounds: ['maxsteps'],
  maxtoolroundtrips: ['maxsteps'],
  steplimit: ['maxsteps'],
  system: ['instructions'],
  systemprompt: ['instructions'],
  prompt: ['instructions'],
  parameters: ['input'],
  inputschema: ['input'],
  schema: ['input', 'output'],
  outputschema: ['output'],
  handler: ['execute'],
  run: ['execute'],
  callback: ['execute'],
  func: ['execute'],
  invoke: ['execute'],
  args: ['input'],
  reply: ['answer'],
  llm: ['client'],
  provider: ['client'],
  storage: ['store'],
  database: ['store'],
  memory: ['store'],
  url: ['baseurl'],
  endpoint: ['baseurl'],
  baseuri: ['baseurl'],
  host: ['baseurl'],
  key: ['apikey'],
  token: ['apikey'],
  authtoken: ['apikey'],
  maxoutputtokens: ['maxtokens'],
  maxcompletiontokens: ['maxtokens'],
  contextlength: ['contextwindow'],
  retries: ['maxretries'],
  maxattempts: ['maxretries', 'retries', 'attempts'],
  abortsignal: ['signal'],
  abort: ['signal'],
  ttl: ['timeout', 'expiresafter'],
  deadline: ['timeout'],
  timeoutms: ['timeout'],
  sessionid: ['id'],
  schemaname: ['name'],
  title: ['name'],
};

/** Returns a name without its spelling: `needs_approval`, `needs-approval` and `NeedsApproval` are the same. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** A name that is longer than this is not a misspelling. */
const longest = 100;

/**
 * Returns the known name that a caller most likely meant, or `undefined` where none is near: the same name in another spelling, then what
 * other libraries call it, then the name with the fewest typing errors, at most a third of its characters.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const given = plain(name);
  const same = known.find((one) => plain(one) === given);
  if (same !== undefined || given === '' || given.length > longest) return same;
  const meant = Object.hasOwn(synonyms, given) ? synonyms[given] : undefined;
  const synonym = meant?.map((other) => known.find((one) => plain(one) === other)).find((one) => one !== undefined);
  if (synonym !== undefined) return synonym;
  let nearest: string | undefined;
  let least = Infinity;
  for (const one of known) {
    const errors = typingErrors(given, plain(one));
    if (errors < least && errors <= Math.max(1, Math.floor(Math.min(one.length, given.length) / 3))) {
      nearest = one;
      least = errors;
    }
  }
  return nearest;
}

/** Returns how many characters were left out, added, replaced, or exchanged with their neighbour (optimal string alignment). */
function typingErrors(from: string, to: string): number {
  let before: readonly number[] = [];
  let last: readonly number[] = [];
  for (let i = 0; i <= from.length; i++) {
    const row: number[] = [];
    for (let j = 0; j <= to.length; j++) {
      const replaced = at(last, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isExchanged = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const exchanged = isExchanged ? at(before, j - 2) + 1 : Infinity;
      row.push(i + j === 0 ? 0 : Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced, exchanged));
    }
    before = last;
    last = row;
  }
  return at(last, to.length);
}

/** Returns an entry of a row; `Infinity` outside of the table. */
const at = (row: readonly number[], index: number): number => row[index] ?? Infinity;

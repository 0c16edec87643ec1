declare global {
  /** What the policy of the page has refused. */
  var refused: string[];
}

globalThis.refused = [];
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample, sourceFile, lineNumber }) =>
  globalThis.refused.push(`${violatedDirective} ${blockedURI} ${sample} ${sourceFile}:${lineNumber}`),
);

// src/sync/replica/create-synced-store.ts
import { Subject, Subscription as Subscription2 } from "rxjs";

// src/core/json.ts
function defined(fields2) {
  let present = {};
  for (let key in fields2) fields2[key] !== void 0 && (present[key] = fields2[key]);
  return present;
}
function merge(base, more) {
  return Object.assign({}, base, more);
}
function isJsonObject(value) {
  return typeof value == "object" && value !== null && !Array.isArray(value);
}
function toJson(value) {
  let path = [], parents = [];
  function unfit(what) {
    let place = path.length > 0 ? `${path.join(".")}: a` : "A";
    throw new TypeError(`${place} ${what} cannot be stored as JSON.`);
  }
  function copyAt(key, inner) {
    path.push(String(key));
    let copied = copy(inner);
    return path.pop(), copied;
  }
  function copyObject(inner) {
    if (parents.includes(inner)) return unfit("circular object");
    parents.push(inner);
    let copied = Array.isArray(inner) ? Array.from(inner, (item, index) => copyAt(index, item)) : isPlain(inner) ? Object.fromEntries(
      Object.entries(inner).filter(([, item]) => item !== void 0).map(([key, item]) => [key, copyAt(key, item)])
    ) : unfit(inner.constructor?.name ?? "foreign object");
    return parents.pop(), copied;
  }
  function copy(inner) {
    if (inner == null) return null;
    if (typeof inner == "string" || typeof inner == "boolean") return inner;
    if (typeof inner == "number") return Number.isFinite(inner) ? inner + 0 : null;
    if (typeof inner != "object") return unfit(typeof inner);
    if (!("toJSON" in inner) || typeof inner.toJSON != "function") return copyObject(inner);
    let own = Reflect.apply(inner.toJSON, inner, [""]);
    return own === void 0 ? unfit("value that JSON omits") : typeof own == "object" && own !== null ? copyObject(own) : copy(own);
  }
  return copy(value);
}
function isPlain(value) {
  let prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

// src/core/error.ts
var AgentErrorType = {
  /** The model's service, or the connection to it. */
  LLM_SERVICE: "LLM_SERVICE",
  TOOL: "TOOL",
  SESSION: "SESSION",
  STORAGE: "STORAGE",
  /** An argument of the caller. */
  VALIDATION: "VALIDATION",
  INTERNAL: "INTERNAL"
}, families = [
  ["LLM_SERVICE", /^(NETWORK|OFFLINE|REQUEST|RATE|OVERLOADED|LLM|AUTH|PERM|INSUF|INVALID_R|MODEL|CONT|STREAM)/],
  ["VALIDATION", /^(INVALID|MISSING)/],
  ["SESSION", /^(SESSION|ABORTED|NOTHING|MESSAGE|COMPACTION)/],
  ["TOOL", /^(TOOL|CALL|DECISION)/],
  ["STORAGE", /^(STORAGE|QUOTA)/]
], retryableCodes = /^(NETWORK|OFFLINE|REQUEST|RATE|OVERLOADED|STREAM_INT|SESSION_BUSY|INVALID_OUT|STORAGE_(FAILED|BLOCKED))/, AgentError = class extends Error {
  name = "AgentError";
  type;
  code;
  /** Whether the same request may succeed later. */
  retryable;
  constructor(message2, options) {
    super(message2, defined({ cause: options.cause }));
    let { code, retryable = retryableCodes.test(code), status, retryAfter, timeout } = options, [type = "INTERNAL"] = families.find(([, prefix]) => prefix.test(code)) ?? [];
    this.type = type, this.code = code, this.retryable = retryable, Object.assign(this, defined({ status, retryAfter, timeout }));
  }
  /** Where the cause and the cure of this code are explained: `brooklet/docs/errors.md#storage_failed`, a file of this package. */
  get help() {
    return `brooklet/docs/errors.md#${this.code.toLowerCase()}`;
  }
};
function fail(code, message2, cause2) {
  throw new AgentError(message2, { code, cause: cause2 });
}
function messageOf(thrown) {
  try {
    let message2 = thrown instanceof Error ? thrown.message : String(thrown);
    if (message2) return message2;
  } catch {
  }
  return "Something failed without saying why.";
}
function toAgentError(thrown, code = "UNKNOWN") {
  return thrown instanceof AgentError ? thrown : new AgentError(messageOf(thrown), { code, cause: thrown });
}

// src/core/log/current.ts
import { Observable } from "rxjs";
function current(changes$, get) {
  return new Observable((subscriber) => {
    let last = changes$, emitIfNew = () => {
      let value = get();
      value !== last && (last = value, subscriber.next(value));
    };
    subscriber.add(changes$.subscribe({ next: emitIfNew, complete: () => subscriber.complete() })), emitIfNew();
  });
}

// src/core/ports.ts
var browserPorts = {
  now: () => Date.now(),
  // `randomUUID` exists in secure contexts only: https and localhost.
  id: () => crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join("-"),
  frame(callback, drawn) {
    let draws = typeof document < "u" && document.visibilityState === "visible", first = () => {
      cancel();
      let begin = performance.now();
      callback(), drawn && browserPorts.delay(() => drawn(performance.now() - begin), 0);
    }, handle = draws ? globalThis.requestAnimationFrame?.(first) : void 0, stopTimer = browserPorts.delay(first, draws ? 250 : 16);
    function cancel() {
      stopTimer(), handle !== void 0 && cancelAnimationFrame(handle);
    }
    return cancel;
  },
  delay(callback, ms, housekeeping = !1) {
    let handle = setTimeout(callback, Math.min(ms, 2147483647));
    return housekeeping && unref(handle), () => clearTimeout(handle);
  },
  onHide: (callback) => listen(["visibilitychange", "pagehide"], (type) => {
    let leaving = type === "pagehide";
    (leaving || document.visibilityState === "hidden") && callback(leaving);
  }),
  onShow: (callback) => listen(["visibilitychange", "pageshow", "focus"], () => {
    document.visibilityState === "visible" && callback();
  })
};
function unref(holder) {
  Object(holder).unref?.();
}
function listen(types, callback) {
  if (typeof document > "u") return () => {
  };
  let listening = new AbortController();
  for (let type of types) addEventListener(type, () => callback(type), listening);
  return () => listening.abort();
}

// src/storage/lock.ts
function createSessionLocks(name = "brooklet") {
  return createWebLocks(name) ?? createPageLocks();
}
function createWebLocks(name) {
  let manager = globalThis.navigator?.locks, nameOf2 = (sessionId) => `brooklet:${name}:${sessionId}`, request = (sessionId, options) => new Promise((resolve, reject) => {
    let lost = new AbortController(), grant = (isExclusive) => new Promise((release) => resolve({ isExclusive, signal: lost.signal, release }));
    manager.request(nameOf2(sessionId), options, () => grant(!0)).catch((thrown) => {
      if (thrown instanceof Error && thrown.name === "SecurityError") return grant(!1);
      reject(busy(sessionId)), lost.abort(busy(sessionId));
    });
  });
  return manager && {
    take: (sessionId) => request(sessionId, { steal: !0 }),
    acquire: (sessionId, signal) => request(sessionId, defined({ signal })),
    async isHeld(sessionId) {
      let { held = [] } = await manager.query();
      return held.some((lock) => lock.name === nameOf2(sessionId));
    }
  };
}
function createPageLocks() {
  let turns = /* @__PURE__ */ new Map(), holders = /* @__PURE__ */ new Map();
  async function grant(sessionId, before, signal) {
    let end = () => {
    }, turn = new Promise((resolve) => end = resolve);
    turns.set(sessionId, turn);
    let lost = new AbortController(), release = () => {
      turns.get(sessionId) === turn && turns.delete(sessionId), holders.get(sessionId) === lost && holders.delete(sessionId), end();
    };
    if (await before, signal?.aborted)
      throw release(), busy(sessionId);
    return holders.set(sessionId, lost), { isExclusive: !1, signal: lost.signal, release };
  }
  return {
    async acquire(sessionId, signal) {
      if (signal?.aborted) throw busy(sessionId);
      return grant(sessionId, turns.get(sessionId), signal);
    },
    take(sessionId) {
      return holders.get(sessionId)?.abort(busy(sessionId)), grant(sessionId, void 0);
    },
    isHeld: async (sessionId) => turns.has(sessionId)
  };
}
var busy = (sessionId) => new AgentError(`Session ${sessionId} is running in another tab.`, { code: "SESSION_BUSY" });

// src/sync/replica/base.ts
function doubtsOf(base, events2 = []) {
  let decided = new Set(events2.map((event) => event.type === "approval.decided" && event.callId)), held = base?.held?.filter(({ callId }) => !decided.has(callId)) ?? [];
  return {
    ...held.length > 0 && { held },
    ...base?.isOpen && { isOpen: !0 },
    ...base?.spent?.length && { spent: base.spent }
  };
}
function createBases(meta, name) {
  let keyOf = (sessionId) => `replica:${name}:${sessionId}`;
  return {
    async get(sessionId) {
      let value = await meta.get(keyOf(sessionId));
      return isBase(value) ? value : void 0;
    },
    set: (sessionId, base) => meta.update(keyOf(sessionId), () => base && toJson(base))
  };
}
function isBase(value) {
  return isJsonObject(value) && typeof value.seq == "number";
}

// src/core/model/shapes/read-input.ts
function reading(what, read, code = "INVALID_INPUT") {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof AgentError) throw thrown;
    return fail(code, `${what} cannot be read. ${messageOf(thrown)}`, thrown);
  }
}

// src/core/model/shapes/nearest-name.ts
var synonyms = {
  requiresapproval: ["needsapproval", "approve"],
  requireapproval: ["needsapproval", "approve"],
  requireconfirmation: ["needsapproval", "approve"],
  requiresconfirmation: ["needsapproval", "approve"],
  confirm: ["needsapproval", "approve"],
  askbefore: ["needsapproval", "approve"],
  needsapproval: ["approve"],
  maxiterations: ["maxsteps"],
  maxturns: ["maxsteps"],
  maxrounds: ["maxsteps"],
  maxtoolroundtrips: ["maxsteps"],
  steplimit: ["maxsteps"],
  system: ["instructions"],
  systemprompt: ["instructions"],
  prompt: ["instructions"],
  parameters: ["input"],
  inputschema: ["input"],
  schema: ["input", "output"],
  outputschema: ["output"],
  handler: ["execute"],
  run: ["execute"],
  callback: ["execute"],
  func: ["execute"],
  invoke: ["execute"],
  args: ["input"],
  reply: ["answer"],
  llm: ["client"],
  provider: ["client"],
  storage: ["store"],
  database: ["store"],
  memory: ["store"],
  url: ["baseurl"],
  endpoint: ["baseurl"],
  baseuri: ["baseurl"],
  host: ["baseurl"],
  key: ["apikey"],
  token: ["apikey"],
  authtoken: ["apikey"],
  maxoutputtokens: ["maxtokens"],
  maxcompletiontokens: ["maxtokens"],
  contextlength: ["contextwindow"],
  retries: ["maxretries"],
  maxattempts: ["maxretries", "retries", "attempts"],
  abortsignal: ["signal"],
  abort: ["signal"],
  ttl: ["timeout", "expiresafter"],
  deadline: ["timeout"],
  timeoutms: ["timeout"],
  sessionid: ["id"],
  schemaname: ["name"],
  title: ["name"]
}, plain = (name) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ""), longest = 100;
function nearestName(name, known) {
  let given = plain(name), same = known.find((one) => plain(one) === given);
  if (same !== void 0 || given === "" || given.length > longest) return same;
  let synonym = (Object.hasOwn(synonyms, given) ? synonyms[given] : void 0)?.map((other) => known.find((one) => plain(one) === other)).find((one) => one !== void 0);
  if (synonym !== void 0) return synonym;
  let nearest, least = 1 / 0;
  for (let one of known) {
    let errors = typingErrors(given, plain(one));
    errors < least && errors <= Math.max(1, Math.floor(Math.min(one.length, given.length) / 3)) && (nearest = one, least = errors);
  }
  return nearest;
}
function typingErrors(from, to) {
  let before = [], last = [];
  for (let i = 0; i <= from.length; i++) {
    let row = [];
    for (let j = 0; j <= to.length; j++) {
      let replaced = at(last, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1), exchanged = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1] ? at(before, j - 2) + 1 : 1 / 0;
      row.push(i + j === 0 ? 0 : Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced, exchanged));
    }
    before = last, last = row;
  }
  return at(last, to.length);
}
var at = (row, index) => row[index] ?? 1 / 0;

// src/core/model/shapes/named.ts
function named(options, names, owner, code = "INVALID_CONFIG") {
  let given = reading(
    `The options of ${owner}`,
    () => isJsonObject(options) ? Object.keys(options) : void 0,
    code
  );
  if (given === void 0) return fail(code, `The options of ${owner} are not an object.`);
  let known = Object.keys(names);
  for (let name of given)
    if (!Object.hasOwn(names, name)) {
      let nearest = nearestName(name, known), hint = nearest === void 0 ? `Known: ${known.join(", ")}.` : `Did you mean "${nearest}"?`;
      return fail("INVALID_CONFIG", `unknown option ${JSON.stringify(name)} of ${owner}. ${hint}`);
    }
  return options;
}

// src/core/model/shapes/shape.ts
var anything = (_value, _field) => {
};
function text(maxLength = 1 / 0) {
  return (value, field) => typeof value != "string" ? { field, reason: "is not a text" } : value.length > maxLength ? { field, reason: `is longer than ${maxLength} characters` } : void 0;
}
function filled(maxLength) {
  let any = text(maxLength);
  return (value, field) => value === "" ? { field, reason: "is empty" } : any(value, field);
}
function count(least = 0) {
  return (value, field) => Number.isSafeInteger(value) && Number(value) >= least ? void 0 : { field, reason: `is not a whole number from ${least} on` };
}
function range(least, most = Number.MAX_VALUE) {
  let wanted = most < Number.MAX_VALUE ? `is not a number from ${least} to ${most}` : `is not a number from ${least} on`;
  return (value, field) => typeof value == "number" && value >= least && value <= most ? void 0 : { field, reason: wanted };
}
var time = (value, field) => typeof value == "number" && value >= 0 && value <= 864e13 ? void 0 : { field, reason: "is not a time in ms" }, amount = (value, field) => typeof value == "number" ? void 0 : { field, reason: "is not a number" }, flag = (value, field) => typeof value == "boolean" ? void 0 : { field, reason: "is neither true nor false" }, callable = (value, field) => typeof value == "function" ? void 0 : { field, reason: "is not a function" };
var jsonObject = (value, field) => isJsonObject(value) ? void 0 : { field, reason: "is not an object" };
function oneOf(...values) {
  return (value, field) => values.some((one) => one === value) ? void 0 : { field, reason: `is none of ${values.join(", ")}` };
}
function listOf(shape2) {
  return (value, field) => {
    if (!Array.isArray(value)) return { field, reason: "is not a list" };
    for (let index = 0; index < value.length; index++) {
      let flaw = shape2(value[index], `${field}.${index}`);
      if (flaw) return flaw;
    }
  };
}
function maybe(shape2) {
  return (value, field) => value === void 0 ? void 0 : shape2(value, field);
}
function object(fields2) {
  let check = having(fields2);
  return (value, field) => {
    if (isJsonObject(value))
      for (let key of Object.keys(value)) Object.hasOwn(fields2, key) || Reflect.deleteProperty(value, key);
    return check(value, field);
  };
}
function having(fields2) {
  return (value, field) => {
    if (!isJsonObject(value)) return { field, reason: "is not an object" };
    for (let [key, shape2] of Object.entries(fields2)) {
      let path = field === "" ? key : `${field}.${key}`, flaw = shape2(Object.hasOwn(value, key) ? value[key] : void 0, path);
      if (flaw) return flaw.field === path && value[key] === void 0 ? { field: path, reason: "is missing" } : flaw;
    }
  };
}
function byType(shapes) {
  return (value, field) => {
    if (!isJsonObject(value)) return { field, reason: "is not an object" };
    let { type } = value, shape2 = typeof type == "string" && Object.hasOwn(shapes, type) ? shapes[type] : void 0;
    return shape2 ? shape2(value, field) : { field: field === "" ? "type" : `${field}.type`, reason: "is not known here" };
  };
}

// src/core/model/shapes/fields.ts
function typed(fields2, common = {}) {
  let shapes = Object.entries(fields2);
  return byType(Object.fromEntries(shapes.map(([type, own]) => [type, object({ type: string, ...own, ...common })])));
}
var maxIdLength = 1e3, id = filled(maxIdLength), word = text(1e3), string = text(), title = text(1e4);

// src/sync/replica/check-options.ts
var store = (value, field) => {
  let missing = ["list", "read", "write", "remove", "wasRemoved"].find(
    (name) => typeof Reflect.get(Object(value), name) != "function"
  );
  return missing === void 0 ? void 0 : { field: `${field}.${missing}`, reason: "is not a function" };
}, guard = having({ sign: callable, vet: callable }), claims = (value, field) => typeof value == "function" ? void 0 : oneOf("remote", "local")(value, field), fields = {
  local: store,
  remote: store,
  device: filled(100),
  devices: maybe(guard),
  name: maybe(word),
  claims: maybe(claims),
  claimTimeout: maybe(range(1)),
  requestTimeout: maybe(range(1)),
  textInterval: maybe(range(0)),
  toForkTitle: maybe(callable),
  onFork: maybe(callable),
  onTrouble: maybe(callable),
  online$: anything,
  ports: anything
}, shape = having(fields);
function checkReplicaOptions(options) {
  named(options, fields, "createSyncedStore");
  let flaw = shape(options, "");
  return flaw && fail("INVALID_CONFIG", `The option \`${flaw.field}\` of the replica ${flaw.reason}.`), options.local.meta ?? fail("INVALID_CONFIG", "The option `local.meta` of the replica is missing.");
}

// src/sync/decision-guard.ts
function isDecision(event) {
  return event.type === "approval.decided" || event.type === "approval.proposed";
}

// src/sync/replica/claims.ts
function callsOf({ events: events2 }) {
  let open = /* @__PURE__ */ new Set();
  for (let event of events2)
    event.type === "call.started" || event.type === "approval.proposed" || isByUser(event) ? open.add(event.callId) : event.type === "call.ended" ? open.delete(event.callId) : event.type === "run.ended" && open.clear();
  return [...open];
}
function isByUser(event) {
  return event.type === "approval.decided" && event.decidedBy === "user";
}
function mayClaim(write, claims2) {
  return claims2 !== "local" && callsOf(write).length > 0;
}

// src/core/model/event.ts
function isDelta(event) {
  return event.type.endsWith(".delta");
}

// src/core/model/coalesce.ts
function firstSeq({ since, seq }) {
  return since ?? seq;
}
function join(first, second) {
  if (first === void 0 || !isDelta(first) || !isDelta(second) || first.cadence !== void 0 || second.cadence !== void 0) return;
  let since = firstSeq(first);
  switch (second.type) {
    case "text.delta":
      return first.type === "text.delta" ? { ...second, text: first.text + second.text, since } : void 0;
    case "reasoning.delta":
      return first.type === "reasoning.delta" && first.provider === void 0 ? { ...second, text: first.text + second.text, since, startedAt: first.startedAt ?? first.at } : void 0;
    case "call.delta":
      return first.type === "call.delta" && first.callId === second.callId ? { ...second, ...first.name && { name: first.name }, text: first.text + second.text, since } : void 0;
  }
}
function coalesce(events2) {
  let joined = [];
  for (let event of events2) add(joined, event);
  return joined;
}
function add(events2, event) {
  let longer = join(events2.at(-1), event);
  return longer !== void 0 && events2.pop(), events2.push(longer ?? event), longer ?? event;
}

// src/core/model/rebase.ts
function isConcurrent({ type }) {
  return type === "message.queued" || type === "message.unqueued" || type === "session.renamed" || type === "metadata.changed" || type === "message.pinned" || type === "approval.proposed" || // An event without content: no run depends on it.
  type === "event.dropped";
}

// src/core/model/write-id.ts
function toWriteId(lineage, name = 0) {
  return `${lineage}/${name}`;
}
function lineageOf(writeId) {
  return writeId?.split("/", 1)[0];
}

// src/sync/replica/names.ts
function nameOf(writeId) {
  return writeId.slice(writeId.lastIndexOf("/") + 1);
}
function runnerOf(remoteId) {
  let [device, name] = nameOf(remoteId ?? "").split(":");
  return name === void 0 || device === void 0 ? void 0 : decode(device);
}
function toRemoteId(writeId, lineage, runner) {
  let name = nameOf(writeId);
  return toWriteId(lineage, name.includes(":") ? name : `${encodeURIComponent(runner)}:${name}`);
}
function toLocalId(remoteId, lineage, device) {
  let name = nameOf(remoteId), own = `${encodeURIComponent(device)}:`;
  return toWriteId(lineage, name.startsWith(own) ? name.slice(own.length) : name);
}
function toMergedId(remoteId, name) {
  let runner = runnerOf(remoteId);
  return toWriteId("", runner === void 0 ? name : `${encodeURIComponent(runner)}:${name}`);
}
function decode(text2) {
  try {
    return decodeURIComponent(text2);
  } catch {
    return text2;
  }
}
var removal = "removing-";
function toRemovalName(unique) {
  return removal + unique;
}
function isRemoval(writeId) {
  return nameOf(writeId ?? "").replace(/^.*:/, "").startsWith(removal);
}
var listed = "listed-";
function toListedId(unique) {
  return toWriteId(unique, listed + unique);
}
function isListed(writeId) {
  return nameOf(writeId ?? "").startsWith(listed);
}
var kept = "kept-";
function toForkId(forkId, writeId) {
  return toWriteId(forkId, kept + nameOf(writeId).replace(":", "."));
}
function isUntouchedFork(writeId) {
  return nameOf(writeId ?? "").startsWith(kept);
}

// src/sync/replica/replaced-by.ts
function replacedBy(events2, common) {
  let [first] = events2;
  return first !== void 0 && firstSeq(first) <= common ? [[firstSeq(first), common]] : [];
}

// src/sync/replica/store-claim.ts
async function isClaim(write, local, claims2) {
  if (typeof claims2 == "string") return claims2 === "remote";
  let calls2 = callsOf(write);
  return [...(await local.read(write.sessionId))?.events ?? [], ...write.events].some(
    (event) => event.type === "call.requested" && calls2.includes(event.callId) && claims2(event.name) === "remote"
  );
}
async function storeClaim(write, env) {
  let { local, remote, bases, device, newId } = env, { phase: _phase, ...content } = write, { sessionId, expectedSeq, expectedWriteId, summary: summary2 } = write, base = await env.syncNow(sessionId);
  if (base?.mine !== void 0 && base.mine === write.writeId) return !0;
  if ((base?.seq ?? 0) === expectedSeq && (expectedWriteId ?? base?.mine) === base?.mine) {
    let mine = write.writeId ?? toWriteId(newId(), newId()), runner = write.events.every(isConcurrent) ? runnerOf(base?.theirs) : void 0, theirs = toRemoteId(mine, lineageOf(base?.theirs) ?? lineageOf(mine) ?? "", runner ?? device), events2 = coalesce(write.events.filter(({ seq }) => seq > expectedSeq)), replaces = replacedBy(events2, expectedSeq);
    try {
      await remote.write({ ...content, events: events2, replaces, writeId: theirs, expectedWriteId: base?.theirs });
    } catch (thrown) {
      if (toAgentError(thrown).code !== "STORAGE_CONFLICT") throw thrown;
      return !1;
    }
    if (env.isLate()) return !0;
    await local.write({ ...write, writeId: mine });
    let { held: _held, ...rest } = base ?? {};
    return await bases.set(sessionId, { ...rest, ...doubtsOf(base, events2), seq: summary2.seq, mine, theirs }), !0;
  }
  return await local.write(write), !0;
}

// src/sync/replica/claim-writes.ts
var firstTry = 250;
function createClaimWrites(env) {
  let { local, ports, claims: claims2, devices, timeout, exclusively, isFailure, onDoubt, onWait, signal } = env, waiting = /* @__PURE__ */ new Map(), queues = /* @__PURE__ */ new Map();
  async function tryUntil(write, isLate) {
    let { sessionId } = write, failure;
    for (let wait = firstTry; !isLate() && !signal.aborted; )
      try {
        if (await exclusively(sessionId, () => storeClaim(write, { ...env, newId: ports.id, isLate }))) return;
        onDoubt(sessionId);
      } catch (thrown) {
        if (!isFailure(thrown)) throw thrown;
        failure = thrown, onDoubt(sessionId), await new Promise((resolve) => ports.delay(resolve, wait)), wait *= 2;
      }
    throw noAnswer(failure);
  }
  let storeHere = (write) => local.write(write);
  async function claim(write) {
    let { sessionId } = write;
    if (!await isClaim(write, local, claims2)) return local.write(write);
    let isLate = !1, cancelTimer = () => {
    }, late = new Promise((_, reject) => {
      cancelTimer = ports.delay(() => {
        isLate = !0, reject(noAnswer(void 0));
      }, timeout);
    });
    waiting.set(sessionId, ports.now()), onWait(sessionId);
    try {
      await Promise.race([tryUntil(write, () => isLate), late]);
    } finally {
      cancelTimer(), waiting.delete(sessionId), onWait(sessionId);
    }
  }
  return {
    write(write) {
      let { sessionId } = write, store2 = mayClaim(write, claims2) ? claim : storeHere, storeSigned = () => {
        let signed = devices?.sign(write, local) ?? write;
        return signed instanceof Promise ? signed.then(store2) : store2(signed);
      }, before = queues.get(sessionId), isPlain2 = devices === void 0 || !write.events.some(isDecision);
      if (before === void 0 && store2 === storeHere && isPlain2) return storeHere(write);
      let written = before === void 0 ? storeSigned() : before.then(storeSigned), end = written.catch(() => {
      }).then(() => {
        queues.get(sessionId) === end && queues.delete(sessionId);
      });
      return queues.set(sessionId, end), written;
    },
    since: (sessionId) => waiting.get(sessionId)
  };
}
function noAnswer(cause2) {
  return new AgentError("The remote store could not be reached: the call has not begun. Try again online.", {
    code: "STORAGE_UNAVAILABLE",
    retryable: !0,
    cause: cause2
  });
}

// src/core/model/web-address.ts
function toWebAddress(text2) {
  let url = text2.length <= 4e3 && URL.canParse(text2) ? new URL(text2) : void 0, isSafe = url?.protocol === "https:" || url?.protocol === "http:" && /^(localhost|127\.0\.0\.1)$/.test(url.hostname);
  return url && isSafe && url.username === "" && url.password === "" ? url.href : void 0;
}

// src/core/model/call-status.ts
var following = {
  streaming: ["requested", "cancelled"],
  requested: ["invalid", "awaiting-approval", "approved", "cancelled"],
  "awaiting-approval": ["approved", "edited", "rejected", "expired", "cancelled"],
  approved: ["started", "cancelled"],
  edited: ["started", "cancelled"],
  // A tool may ask a person in the midst of its call: the answer starts the call again.
  started: ["awaiting-approval", "succeeded", "failed", "timed-out", "cancelled", "uncertain"],
  succeeded: [],
  failed: [],
  "timed-out": [],
  // A further attempt with the same idempotency key, for an idempotent tool.
  uncertain: ["started"],
  invalid: [],
  rejected: [],
  expired: [],
  cancelled: []
}, callStatuses = Object.keys(following);
function isEnded(status) {
  return Object.hasOwn(following, status) && following[status].every((state) => state === "started");
}
function mayFollow(from, to) {
  return following[from].includes(to);
}

// src/core/model/shapes/part-shape.ts
var role = oneOf("system", "user", "assistant"), base64 = (value, field) => typeof value == "string" && /^data:(?![^,]*;base64,)/.test(value) ? { field, reason: "is a data: URL without base64: pass it as `url`" } : string(value, field), media = { mediaType: word, data: maybe(base64), url: maybe(string), name: maybe(string) }, details = typed({
  diff: { filePath: string, oldContent: string, newContent: string },
  fileList: { files: listOf(string) },
  commandOutput: { stdout: string, stderr: string, exitCode: amount },
  json: { value: anything },
  text: { text: string },
  image: { mediaType: word, data: maybe(string), url: maybe(string) }
}), decidedBy = oneOf("user", "rule", "timeout", "policy"), approvalCause = maybe(oneOf("unknown-finish", "untrusted")), elicitation = (value, field) => {
  let flaw = jsonObject(value, field);
  if (flaw === void 0 && isJsonObject(value) && "x-mcp-url" in value) {
    let url = value["x-mcp-url"];
    (typeof url != "string" || toWebAddress(url) === void 0) && Reflect.deleteProperty(value, "x-mcp-url");
  }
  return flaw;
}, approval = object({
  verdict: maybe(oneOf("approved", "rejected", "expired")),
  decidedBy: maybe(decidedBy),
  reason: maybe(string),
  cause: approvalCause,
  userName: maybe(string),
  rejectionText: maybe(string),
  expiresAt: maybe(amount),
  toolVersion: maybe(string),
  elicitation: maybe(elicitation),
  answer: anything,
  proposal: maybe(jsonObject)
}), part = typed({
  text: { text: string },
  reasoning: { text: string, provider: anything, startedAt: maybe(amount), durationMs: maybe(amount) },
  image: media,
  audio: media,
  file: media,
  source: { url: string, title: maybe(string) },
  provider: { name: word, data: anything },
  tool: {
    callId: id,
    name: word,
    status: oneOf(...callStatuses),
    inputText: string,
    input: maybe(jsonObject),
    editedInput: maybe(jsonObject),
    output: anything,
    progress: anything,
    isError: maybe(flag),
    attempt: maybe(amount),
    startedAt: maybe(amount),
    server: maybe(string),
    durationMs: maybe(amount),
    summary: maybe(string),
    details: maybe(details),
    requiresFollowUp: maybe(flag),
    approval: maybe(approval),
    provider: anything
  }
});

// src/core/model/shapes/settings-shape.ts
var outputSpec = object({ name: word, schema: jsonObject, strict: flag }), toolChoice = (value, field) => (isJsonObject(value) ? object({ name: word }) : oneOf("auto", "none", "required"))(value, field), budgetFields = { tokens: maybe(count(1)), time: maybe(range(1)) }, limits = {
  model: maybe(word),
  temperature: maybe(range(0)),
  maxTokens: maybe(count(1)),
  contextWindow: maybe(count(1)),
  autoCompress: maybe(flag),
  maxSteps: maybe(count(1)),
  budget: maybe(having(budgetFields)),
  providerParams: maybe(jsonObject)
}, settings = object({
  ...limits,
  output: maybe(outputSpec),
  tools: maybe(listOf(word)),
  toolChoice: maybe(toolChoice),
  needs: maybe(listOf(oneOf("client", "scratch")))
});

// src/core/model/shapes/message-shape.ts
var usage = object({
  input: amount,
  output: amount,
  cached: maybe(amount),
  reasoning: maybe(amount),
  cacheRead: maybe(amount),
  cacheWritten: maybe(amount)
}), zoneTokens = object({
  immutable: amount,
  compressed: amount,
  incremental: amount,
  scratch: amount
}), finish = oneOf("stop", "length", "tool-calls", "pause", "content-filter", "other", "unknown"), origin = typed({
  page: {},
  import: {},
  device: {},
  agent: {},
  interface: { callId: string, name: string, server: maybe(string) }
}), messageFields = {
  id,
  role,
  content: listOf(part),
  timestamp: amount,
  metadata: maybe(jsonObject),
  status: maybe(oneOf("streaming", "complete", "interrupted")),
  finish: maybe(finish),
  usage: maybe(usage),
  context: maybe(zoneTokens),
  model: maybe(string),
  settings: maybe(settings),
  origin: maybe(origin)
}, message = object(messageFields);

// src/core/model/message.ts
function isToolPart(part2) {
  return part2.type === "tool";
}
function toolParts(message2) {
  return message2.content.filter(isToolPart);
}
function placeOf(messages, messageId) {
  return messageId === void 0 ? -1 : messages.findIndex(({ id: id2 }) => id2 === messageId);
}
function idsOf(message2) {
  return [message2.id, ...toolParts(message2).map(({ callId }) => callId)];
}
function extractTextContent(of) {
  if (typeof of == "string") return of;
  if ("content" in of) return extractTextContent(of.content);
  let text2 = "";
  for (let part2 of of) part2.type === "text" && (text2 += part2.text);
  return text2;
}

// src/core/model/status.ts
function lastReply(messages) {
  return messages.findLast((message2) => message2.role === "assistant" && message2.status !== void 0);
}
function lastReplyOf(state) {
  return "messages" in state ? state.run && lastReply(state.messages) : state.lastReply;
}
function openCalls(state) {
  let reply = lastReplyOf(state);
  return reply === void 0 ? [] : toolParts(reply).filter((call) => !isEnded(call.status));
}
function isUnderWay(status) {
  return status === "running" || status === "waiting";
}
function callsAwaitingApproval(state) {
  return openCalls(state).filter(({ status }) => status === "awaiting-approval");
}
function statusOf(state) {
  let { outcome, isCompaction } = state.run ?? {};
  if (outcome === "failed" && isCompaction) return "idle";
  if (outcome !== void 0) return outcome === "completed" || outcome === "cancelled" ? "idle" : outcome;
  if (state.run === void 0) return "idle";
  let open = openCalls(state);
  return state.run.openReply === void 0 && open.length > 0 && open.every((call) => call.status === "awaiting-approval") ? "waiting" : "running";
}

// src/core/model/waiting.ts
var mostWaiting = 20, longestLabel = 200;
function waitingCalls(state) {
  let calls2 = callsAwaitingApproval(state), since = lastReplyOf(state)?.timestamp ?? state.updatedAt;
  return calls2.map((call) => {
    let asked = state.asked?.find(({ callId }) => callId === call.callId);
    return toWaitingCall(call, asked?.at ?? since);
  });
}
function toWaitingCall({ callId, name, approval: approval2 = {} }, requestedAt) {
  let { expiresAt, elicitation: elicitation2 } = approval2;
  return { callId, name, kind: elicitation2 === void 0 ? "approval" : "question", requestedAt, ...defined({ expiresAt, label: labelOf(elicitation2?.title) }) };
}
function labelOf(title2) {
  if (!(typeof title2 != "string" || title2 === ""))
    return title2.length > longestLabel ? `${title2.slice(0, longestLabel - 1)}\u2026` : title2;
}

// src/core/model/shapes/waiting-shape.ts
var calls = listOf(
  having({
    callId: id,
    name: word,
    kind: oneOf("approval", "question"),
    requestedAt: amount,
    expiresAt: maybe(amount),
    label: maybe(text(200))
  })
), waitingList = (value, field) => {
  let flaw = calls(value, field);
  return flaw || (Array.isArray(value) && value.length > 0 && value.length <= mostWaiting ? void 0 : { field, reason: `is not a list of 1 to ${mostWaiting} calls` });
};

// src/core/model/upcast.ts
var steps = { 1: fromV1 };
function upcast(record, by = steps, to = 2) {
  let current2 = record;
  for (; isJsonObject(current2) && typeof current2.v == "number" && current2.v < to; ) {
    let step = Object.hasOwn(by, current2.v) ? by[current2.v] : void 0;
    if (step === void 0) return current2;
    current2 = { ...step(current2), v: current2.v + 1 };
  }
  return current2;
}
function fromV1(record) {
  switch (record.type) {
    case "call.held":
      return { ...renamed(record, { binding: "toolVersion", question: "elicitation" }), type: "approval.requested" };
    case "call.decided":
      return { ...decidedV1(record), type: "approval.decided" };
    case "decision.revoked":
      return { ...record, type: "rule.revoked" };
    case "text.delta":
    case "reasoning.delta":
    case "call.delta":
      return renamed(record, { pace: "cadence", began: "startedAt" });
    case "context.compacted":
    case "context.compaction-failed":
      return record.cause === "person" ? { ...record, cause: "user" } : record;
    case "message.added":
    case "message.updated":
    case "message.queued":
      return isJsonObject(record.message) ? { ...record, message: messageV1(record.message) } : record;
    default:
      return record;
  }
}
function messageV1(message2) {
  let { content } = message2;
  return Array.isArray(content) ? { ...message2, content: content.map(partV1) } : message2;
}
function partV1(part2) {
  return !isJsonObject(part2) || part2.type !== "tool" ? part2 : {
    ...part2,
    ...part2.status === "held" && { status: "awaiting-approval" },
    ...isJsonObject(part2.approval) && { approval: decidedV1(part2.approval) }
  };
}
function decidedV1(record) {
  let { by, ...rest } = renamed(record, {
    who: "userName",
    told: "rejectionText",
    binding: "toolVersion",
    question: "elicitation"
  });
  return by === void 0 ? rest : { ...rest, decidedBy: deciderV1(record) };
}
function deciderV1({ by, verdict, binding }) {
  return by === "person" ? "user" : verdict === "expired" ? "timeout" : verdict === "rejected" || binding !== void 0 ? "rule" : "policy";
}
function renamed(record, names) {
  let present = new Map(Object.entries(names));
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [present.get(key) ?? key, value]));
}

// src/core/model/shapes/verb-shape.ts
var verbFields = {
  "session.renamed": { title },
  "metadata.changed": { metadata: jsonObject },
  "message.unqueued": { messageId: id },
  "message.removed": { messageId: id },
  "message.pinned": { messageId: id, pinned: flag },
  "context.restored": { compactionId: id },
  "rule.revoked": { name: word }
}, verbEvent = typed(verbFields);

// src/storage/files/event-shape.ts
var cadence = maybe(listOf(amount)), proof = maybe(object({ device: filled(100), signature: filled(200) })), toolSpec = object({ name: word, description: string, inputSchema: jsonObject }), requestRecord = object({
  instructions: maybe(word),
  tools: maybe(word),
  model: maybe(word),
  temperature: maybe(amount),
  maxTokens: maybe(amount),
  toolChoice: maybe(toolChoice),
  providerParams: maybe(jsonObject),
  maxMessages: maybe(amount),
  toolOutput: maybe(amount),
  pinned: maybe(listOf(id))
}), errorCode = (value, field) => {
  let made = typeof value == "string" && Reflect.construct(AgentError, ["", { code: value }]);
  return made instanceof AgentError && (made.type !== "INTERNAL" || value === "UNKNOWN" || value === "MODULE_UNAVAILABLE") ? void 0 : { field, reason: "is not the code of an error" };
}, error = object({
  type: oneOf(...Object.values(AgentErrorType)),
  code: errorCode,
  message: string,
  status: maybe(amount),
  retryable: flag,
  retryAfter: maybe(amount),
  timeout: maybe(oneOf("connect", "first", "idle", "stall", "total"))
}), cause = oneOf("trigger", "overflow", "user"), bodies = {
  ...verbFields,
  "session.cleared": {},
  "session.rewound": { messageId: id },
  "session.started": { sessionId: id, title: maybe(title) },
  "session.imported": {},
  "event.dropped": { of: word },
  "alternative.selected": { messageId: id },
  "message.added": { message, supersedes: maybe(id) },
  "message.updated": { message },
  "message.queued": { message, mode: oneOf("queue", "steer"), settings: maybe(settings) },
  "run.started": {
    runId: id,
    resumes: maybe(id),
    isAutomatic: maybe(flag),
    isCompaction: maybe(flag),
    settings: maybe(settings)
  },
  "run.ended": {
    runId: id,
    outcome: oneOf("completed", "cancelled", "limit", "failed", "interrupted"),
    error: maybe(error),
    limit: maybe(oneOf("steps", "tokens", "time", "stopWhen"))
  },
  "instructions.changed": { contentId: word, messages: listOf(message) },
  "tools.changed": { contentId: word, tools: listOf(toolSpec) },
  "reply.started": { messageId: id, origin: maybe(origin), context: maybe(zoneTokens), request: maybe(requestRecord) },
  "reply.refused": { error },
  "text.delta": { text: string, cadence },
  "reasoning.delta": { text: string, provider: anything, cadence, startedAt: maybe(amount) },
  "call.delta": { callId: id, name: maybe(word), text: string, cadence },
  "part.added": { part },
  "call.requested": { callId: id, name: word, inputText: string, input: maybe(jsonObject), provider: anything },
  "reply.ended": { finish, raw: maybe(string), usage: maybe(usage), model: maybe(string) },
  "approval.requested": {
    callId: id,
    expiresAt: maybe(amount),
    toolVersion: maybe(string),
    elicitation: maybe(elicitation),
    cause: approvalCause
  },
  "approval.decided": {
    callId: id,
    verdict: oneOf("approved", "rejected", "expired"),
    decidedBy,
    input: maybe(jsonObject),
    reason: maybe(string),
    answer: anything,
    userName: maybe(string),
    rejectionText: maybe(string),
    remember: maybe(oneOf("session", "agent")),
    toolVersion: maybe(string),
    proof
  },
  "approval.proposed": {
    callId: id,
    proposal: object({
      verdict: oneOf("approved", "rejected"),
      input: maybe(jsonObject),
      reason: maybe(string),
      answer: anything,
      userName: maybe(string),
      fingerprint: maybe(string),
      remember: maybe(oneOf("session", "agent"))
    }),
    proof
  },
  "call.progress": { callId: id, progress: anything },
  "call.started": { callId: id, attempt: amount, server: maybe(string) },
  "call.ended": {
    callId: id,
    outcome: oneOf("succeeded", "failed", "timed-out", "cancelled", "uncertain", "invalid"),
    // A newer version may have other reasons.
    reason: maybe(word),
    timeout: maybe(amount),
    output: anything,
    summary: maybe(string),
    details: maybe(details),
    requiresFollowUp: maybe(flag)
  },
  "context.compacted": {
    compactionId: id,
    cause,
    strategy: word,
    through: maybe(id),
    pruned: maybe(id),
    summary: maybe(string),
    tokens: object({ before: amount, after: amount }),
    usage: maybe(usage),
    model: maybe(string)
  },
  "context.compaction-failed": { cause, error, usage: maybe(usage), model: maybe(string) }
}, envelope = { seq: count(1), at: time, v: oneOf(2), since: maybe(count(1)) }, events = typed(bodies, envelope), stranger = (value, field) => object({ ...envelope, type: word })(isJsonObject(value) ? { ...value } : value, field);
function isKnownType(type) {
  return Object.hasOwn(bodies, type);
}
function readEvent(value) {
  let flaw = (isJsonObject(value) && typeof value.type == "string" && !isKnownType(value.type) ? stranger : events)(value, "");
  return flaw === void 0 ? { event: value } : { flaw };
}

// src/sync/replica/check-rows.ts
var summary = having({
  id,
  title,
  createdAt: time,
  updatedAt: time,
  status: oneOf("idle", "running", "waiting", "interrupted", "failed", "limit"),
  messageCount: amount,
  usage,
  seq: count(1),
  metadata: maybe(jsonObject),
  waiting: maybe(waitingList)
}), isRow = (row) => summary(row, "") === void 0;
function ofDevice(event) {
  let origin2 = { type: "device" };
  return event.type === "reply.started" ? { ...event, origin: origin2 } : "message" in event ? { ...event, message: { ...event.message, origin: origin2 } } : event;
}
function checkRows(id2, stored, after) {
  let refuse = (what) => {
    throw new AgentError(`Session ${id2} of the remote store is not taken over: ${what}.`, { code: "STORAGE_CORRUPT" });
  }, flaw = summary(stored.summary, "");
  if (flaw) return refuse(`its row: ${flaw.field} ${flaw.reason}`);
  if (stored.summary.id !== id2) return refuse("its row has another id");
  if (stored.damage !== void 0) return refuse(stored.damage);
  let last = after, events2 = stored.events.map((raw) => {
    let copy = JSON.parse(JSON.stringify(upcast(raw))), read = readEvent(copy);
    if ("flaw" in read) return refuse(`event ${last + 1}: ${read.flaw.field} ${read.flaw.reason}`);
    let { event } = read;
    return event.seq <= last ? refuse(`event ${event.seq} does not come after ${last}`) : last === 0 != (event.type === "session.started") ? refuse(`event ${event.seq} is out of place`) : event.type === "session.started" && event.sessionId !== id2 ? refuse("its first event names another session") : (last = event.seq, ofDevice(event));
  });
  return events2.length > 0 && last !== stored.summary.seq ? refuse("its last events are missing") : { ...stored, events: events2 };
}

// src/sync/replica/to-write.ts
var everything = [[0, Number.MAX_SAFE_INTEGER]];
function startedAt(sessionId, at2) {
  return { type: "session.started", sessionId, seq: 1, at: at2, v: 2 };
}
function toWrite(sessionId, events2, summary2, known) {
  return {
    sessionId,
    events: events2,
    summary: { ...summary2, id: sessionId, seq: events2.at(-1)?.seq ?? summary2.seq },
    expectedSeq: known?.summary.seq ?? 0,
    ...defined({ expectedWriteId: known?.writeId }),
    durability: "relaxed",
    ...!isUnderWay(summary2.status) && { phase: "settled" }
  };
}

// src/sync/replica/store-row.ts
async function storeRow(row, local, newId) {
  let { id: id2 } = row;
  return row.messageCount === 0 || !isRow(row) || (await local.wasRemoved?.(id2) ?? !0) ? !1 : local.write({ ...toWrite(id2, [startedAt(id2, row.createdAt)], row, void 0), writeId: toListedId(newId()) }).then(
    () => !0,
    // Another tab was first, or the store takes nothing: the session is compared as a whole, which reports what is wrong.
    () => !1
  );
}

// src/sync/replica/compare-lists.ts
async function compareLists(local, remote, bases, newId) {
  let there = await rowsOf(remote), here = await rowsOf(local), ids = [.../* @__PURE__ */ new Set([...there.keys(), ...here.keys()])], changed = [], added = [];
  for (let from = 0; from < ids.length; from += atOnce) {
    let some = ids.slice(from, from + atOnce), lists = await Promise.all(
      some.map(async (id2) => {
        let [mine, theirs] = [here.get(id2), there.get(id2)];
        return theirs && (mine ? mine.seq === 1 : await storeRow(theirs, local, newId)) ? added : isOther(mine, theirs) || (await bases.get(id2))?.seq !== mine?.seq ? changed : void 0;
      })
    );
    for (let [index, id2] of some.entries()) lists[index]?.push(id2);
  }
  return { changed, added };
}
var atOnce = 100;
async function rowsOf(store2) {
  let rows = /* @__PURE__ */ new Map(), cursor;
  do {
    let page = await store2.list({ limit: 500, ...cursor !== void 0 && { cursor } });
    for (let row of page.sessions) rows.set(row.id, row);
    ({ cursor } = page);
  } while (cursor !== void 0);
  return rows;
}
function isOther(one, other) {
  return one?.seq !== other?.seq || one?.updatedAt !== other?.updatedAt || one?.title !== other?.title || one?.status !== other?.status;
}

// src/sync/replica/followed.ts
import { Observable as Observable2, Subscription } from "rxjs";
function followed(id2, read, changes) {
  return new Observable2((subscriber) => {
    let last = "", reading2 = Promise.resolve(), look = () => {
      reading2 = reading2.then(read).then(
        (value) => {
          let text2 = JSON.stringify(value);
          text2 !== last && subscriber.next(value), last = text2;
        },
        // A store that cannot be read has no news.
        () => {
        }
      );
    }, listening = new Subscription();
    for (let change$ of changes) listening.add(change$.subscribe((changed) => changed === id2 && look()));
    return look(), listening;
  });
}

// src/sync/replica/limited.ts
var ofOneSession = /^(STORAGE_(CONFLICT|CORRUPT|REJECTED|LOCKED)|QUOTA_EXCEEDED|SESSION_|INVALID_)/;
function limit(remote, ms, ports) {
  let failures = /* @__PURE__ */ new WeakSet();
  function within(request) {
    return new Promise((resolve, reject) => {
      let cancel = ports.delay(
        () => reject(
          noted(new AgentError(`The remote store has not answered within ${ms} ms.`, { code: "STORAGE_FAILED" }))
        ),
        ms
      );
      (async () => request())().finally(cancel).then(resolve, (thrown) => reject(noted(toAgentError(thrown, "STORAGE_FAILED"))));
    });
  }
  function noted(error2) {
    return ofOneSession.test(error2.code) || failures.add(error2), error2;
  }
  return {
    isFailure: (thrown) => thrown instanceof AgentError && failures.has(thrown),
    store: {
      changes$: remote.changes$,
      close: () => remote.close(),
      list: (options) => within(() => remote.list(options)),
      read: (id2, options) => within(() => remote.read(id2, options)),
      write: (write) => within(() => remote.write(write)),
      remove: (id2) => within(() => remote.remove(id2)),
      wasRemoved: (id2) => within(async () => await remote.wasRemoved?.(id2) ?? !1)
    }
  };
}

// src/sync/replica/locks.ts
function createReplicaLocks({ local, remote, isElsewhere, whenChanged }) {
  function shared(sessionId, lock, request) {
    let released = new AbortController(), lost = new AbortController();
    return lock.signal.addEventListener("abort", () => lost.abort(lock.signal.reason)), request(released.signal)?.then(
      (far) => {
        if (released.signal.aborted) return far.release();
        released.signal.addEventListener("abort", () => far.release()), far.signal.addEventListener("abort", () => lost.abort(busy2(sessionId)));
      },
      // The remote store is away: this device cannot tell the others that it runs the session.
      () => {
      }
    ), {
      isExclusive: lock.isExclusive,
      signal: lost.signal,
      release() {
        released.abort(), lock.release();
      }
    };
  }
  async function waitForOthers(sessionId, signal) {
    let wasFree = !1;
    for (; await isElsewhere(sessionId); ) {
      let isFree = await remote?.isHeld?.(sessionId).catch(() => {
      }) === !1;
      if (signal.throwIfAborted(), isFree && wasFree) return;
      let hasChanged = await whenChanged(sessionId, signal);
      signal.throwIfAborted(), wasFree = isFree && !hasChanged;
    }
  }
  return {
    async acquire(sessionId, signal = new AbortController().signal, lease = {}) {
      let lock = await local.acquire(sessionId, signal, lease);
      try {
        await waitForOthers(sessionId, signal);
      } catch (thrown) {
        throw lock.release(), thrown;
      }
      return shared(sessionId, lock, (released) => remote?.acquire(sessionId, released));
    },
    async take(sessionId) {
      let lock = await local.take(sessionId);
      return shared(sessionId, lock, () => remote?.take(sessionId));
    },
    async isHeld(sessionId) {
      return await local.isHeld?.(sessionId) !== !1 ? !0 : await isElsewhere(sessionId) && await remote?.isHeld?.(sessionId).catch(() => !0) !== !1;
    }
  };
}
var busy2 = (sessionId) => new AgentError(`Session ${sessionId} is running on another device.`, { code: "SESSION_BUSY" });

// src/sync/replica/loop.ts
var firstRetry = 1e3, lastRetry = 3e4, inStep = { state: "in-step" };
function createLoop({ ports, syncOne, compareLists: compareLists2, onTrouble, onStatus, signal }) {
  let queue = /* @__PURE__ */ new Set(), unfetched = /* @__PURE__ */ new Set(), mustList = !1, isBusy = !1, retryIn = firstRetry, status = inStep, cancelRetry, working = Promise.resolve();
  function setStatus(next) {
    next.state !== status.state && (status = next, onStatus());
  }
  function begin() {
    isBusy || signal.aborted || cancelRetry !== void 0 || (isBusy = !0, working = work());
  }
  async function work() {
    status.state === "in-step" && setStatus({ state: "behind", since: ports.now() });
    try {
      for (; !signal.aborted && (mustList || queue.size > 0 || unfetched.size > 0); ) await step();
      retryIn = firstRetry, setStatus(inStep);
    } catch (thrown) {
      if (signal.aborted) return;
      mustList = !0, setStatus({ state: "offline", since: ports.now(), error: toAgentError(thrown, "STORAGE_FAILED") }), cancelRetry = ports.delay(retry, retryIn), retryIn = Math.min(retryIn * 2, lastRetry);
    } finally {
      isBusy = !1;
    }
  }
  async function step() {
    if (mustList) {
      let { changed, added } = await compareLists2();
      mustList = !1;
      for (let id2 of changed) queue.add(id2);
      for (let id2 of added)
        queue.delete(id2), unfetched.add(id2);
      return;
    }
    let first = queue.size > 0 ? queue : unfetched;
    for (let id2 of first) {
      first.delete(id2);
      try {
        let later = await syncOne(id2);
        later !== void 0 && ports.delay(() => poke(id2), later);
      } catch (thrown) {
        if (signal.aborted) return;
        let error2 = toAgentError(thrown, "STORAGE_FAILED");
        if (!ofOneSession.test(error2.code))
          throw first.add(id2), error2;
        onTrouble(id2, error2);
      }
      return;
    }
  }
  function poke(sessionId) {
    queue.add(sessionId), begin();
  }
  function retry() {
    cancelRetry?.(), cancelRetry = void 0, begin();
  }
  return signal.addEventListener("abort", () => cancelRetry?.()), {
    poke,
    retry,
    async sync() {
      if (mustList = !0, retry(), await working, status.state === "offline") throw status.error;
    },
    getStatus: () => status
  };
}

// src/sync/replica/online.ts
import { Observable as Observable3 } from "rxjs";
function onlineOf(remote) {
  return remote.online$ ?? new Observable3((subscriber) => {
    let listening = new AbortController();
    return globalThis.addEventListener?.("online", () => subscriber.next(!0), listening), () => listening.abort();
  });
}

// src/sync/replica/session-sync.ts
async function readNews(id2, local, bases) {
  let base = await bases.get(id2), here = await local.read(id2, { after: base?.seq ?? 0 });
  return { base, here: isListed(here?.writeId) ? void 0 : here };
}
function runnerElsewhere(base, here, device, status = "running") {
  if (here?.summary.status !== status) return;
  let isBeside = here.events.every(isConcurrent), runner = runnerOf(here.writeId) ?? (isBeside ? runnerOf(base?.theirs) : void 0);
  return runner === device ? void 0 : runner;
}
function toSessionSync(base, here, device, { error: error2, waiting }) {
  if (here === void 0) return;
  let { held } = here.summary.status === "waiting" ? doubtsOf(base, here.events) : {}, kept2 = defined({ keptAs: base?.keptAs, held, asker: runnerElsewhere(base, here, device, "waiting") }), { updatedAt, seq } = here.summary;
  if (error2 !== void 0) return { state: "refused", error: error2, ...kept2 };
  if (waiting !== void 0) return { state: "waiting", since: waiting, ...kept2 };
  let runner = runnerElsewhere(base, here, device);
  return runner !== void 0 ? { state: "elsewhere", device: runner, since: updatedAt, ...kept2 } : base?.seq === seq && base.mine === here.writeId ? { state: "in-step", ...kept2 } : { state: "behind", since: here.events[0]?.at ?? updatedAt, ...kept2 };
}

// src/core/model/find-call.ts
function findCall(state, callId) {
  let message2 = state.messages.findLast(({ content }) => content.some(isCall(callId))), call = message2?.content.find(isCall(callId));
  return message2 && call && { message: message2, call };
}
function isCall(callId) {
  return (part2) => isToolPart(part2) && part2.callId === callId;
}

// src/core/model/parts.ts
function grow(content, delta) {
  let last = content.at(-1);
  switch (delta.type) {
    case "text.delta": {
      let open = last?.type === "text" ? last : void 0;
      return replace(content, open, { type: "text", text: (open?.text ?? "") + delta.text });
    }
    case "reasoning.delta": {
      let { at: at2, startedAt: begun = at2, text: text2, provider } = delta, open = last?.type === "reasoning" && last.provider === void 0 ? last : void 0, startedAt2 = open?.startedAt ?? begun;
      return replace(content, open, {
        type: "reasoning",
        text: (open?.text ?? "") + text2,
        startedAt: startedAt2,
        durationMs: at2 - startedAt2,
        ...defined({ provider })
      });
    }
    case "call.delta": {
      let { callId, name = "", text: text2 } = delta;
      return withCall(content, callId, (before) => ({
        type: "tool",
        callId,
        name: before?.name || name,
        status: "streaming",
        inputText: (before?.inputText ?? "") + text2
      }));
    }
  }
}
function withCall(content, callId, make) {
  let before = content.find(isCall(callId));
  return before === void 0 || before.status === "streaming" ? replace(content, before, make(before)) : content;
}
function closeCalls(message2, to, from) {
  let isMoved = (part2) => isToolPart(part2) && (from === void 0 ? !isEnded(part2.status) : part2.status === from);
  return message2.content.some(isMoved) ? { ...message2, content: message2.content.map((part2) => isMoved(part2) ? moved(part2, to) : part2) } : message2;
}
function sealCalls(message2) {
  let isArmed = (part2) => isToolPart(part2) && part2.status === "uncertain" && part2.startedAt !== void 0, sealed = closeCalls(message2, "cancelled");
  return sealed.content.some(isArmed) ? {
    ...sealed,
    content: sealed.content.map((part2) => {
      if (!isArmed(part2)) return part2;
      let { startedAt: _elsewhere, ...call } = part2;
      return call;
    })
  } : sealed;
}
function moved({ progress: _past, ...call }, to) {
  return { ...call, status: to };
}
function withCallsOf(before, after) {
  let calls2 = new Map(toolParts(before).map((call) => [call.callId, call])), content = after.content.flatMap((part2) => {
    if (!isToolPart(part2)) return part2;
    let call = calls2.get(part2.callId);
    return calls2.delete(part2.callId), call ?? [];
  }), missing = [...calls2.values()].filter(({ status }) => !isEnded(status));
  return { ...after, content: [...content, ...missing] };
}
function replace(list, before, after) {
  let copy = [...list];
  return copy[before === void 0 ? copy.length : copy.lastIndexOf(before)] = after, copy;
}

// src/core/model/state.ts
function allMessages({ messages, alternatives }) {
  return [...messages, ...alternatives.flatMap((alternative) => alternative.messages)];
}
var noUsage = { input: 0, output: 0 };
function initialState(id2) {
  return {
    id: id2,
    title: "",
    createdAt: 0,
    updatedAt: 0,
    seq: 0,
    messages: [],
    queue: [],
    approvalRules: [],
    replaced: [],
    alternatives: [],
    context: [],
    usage: noUsage
  };
}
function openRun({ run }) {
  return run?.outcome === void 0 ? run : void 0;
}

// src/core/model/alternatives.ts
var idBefore = ({ messages }, place) => messages[place - 1]?.id ?? "";
function shownFrom(state, start) {
  let after = idBefore(state, start), order = 0;
  for (; state.alternatives.some((one) => one.after === after && one.order === order); ) order++;
  return { after, order, messages: state.messages.slice(start) };
}
function setAside(state, start) {
  let shown = shownFrom(state, start);
  if (shown.messages.length === 0) return state;
  let run = openRun(state) ? void 0 : state.run, alternative = { ...shown, messages: shown.messages.map(sealCalls), ...defined({ run }) };
  return {
    ...state,
    messages: state.messages.slice(0, start),
    alternatives: [...state.alternatives, alternative],
    replaced: []
  };
}
function showAlternative(state, messageId) {
  let chosen = state.alternatives.find(({ messages }) => messages[0]?.id === messageId), start = placeOf(state.messages, chosen?.after) + 1;
  if (chosen === void 0 || openRun(state) || chosen.after !== idBefore(state, start)) return state;
  let { run: _run, ...rest } = setAside(state, start);
  return {
    ...rest,
    messages: [...rest.messages, ...chosen.messages],
    alternatives: rest.alternatives.filter((one) => one !== chosen),
    ...defined({ run: chosen.run })
  };
}
function removeMessage(state, messageId) {
  let { messages, alternatives } = state, after = idBefore(state, placeOf(messages, messageId));
  return {
    ...state,
    messages: messages.filter(({ id: id2 }) => id2 !== messageId),
    alternatives: alternatives.map((one) => one.after === messageId ? { ...one, after } : one)
  };
}

// src/core/model/change.ts
function closeAll(state, to, from) {
  let close = (message2) => closeCalls(message2, to, from);
  return state.messages.some((message2) => close(message2) !== message2) ? { ...state, messages: state.messages.map(close) } : state;
}
function changeReply(state, change) {
  return changeMessage(state, state.run?.openReply, change);
}
function changeContent(state, change) {
  return changeReply(state, (reply) => ({ ...reply, content: change(reply.content) }));
}
function changeMessage(state, id2, change) {
  let message2 = state.messages.findLast((one) => one.id === id2);
  return message2 === void 0 ? state : { ...state, messages: replace(state.messages, message2, change(message2)) };
}
function changeCall(state, callId, status, change) {
  let found = findCall(state, callId);
  if (found === void 0 || !mayFollow(found.call.status, status)) return state;
  let call = moved(found.call, status);
  return putCall(state, found, change(call), call);
}
function putCall(state, { message: message2, call }, changes, base = call) {
  let content = replace(message2.content, call, merge(base, changes));
  return { ...state, messages: replace(state.messages, message2, { ...message2, content }) };
}

// src/core/model/approval.ts
function changeApproval(state, event) {
  switch (event.type) {
    case "approval.requested": {
      let approval2 = defined({
        expiresAt: event.expiresAt,
        toolVersion: event.toolVersion,
        elicitation: event.elicitation,
        cause: event.cause
      }), held = changeCall(
        state,
        event.callId,
        "awaiting-approval",
        () => Object.keys(approval2).length > 0 ? { approval: approval2 } : {}
      );
      return held === state ? state : { ...held, asked: askedWith(state, event) };
    }
    case "approval.decided": {
      let { verdict, decidedBy: decidedBy2, reason, userName, answer, input, toolVersion, rejectionText } = event, status = verdict === "approved" && input !== void 0 ? "edited" : verdict, decided = changeCall(state, event.callId, status, (call) => ({
        approval: {
          ...call.approval,
          verdict,
          decidedBy: decidedBy2,
          ...defined({ reason, userName, answer, toolVersion, rejectionText })
        },
        ...status === "edited" && defined({ editedInput: input })
      }));
      return decided === state || decidedBy2 === "policy" || decidedBy2 === "rule" ? decided : afterDecision(decided, event);
    }
    case "approval.proposed": {
      let found = findCall(state, event.callId);
      return found?.call.status === "awaiting-approval" && !found.call.approval?.proposal ? putCall(state, found, { approval: { ...found.call.approval, proposal: event.proposal } }) : state;
    }
  }
}
function askedWith(state, { callId, at: at2 }) {
  let { asked = [] } = state, waits = new Set(callsAwaitingApproval(state).map((call) => call.callId));
  return [...asked.filter((one) => waits.has(one.callId) && one.callId !== callId), { callId, at: at2 }];
}
function afterDecision(state, event) {
  let { at: at2, verdict, remember, reason, userName } = event, call = findCall(state, event.callId)?.call, toolVersion = call?.approval?.toolVersion, run = state.run && { ...state.run, since: at2 };
  if (remember !== "session" || verdict === "expired" || call === void 0 || toolVersion === void 0)
    return { ...state, ...defined({ run }) };
  let rule = {
    name: call.name,
    verdict,
    toolVersion,
    at: at2,
    ...defined({ reason, userName })
  }, approvalRules = [...state.approvalRules.filter((one) => one.name !== rule.name), rule];
  return { ...state, approvalRules, ...defined({ run }) };
}

// src/core/model/origin.ts
function withOrigin(message2, origin2) {
  return message2.origin?.type === origin2.type && origin2.type !== "interface" ? message2 : { ...message2, origin: origin2 };
}

// src/core/model/usage.ts
var tokenKinds = ["input", "output", "cached", "reasoning", "cacheRead", "cacheWritten"];
function addUsage(sum, usage2) {
  let total = { ...sum };
  for (let key of tokenKinds) usage2[key] && (total[key] = (sum[key] ?? 0) + usage2[key]);
  return total;
}
function spend(state, usage2) {
  if (usage2 === void 0) return state;
  let run = openRun(state);
  return {
    ...state,
    usage: addUsage(state.usage, usage2),
    ...run && { run: { ...run, usage: addUsage(run.usage, usage2) } }
  };
}
function changeContext(state, event) {
  let noted = { ...state, context: [...state.context, event] };
  if (!("cause" in event)) return noted;
  let spent = spend(noted, event.usage);
  return spent.run ? { ...spent, run: { ...spent.run, compactedAtStep: spent.run.steps } } : spent;
}
function refuseReply(state) {
  if (state.run?.openReply === void 0) return state;
  let { openReply, compactedAtStep: _compactedAtStep, steps: steps2, ...run } = state.run;
  return {
    ...state,
    run: { ...run, steps: steps2 - 1, isRefused: !0 },
    messages: state.messages.filter(({ id: id2 }) => id2 !== openReply)
  };
}

// src/core/model/evolve.ts
function evolve(state, event) {
  return { ...applyEvent(state, event), seq: event.seq, updatedAt: event.at };
}
function applyEvent(state, event) {
  switch (event.type) {
    case "session.started":
      return { ...state, id: event.sessionId, title: event.title ?? "", createdAt: event.at };
    case "session.renamed":
      return { ...state, title: event.title };
    case "metadata.changed":
      return { ...state, metadata: event.metadata };
    case "session.cleared":
      return { ...state, messages: [], queue: [], replaced: [], alternatives: [], context: [] };
    case "session.imported": {
      let take = (message2) => withOrigin(sealCalls(message2), { type: "import" }), rest = withoutReplaced(state);
      return {
        ...rest,
        messages: [...state.messages, ...state.replaced].map(take),
        queue: rest.queue.map((queued) => ({ ...queued, message: take(queued.message) })),
        alternatives: rest.alternatives.map((one) => ({ ...one, messages: one.messages.map(take) }))
      };
    }
    case "session.rewound": {
      let end = placeOf(state.messages, event.messageId) + 1;
      return end === 0 ? state : { ...setAside(state, end), replaced: state.messages.slice(end), rewoundTo: event.messageId };
    }
    case "alternative.selected":
      return showAlternative(state, event.messageId);
    case "message.added": {
      let { message: message2, supersedes } = event, place = openRun(state) ? -1 : placeOf(state.messages, supersedes), base = place < 0 ? state : setAside(state, place);
      return {
        ...base,
        title: state.title || titleFrom(message2),
        messages: [...base.messages, sealCalls(message2)],
        queue: without(state.queue, event.message.id)
      };
    }
    case "message.updated":
      return changeMessage(state, event.message.id, (message2) => withCallsOf(message2, event.message));
    case "message.removed":
      return removeMessage(state, event.messageId);
    case "message.queued": {
      let { message: message2, mode, settings: settings2 } = event;
      return { ...state, queue: [...without(state.queue, message2.id), { message: message2, mode, ...defined({ settings: settings2 }) }] };
    }
    case "message.unqueued":
      return { ...state, queue: without(state.queue, event.messageId) };
    case "run.started": {
      let open = openRun(state);
      if (open) return applyEvent(endRun(state, open, { outcome: "interrupted" }), event);
      let resumed = state.run?.id === event.resumes ? state.run : void 0, { steps: steps2, usage: usage2 } = resumed === void 0 || resumed.outcome === "limit" ? { steps: 0, usage: noUsage } : resumed, { isCompaction, isAutomatic, settings: settings2 } = event, autoResumes = resumed && isAutomatic ? (resumed.autoResumes ?? 0) + 1 : void 0, promptId = resumed ? resumed.promptId : state.messages.at(-1)?.id, continues = resumed?.outcome === "completed" ? state.messages.at(-1)?.id : resumed?.continues, run = {
        id: event.runId,
        steps: steps2,
        usage: usage2,
        since: event.at,
        ...defined({ promptId, continues, autoResumes, isCompaction, settings: settings2 })
      };
      return { ...resumed ? state : closeAll(state, "cancelled"), run };
    }
    case "run.ended": {
      let run = openRun(state);
      return run?.id === event.runId ? endRun(state, run, event) : state;
    }
    case "instructions.changed":
      return { ...state, instructions: { contentId: event.contentId, messages: event.messages } };
    case "tools.changed":
      return { ...state, tools: { contentId: event.contentId, tools: event.tools } };
    case "reply.started": {
      let run = openRun(state);
      if (run === void 0) return state;
      let reply = {
        id: event.messageId,
        role: "assistant",
        content: [],
        timestamp: event.at,
        status: "streaming",
        ...defined({ context: event.context, settings: run.settings, origin: event.origin })
      };
      return {
        ...state,
        run: merge(run, { steps: run.steps + 1, openReply: event.messageId }),
        messages: [...state.messages, reply]
      };
    }
    case "text.delta":
    case "reasoning.delta":
    case "call.delta":
      return changeContent(state, (content) => grow(content, event));
    case "part.added":
      return isToolPart(event.part) ? state : changeContent(state, (content) => [...content, event.part]);
    case "call.requested": {
      let { type: _type, seq: _seq, at: _at, v: _v, ...fields2 } = event, found = findCall(state, event.callId);
      return found && found.message.id !== state.run?.openReply ? state : changeContent(
        state,
        (content) => withCall(content, event.callId, () => ({ type: "tool", status: "requested", ...fields2 }))
      );
    }
    case "reply.ended": {
      let { finish: finish2, usage: usage2, model } = event, ended = changeReply(
        state,
        (reply) => merge(closeCalls(reply, "cancelled", "streaming"), {
          status: "complete",
          finish: finish2,
          ...defined({ usage: usage2, model })
        })
      );
      if (state.run?.openReply === void 0) return state;
      let { openReply, isRefused: _isRefused, ...run } = state.run, isEmpty = ended.messages.findLast(({ id: id2 }) => id2 === openReply)?.content.length === 0;
      return spend({ ...ended, run, replaced: isEmpty ? state.replaced : [] }, usage2);
    }
    case "reply.refused":
      return refuseReply(state);
    case "approval.requested":
    case "approval.decided":
    case "approval.proposed":
      return changeApproval(state, event);
    case "rule.revoked":
      return { ...state, approvalRules: state.approvalRules.filter(({ name }) => name !== event.name) };
    case "call.started": {
      let { attempt, at: startedAt2, server } = event;
      return changeCall(state, event.callId, "started", () => ({
        startedAt: startedAt2,
        ...defined({ attempt: attempt > 1 ? attempt : void 0, server })
      }));
    }
    case "call.progress": {
      let found = findCall(state, event.callId);
      return found?.call.status === "started" ? putCall(state, found, { progress: event.progress }) : state;
    }
    case "call.ended": {
      let { outcome, output, summary: summary2, details: details2, requiresFollowUp } = event;
      return changeCall(state, event.callId, outcome, (call) => ({
        isError: outcome !== "succeeded",
        ...defined({ output, summary: summary2, details: details2, requiresFollowUp }),
        ...call.startedAt !== void 0 && { durationMs: event.at - call.startedAt }
      }));
    }
    case "context.compacted":
    case "context.compaction-failed":
    case "context.restored":
    case "message.pinned":
      return changeContext(state, event);
    case "event.dropped":
  }
  return state;
}
function endRun(state, { openReply, ...run }, { outcome, error: error2, limit: limit2 }) {
  let interrupted = changeReply(state, (reply) => ({ ...closeCalls(reply, "cancelled"), status: "interrupted" })), isEmptyReply = ({ id: id2, status, content }) => content.length === 0 && status !== void 0 && (id2 === openReply || state.replaced.length > 0), messages = interrupted.messages.some(isEmptyReply) ? interrupted.messages.filter((message2) => !isEmptyReply(message2)) : interrupted.messages, place = placeOf(messages, state.rewoundTo) + 1, isUnanswered = state.replaced.length > 0 && messages.slice(place).every(({ status }) => status === void 0), closed = {
    ...isUnanswered ? withoutReplaced(interrupted) : interrupted,
    run: merge(run, { outcome, ...defined({ error: error2, limit: limit2 }) }),
    messages: isUnanswered ? [...messages.slice(0, place), ...state.replaced, ...messages.slice(place)] : messages,
    replaced: []
  };
  return outcome === "interrupted" || outcome === "failed" ? closeAll(closed, "uncertain", "started") : closeAll(closed, "cancelled");
}
function withoutReplaced(state) {
  let [first] = state.replaced;
  return {
    ...state,
    alternatives: state.alternatives.filter(({ messages }) => messages[0]?.id !== first?.id),
    replaced: []
  };
}
function without(queue, messageId) {
  return queue.some(({ message: message2 }) => message2.id === messageId) ? queue.filter(({ message: message2 }) => message2.id !== messageId) : queue;
}
function titleFrom(message2) {
  if (message2.role !== "user") return "";
  let line = extractTextContent(message2).trim().replace(/\n[^]*/, "");
  return line.length > 80 ? `${line.slice(0, 79)}\u2026` : line;
}

// src/core/model/event-reach.ts
var eventReach = {
  "session.started": "none",
  "session.renamed": "none",
  "metadata.changed": "none",
  "session.cleared": "all",
  "event.dropped": "none",
  "session.imported": "all",
  "session.rewound": "named",
  "alternative.selected": "all",
  "message.added": "named",
  "message.updated": "named",
  "message.removed": "all",
  "message.queued": "none",
  "message.unqueued": "none",
  // These close calls that are open, and depend on the newest message: neither is put aside.
  "run.started": "none",
  "run.ended": "none",
  "instructions.changed": "none",
  "tools.changed": "none",
  "reply.started": "none",
  // These change the open reply only.
  "reply.refused": "none",
  "text.delta": "none",
  "reasoning.delta": "none",
  "call.delta": "none",
  "part.added": "none",
  "reply.ended": "none",
  "call.requested": "named",
  "approval.requested": "named",
  "approval.decided": "named",
  "approval.proposed": "named",
  "rule.revoked": "none",
  "call.started": "named",
  "call.progress": "named",
  "call.ended": "named",
  // These change the view of the model, which the state holds apart from the messages.
  "context.compacted": "none",
  "context.compaction-failed": "none",
  "context.restored": "none",
  "message.pinned": "none"
};

// src/core/model/folding.ts
var maxVisible = 8, nameless = {};
function needsAll(event, state, aside) {
  let reach = eventReach[event.type], names = event, { message: message2, messageId = message2?.id, callId, supersedes } = reach === "named" ? names : nameless;
  return reach === "all" || supersedes !== void 0 || state.replaced.length > 0 || [state.run?.openReply, messageId, callId].some((id2 = "") => aside.has(id2));
}
function restOf({ messages, replaced }) {
  if (messages.length <= maxVisible || replaced.length > 0) return [];
  let open = messages.findIndex((message2) => !isAtRest(message2));
  return messages.slice(0, open);
}
function createFolding(start) {
  let state = start, aside = [], asideReply, ids = /* @__PURE__ */ new Set(), length = 0, whole = start, seen = start, recent, recentOf;
  function getState() {
    if (seen === state) return whole;
    let messages = seen.messages === state.messages ? whole.messages : aside.concat([...state.messages]);
    return seen = state, whole = { ...state, messages };
  }
  function putAside() {
    let old = restOf(state);
    for (let message2 of old) {
      aside.push(message2);
      for (let id2 of idsOf(message2)) ids.add(id2);
    }
    asideReply = lastReply(old) ?? asideReply;
    let rest = { ...state, messages: state.messages.slice(old.length) };
    seen === state && (seen = rest), state = rest;
  }
  function takeBack() {
    seen = state = getState(), aside = [], asideReply = void 0, ids = /* @__PURE__ */ new Set();
  }
  return {
    add(event) {
      return state.messages.length > length && putAside(), needsAll(event, state, ids) && takeBack(), length = state.messages.length, state = evolve(state, event), state.messages.length === 0 && takeBack(), state;
    },
    getState,
    getRecent() {
      if (recent === void 0 || recentOf !== state) {
        let { id: id2, run, queue, approvalRules, context, messages } = state, reply = run && (lastReply(messages) ?? asideReply);
        recent = { id: id2, run, queue, approvalRules, context, newest: messages.at(-1), lastReply: reply }, recentOf = state;
      }
      return recent;
    },
    hasId: (id2) => ids.has(id2) || allMessages(state).flatMap(idsOf).includes(id2)
  };
}
function isAtRest(message2) {
  return message2.status !== void 0 && (message2.status === "streaming" || message2.content.length === 0) ? !1 : toolParts(message2).every(({ status }) => isEnded(status));
}

// src/core/model/fold.ts
function fold(events2, start) {
  let { add: add2, getState } = createFolding(start);
  return events2.forEach(add2), getState();
}
function foldLog(sessionId, events2) {
  return fold(events2, initialState(sessionId));
}

// src/core/model/summary.ts
function toSummary(state) {
  let { id: id2, title: title2, createdAt, updatedAt, messages, usage: usage2, seq, metadata } = state, counted = { status: statusOf(state), messageCount: messages.length }, calls2 = waitingCalls(state).slice(0, mostWaiting), waiting = calls2.length > 0 ? calls2 : void 0;
  return { id: id2, title: title2, createdAt, updatedAt, ...counted, usage: usage2, seq, ...defined({ metadata, waiting }) };
}

// src/sync/replica/fork-log.ts
function toForkLog(events2, forkId, toTitle) {
  let log = events2.map((event) => event.type === "session.started" ? { ...event, sessionId: forkId } : event), { state: sealed, events: seals } = seal(foldLog(forkId, log)), renamed2 = eventAfter(sealed, { type: "session.renamed", title: toTitle(sealed.title) });
  return { events: [...log, ...seals, renamed2], summary: toSummary(evolve(sealed, renamed2)) };
}
function sealRevived(id2, events2, agreed) {
  let begun = new Set(events2.flatMap((event) => event.type === "call.started" ? [event.callId] : [])), shared = new Set(
    events2.flatMap((event) => event.type === "call.requested" && event.seq <= agreed ? [event.callId] : [])
  ), state = foldLog(id2, events2), mayHaveRun = ({ callId, status }) => shared.has(callId) && !begun.has(callId) && !isEnded(status);
  return allMessages(state).concat(state.replaced).flatMap(toolParts).some(mayHaveRun) ? seal(state).events : [];
}
function seal(from) {
  let state = from, events2 = [], append = (body) => {
    let event = eventAfter(state, body);
    events2.push(event), state = evolve(state, event);
  }, run = openRun(state);
  return run && append({ type: "run.ended", runId: run.id, outcome: "interrupted" }), allMessages(state).concat(state.replaced).some((message2) => sealCalls(message2) !== message2) && append({ type: "session.imported" }), { events: events2, state };
}
function eventAfter({ seq, updatedAt }, body) {
  return { ...body, seq: seq + 1, at: updatedAt, v: 2 };
}

// src/sync/replica/forks.ts
async function keepAsFork({ first }, { id: id2, base, here }, env) {
  let { local, bases, ports, device, toForkTitle = toKeptTitle } = env;
  if (typeof here != "object") return;
  let { forking } = base ?? {}, isRetry = forking !== void 0 && hasEvent(here, forking.first), earlier = isRetry ? await local.read(forking.id, { after: 1 / 0 }) : void 0, isOwn = earlier === void 0 || isUntouchedFork(earlier.writeId), forkId = isRetry && isOwn ? forking.id : ports.id(), stored = isOwn ? earlier : void 0, keptAs = isRetry || forking === void 0 ? base?.keptAs : await finishFork(id2, forking, env);
  await bases.set(id2, {
    seq: 0,
    ...base,
    ...defined({ keptAs }),
    forking: { id: forkId, first: JSON.stringify(first) }
  }), keptAs !== void 0 && keptAs !== base?.keptAs && env.onFork({ sessionId: id2, keptAs, device });
  let writeId = toForkId(forkId, here.writeId ?? String(here.summary.seq));
  if (stored?.writeId === writeId) return;
  let { events: events2, summary: summary2 } = toForkLog(here.events, forkId, (title2) => toForkTitle(title2, device));
  await local.write({ ...toWrite(forkId, events2, summary2, stored), writeId, ...stored && { replaces: everything } });
}
function toKeptTitle(title2, device) {
  return `${title2} (kept from ${device})`.trim();
}
function hasEvent({ events: events2 }, json) {
  return events2.some((event) => JSON.stringify(event) === json);
}
async function finishFork(id2, { id: forkId, first }, { local }) {
  let log = await local.read(id2), fork = await local.read(forkId, { after: 1 / 0 });
  if (fork !== void 0) {
    if (log === void 0 || !hasEvent(log, first)) return forkId;
    isUntouchedFork(fork.writeId) && await local.remove(forkId);
  }
}

// src/sync/replica/note.ts
async function settle(sides, env) {
  let { id: id2, base, here, there, doubts } = sides;
  if (typeof here != "object" || typeof there != "object") {
    base !== void 0 && await env.bases.set(id2, void 0);
    return;
  }
  let tip = { seq: here.summary.seq, mine: here.writeId, theirs: there.writeId }, isSame = base?.seq === tip.seq && base.mine === tip.mine && base.theirs === tip.theirs, isAsHeld = doubts === void 0 || JSON.stringify(doubts) === JSON.stringify(doubtsOf(base));
  return isSame && isAsHeld && base.forking === void 0 ? base : note(id2, tip, base, env, doubts);
}
async function note(id2, tip, base, env, doubts = doubtsOf(base)) {
  let keptAs = base?.forking === void 0 ? base?.keptAs : await finishFork(id2, base.forking, env), noted = {
    seq: tip.seq,
    ...defined({ mine: tip.mine, theirs: tip.theirs, keptAs: keptAs ?? base?.keptAs }),
    ...doubts
  };
  return await env.bases.set(id2, noted), keptAs !== void 0 && keptAs !== base?.keptAs && env.onFork({ sessionId: id2, keptAs, device: env.device }), noted;
}

// src/core/model/without-position.ts
function withoutPosition(event) {
  let { seq: _seq, since: _since, ...content } = event;
  return content;
}

// src/sync/replica/compare.ts
function commonSeq(mine, theirs, from) {
  let ours = coalesce(mine.map(withoutPlace)), others = coalesce(theirs.map(withoutPlace)), common = from;
  for (let [index, one] of ours.entries()) {
    let other = others[index];
    if (other === void 0) break;
    if (!isDelta(one) || !isDelta(other)) {
      if (JSON.stringify(one) !== JSON.stringify(other)) break;
      common = one.seq;
      continue;
    }
    if (!isSamePart(one, other) || !isBeginning(one.text, other.text) || (common = Math.min(one.seq, other.seq), one.seq !== other.seq)) break;
  }
  return common;
}
function beginsBefore(events2, from) {
  let [first] = events2;
  return first !== void 0 && firstSeq(first) <= from;
}
function missingIn(events2, there) {
  let keyOf = (event) => JSON.stringify(withoutPosition(withoutOrigin(event))), known = new Set(there.map(keyOf));
  return events2.filter((event) => !known.has(keyOf(event)));
}
function renumbered(events2, seq) {
  return events2.map((event, index) => ({ ...event, seq: seq + 1 + index }));
}
var withoutPlace = (event) => withoutCadence(withoutOrigin(event));
function withoutOrigin(event) {
  if (event.type === "reply.started") {
    let { origin: _origin2, ...rest } = event;
    return rest;
  }
  if (!("message" in event)) return event;
  let { origin: _origin, ...message2 } = event.message;
  return { ...event, message: message2 };
}
function withoutCadence(event) {
  if (!isDelta(event) || event.cadence === void 0) return event;
  let { cadence: _cadence, ...rest } = event;
  return rest;
}
function isSamePart(one, other) {
  return one.type === other.type && (!("callId" in one) || !("callId" in other) || one.callId === other.callId);
}
function isBeginning(one, other) {
  return one.startsWith(other) || other.startsWith(one);
}

// src/sync/replica/plan.ts
function planOf(here, there, base, from) {
  if (typeof here != "object" || typeof there != "object") return planRemoval(here, there, base, from);
  if (from > 0 && !(isContinuation(here, base?.seq, base?.mine) && isContinuation(there, base?.seq, base?.theirs)))
    return { do: "read-whole" };
  let isPartial = beginsBefore(here.events, from) || beginsBefore(there.events, from);
  if (from > 0 && isPartial && here.events.length > 0 && there.events.length > 0) return { do: "read-whole" };
  let common = commonSeq(here.events, there.events, from), mine = here.events.filter(({ seq }) => seq > common), theirs = there.events.filter(({ seq }) => seq > common);
  if (mine.length === 0)
    return theirs.length === 0 ? { do: "rest" } : { do: "write", to: "here", common, events: theirs };
  if (theirs.length === 0) return { do: "write", to: "there", common, events: mine };
  if (from > 0) return { do: "read-whole" };
  if (isTip(here, base?.seq, base?.mine)) return { do: "write", to: "here", common, events: theirs };
  if (isTip(there, base?.seq, base?.theirs)) return { do: "write", to: "there", common, events: mine };
  let isClosed = mine.every((event) => isConcurrent(event) || isClosing(event));
  if (theirs.every((event) => isConcurrent(event) || !isClosed && isInterruption(event))) {
    let missing = missingIn(theirs.filter(isConcurrent), mine), { seq } = here.summary;
    return missing.length === 0 ? { do: "write", to: "there", common, events: mine } : { do: "write", to: "here", common: seq, events: renumbered(missing, seq), isMerged: !0 };
  }
  let beside = mine.filter(isConcurrent), rebased = renumbered(missingIn(beside, theirs), there.summary.seq), events2 = [...theirs, ...rebased], [first] = missingIn(mine, theirs);
  return first === void 0 || isClosed ? { do: "write", to: "here", common, events: events2, isMerged: rebased.length > 0 } : { do: "fork", common, events: theirs, first };
}
function planRemoval(here, there, base, from) {
  if (typeof here == "object") {
    let isUntouched2 = base !== void 0 && isTip(here, base.seq, base.mine);
    if (there === "removed" && isUntouched2) return { do: "remove", from: "here" };
    if (from > 0) return { do: "read-whole" };
    let seals2 = there === "removed" && base ? sealRevived(here.summary.id, here.events, base.seq) : [];
    return seals2.length > 0 ? { do: "write", to: "here", common: here.summary.seq, events: seals2, isMerged: !0 } : { do: "write", to: "there", common: 0, events: here.events };
  }
  if (typeof there != "object") return { do: "rest" };
  let isUntouched = base !== void 0 && isTip(there, base.seq, base.theirs);
  if (here === "removed" && isUntouched) return { do: "remove", from: "there" };
  if (from > 0) return { do: "read-whole" };
  let seals = here === "removed" && base ? sealRevived(there.summary.id, there.events, base.seq) : [];
  return { do: "write", to: "here", common: 0, events: [...there.events, ...seals], isMerged: seals.length > 0 };
}
function isTip({ summary: summary2, writeId }, seq, last) {
  return summary2.seq === seq && writeId === last;
}
function isContinuation({ summary: summary2, writeId }, seq = 0, last) {
  return summary2.seq >= seq && lineageOf(writeId) === lineageOf(last);
}
function isInterruption(event) {
  return event.type === "run.ended" && event.outcome === "interrupted";
}
function isClosing(event) {
  return event.type === "run.ended" || event.type === "approval.decided" && event.decidedBy === "timeout";
}

// src/sync/replica/sides.ts
var markLasts = 6e5;
async function readSides(id2, env, isTrusted, isWhole) {
  let base = await env.bases.get(id2), from = isWhole ? 0 : base?.seq ?? 0, stored = await readSide(env.local, id2, from), row = typeof stored == "object" && isListed(stored.writeId) ? stored : void 0, here = row ? void 0 : stored;
  if (typeof here == "object" && isRemoval(here.writeId) && (await env.local.remove(id2), here = "removed"), typeof here == "object" && here.damage !== void 0)
    throw new AgentError(`Session ${id2} is damaged on this device: ${here.damage}.`, { code: "STORAGE_CORRUPT" });
  let mine = { id: id2, base, here, row, from };
  if (isTrusted && !isWhole && base !== void 0 && typeof here == "object") {
    let { seq, theirs } = base;
    return { ...mine, there: { summary: { ...here.summary, seq }, events: [], ...defined({ writeId: theirs }) } };
  }
  let there = await readSide(env.remote, id2, from);
  if (typeof there == "object" && !isMark(there)) {
    let checked = checkRows(id2, there, from);
    return env.devices ? vetSide(mine, checked, env, env.devices) : { ...mine, there: checked };
  }
  return row && await env.local.remove(id2), typeof there != "object" ? { ...mine, there } : there.summary.updatedAt > env.ports.now() - markLasts ? { ...mine, there: "removed", mark: there } : (await env.remote.remove(id2), { ...mine, there: "removed" });
}
function isMark({ writeId, events: [first, ...rest], summary: summary2 }) {
  let isAlone = first?.type === "session.started" && rest.length === 0;
  return isRemoval(writeId) && isAlone && summary2.messageCount === 0;
}
async function readSide(store2, id2, after) {
  return await store2.read(id2, after === 0 ? void 0 : { after }) ?? (await store2.wasRemoved?.(id2) ?? !0 ? "removed" : void 0);
}
async function vetSide(mine, there, env, devices) {
  let { id: id2, base, here, from } = mine;
  if (from > 0 && base?.isOpen && there.events.length > 0) return readSides(id2, env, !1, !0);
  if (from > 0 && !there.events.some(isDecision)) return { ...mine, there };
  let log = from === 0 || typeof here != "object" ? here : await env.local.read(id2), { events: events2, summary: summary2, held, isOpen, spent } = await devices.vet({
    sessionId: id2,
    theirs: there.events,
    mine: typeof log == "object" ? log.events : [],
    from,
    agreed: base?.seq ?? 0,
    // What had run in a session that was removed here since, nobody knows any more.
    spent: here === "removed" && base ? callsIn(there.events) : base?.spent ?? []
  }), isCurbed = summary2 !== void 0, known = base && spent.length > (base.spent?.length ?? 0) ? { ...base, spent } : base;
  return known && known !== base && await env.bases.set(id2, known), {
    ...mine,
    base: known,
    there: { ...there, events: events2, ...isCurbed && { summary: summary2 } },
    doubts: doubtsOf({ held, ...isOpen && { isOpen }, spent }),
    isCurbed
  };
}
function callsIn(events2) {
  return events2.flatMap((event) => event.type === "call.requested" ? [event.callId] : []);
}

// src/sync/replica/write-sides.ts
async function writeHere({ common, events: events2, isMerged }, { id: id2, base, here, there, row, from, doubts, isCurbed = !1 }, env, isDone = !isMerged) {
  let { local, device, ports } = env, known = typeof here == "object" ? here : row, theirs = typeof there == "object" ? there : void 0, isReplacing = known !== void 0 && known.summary.seq > common, lineage = isReplacing ? ports.id() : lineageOf(known?.writeId), merged = toMergedId(isCurbed ? base?.theirs : isReplacing ? theirs?.writeId : void 0, ports.id()), last = isMerged || isCurbed ? merged : theirs?.writeId ?? merged, writeId = toLocalId(last, lineage ?? lineageOf(theirs?.writeId) ?? ports.id(), isCurbed ? "" : device), [first] = events2, isKept = ({ seq }) => seq <= common && (first === void 0 || seq < firstSeq(first)), log = [...(isReplacing ? theirs : known)?.events.filter(isKept) ?? [], ...events2], summary2 = from === 0 ? toSummary(foldLog(id2, log)) : theirs?.summary;
  summary2 !== void 0 && (await local.write({
    ...toWrite(id2, isReplacing ? log : events2, summary2, known),
    ...defined({ replaces: isReplacing ? everything : optional(replacedBy(events2, common)) }),
    writeId
  }), here === "removed" && base !== void 0 && env.onTrouble({ type: "revived", sessionId: id2 }), theirs && isDone && await note(id2, { seq: summary2.seq, mine: writeId, theirs: theirs.writeId }, base, env, doubts));
}
async function writeThere({ common, events: events2 }, { id: id2, base, here, there, mark, doubts }, env) {
  let { remote, device, ports } = env;
  if (typeof here != "object") return;
  let known = typeof there == "object" ? there : mark, isReplacing = known !== void 0 && known.summary.seq > common, name = here.writeId ?? toWriteId(ports.id(), ports.id()), lineage = isReplacing ? ports.id() : lineageOf(known?.writeId) ?? lineageOf(name) ?? "", runner = events2.every(isConcurrent) && known !== mark ? runnerOf(known?.writeId) : void 0, theirs = toRemoteId(name, lineage, runner ?? device), sent = coalesce(isReplacing ? here.events : events2);
  await remote.write({
    ...toWrite(id2, sent, here.summary, known),
    ...defined({ replaces: isReplacing ? everything : optional(replacedBy(sent, common)) }),
    writeId: theirs
  }), there === "removed" && base !== void 0 && env.onTrouble({ type: "revived", sessionId: id2 }), await note(id2, { seq: here.summary.seq, mine: here.writeId, theirs }, base, env, doubtsOf(doubts ?? base, sent));
}
async function removeFrom(place, { id: id2, here, there }, { local, remote, bases, ports, device }) {
  let store2 = place === "here" ? local : remote, side = place === "here" ? here : there;
  if (typeof side != "object") return;
  let at2 = ports.now(), seq = side.summary.seq + 1, started = { ...startedAt(id2, at2), seq }, last = toWriteId(ports.id(), toRemovalName(ports.id()));
  await store2.write({
    ...toWrite(id2, [started], toSummary(foldLog(id2, [started])), side),
    replaces: everything,
    writeId: place === "here" ? last : toRemoteId(last, lineageOf(last) ?? "", device)
  }), place === "here" && await local.remove(id2), await bases.set(id2, void 0);
}
function optional(list) {
  return list.length > 0 ? list : void 0;
}

// src/sync/replica/sync-session.ts
var tries = 12;
async function syncSession(id2, env, isKnown, isHot = () => !1) {
  let isTrusted = isKnown, isWhole = !1;
  for (let nth = 0; nth < tries; nth++) {
    let sides = await readSides(id2, env, isTrusted, isWhole), plan = planOf(sides.here, sides.there, sides.base, sides.from);
    if (plan.do === "rest") return settle(sides, env);
    if (isTrusted &&= plan.do === "write" && plan.to === "there", plan.do === "read-whole") {
      isWhole = !0;
      continue;
    }
    if (plan.do === "write" && plan.to === "there" && plan.events.every(isDelta) && isHot()) return "postponed";
    try {
      await perform(plan, sides, env);
    } catch (thrown) {
      if (toAgentError(thrown).code !== "STORAGE_CONFLICT") throw thrown;
      isTrusted = !1;
    }
  }
  throw new AgentError(`Session ${id2} changes faster than it can be synchronized.`, { code: "STORAGE_FAILED" });
}
async function perform(plan, sides, env) {
  switch (plan.do) {
    case "write":
      return plan.to === "here" ? writeHere(plan, sides, env) : writeThere(plan, sides, env);
    case "fork":
      return await keepAsFork(plan, sides, env), writeHere(plan, sides, env, !1);
    case "remove":
      return await checkRemoval(plan.from, sides, env), removeFrom(plan.from, sides, env);
  }
}
async function checkRemoval(from, { id: id2, base, there }, { devices }) {
  let { removals } = devices ?? {};
  if (removals === void 0) return;
  if (from === "there") {
    typeof there == "object" && await removals.note(id2, { seq: there.summary.seq, writeId: there.writeId });
    return;
  }
  let why = await removals.vet(id2, { seq: base?.seq ?? 0, writeId: base?.theirs });
  if (why !== void 0)
    throw new AgentError(
      `Session ${id2} was removed on the remote store, and no known device has signed the removal (${why}). The session stays on this device: remove it here too, or go on with it, which stores it there again.`,
      { code: "STORAGE_CORRUPT" }
    );
}

// src/sync/replica/create-synced-store.ts
var askAgain = 2e3, lockName = "\0replica";
function createSyncedStore(options) {
  let meta = checkReplicaOptions(options), { local, device, name = "", claims: claims2 = "remote", claimTimeout = 1e4, textInterval = 1e3 } = options, { devices, requestTimeout = 3e4, onFork = () => {
  }, onTrouble = () => {
  } } = options, ports = { ...browserPorts, ...options.ports }, { store: remote, isFailure } = limit(options.remote, requestTimeout, ports), bases = createBases(meta, name), locks = local.locks ?? createSessionLocks(`replica:${device}`), closing = new AbortController(), { signal } = closing, listening = new Subscription2(), statuses = new Subject(), syncs = new Subject(), suspects = /* @__PURE__ */ new Set(), troubles = /* @__PURE__ */ new Map(), sentText = /* @__PURE__ */ new Map(), env = {
    local,
    remote,
    bases,
    device,
    devices,
    ports,
    toForkTitle: options.toForkTitle,
    onTrouble: tell(onTrouble),
    onFork(fork) {
      loop.poke(fork.keptAs), tell(onFork)(fork);
    }
  }, loop = createLoop({
    ports,
    signal,
    async compareLists() {
      let lists = await compareLists(local, remote, bases, ports.id);
      for (let id2 of [...lists.changed, ...lists.added]) suspects.add(id2);
      return lists;
    },
    onStatus: () => statuses.next(),
    async syncOne(id2) {
      let result = await exclusively(id2, () => syncNow(id2, isHot));
      return troubles.delete(id2), syncs.next(id2), result === "postponed" ? textInterval : void 0;
    },
    onTrouble(sessionId, error2) {
      let isNew = troubles.get(sessionId)?.message !== error2.message;
      troubles.set(sessionId, error2), isNew && env.onTrouble({ type: "refused", sessionId, error: error2 }), syncs.next(sessionId);
    }
  });
  function isHot(id2) {
    let now = ports.now();
    return now - (sentText.get(id2) ?? -1 / 0) < textInterval ? !0 : (sentText.set(id2, now), !1);
  }
  async function exclusively(id2, work) {
    let lock = await locks.acquire(`${lockName} ${id2}`, signal);
    try {
      return await work();
    } finally {
      lock.release();
    }
  }
  async function syncNow(id2, isTextHot) {
    let isKnown = !suspects.delete(id2);
    try {
      return await syncSession(id2, env, isKnown, isTextHot && (() => isTextHot(id2)));
    } catch (thrown) {
      throw suspects.add(id2), thrown;
    }
  }
  let writes = createClaimWrites({
    local,
    remote,
    bases,
    device,
    ports,
    claims: claims2,
    devices,
    exclusively,
    isFailure,
    timeout: claimTimeout,
    signal,
    async syncNow(id2) {
      let base = await syncNow(id2);
      return base === "postponed" ? void 0 : base;
    },
    onDoubt: (id2) => {
      suspects.add(id2);
    },
    onWait: (id2) => syncs.next(id2)
  });
  async function isElsewhere(id2) {
    let { base, here } = await readNews(id2, local, bases);
    return runnerElsewhere(base, here, device) !== void 0;
  }
  async function describe(id2) {
    let { base, here } = await readNews(id2, local, bases);
    return toSessionSync(base, here, device, { error: troubles.get(id2), waiting: writes.since(id2) });
  }
  async function read(id2, options2) {
    let stored = await local.read(id2, options2);
    return isListed(stored?.writeId) ? (await exclusively(id2, () => syncNow(id2)), local.read(id2, options2)) : stored;
  }
  function whenChanged(id2, signal2) {
    return new Promise((resolve) => {
      let subscription = local.changes$.subscribe((changed) => changed === id2 && done(!0)), cancel = ports.delay(() => done(!1), askAgain), onAbort = () => done(!1);
      signal2.addEventListener("abort", onAbort);
      function done(hasChanged) {
        cancel(), signal2.removeEventListener("abort", onAbort), subscription.unsubscribe(), resolve(hasChanged);
      }
    });
  }
  async function lead() {
    await locks.acquire(lockName, signal);
    let hear = (store2, isRemote) => store2.changes$.subscribe((id2) => {
      isRemote && suspects.add(id2), loop.poke(id2);
    });
    listening.add(hear(local, !1)), listening.add(hear(remote, !0)), await loop.sync();
  }
  let { online$ = onlineOf(options.remote) } = options;
  return listening.add(
    online$?.subscribe((isOnline) => {
      isOnline && loop.retry();
    })
  ), listening.add(ports.onShow(loop.retry)), lead().catch(() => {
  }), {
    list: (listOptions) => local.list(listOptions),
    read,
    // Of a log that this device does not have yet: nothing.
    readLatest: async (id2) => await local.readLatest?.(id2) ?? [],
    wasRemoved: async (id2) => await local.wasRemoved?.(id2) ?? !0,
    wasErased: (id2) => local.wasErased?.(id2) ?? !1,
    changes$: local.changes$,
    meta,
    isPersistent: () => local.isPersistent?.() ?? !0,
    locks: createReplicaLocks({ local: locks, remote: options.remote.locks, isElsewhere, whenChanged }),
    write(write) {
      return writes.write(write).then(() => loop.poke(write.sessionId));
    },
    async remove(id2) {
      await read(id2, { after: 1 / 0 });
      let wasHere = await local.remove(id2);
      return loop.poke(id2), wasHere;
    },
    async restore(id2) {
      let isRestored = await local.restore?.(id2) ?? !1;
      return isRestored && loop.poke(id2), isRestored;
    },
    status$: current(statuses, loop.getStatus),
    getStatus: loop.getStatus,
    sessionSync$: (id2) => followed(id2, () => describe(id2), [local.changes$, syncs]),
    sync: loop.sync,
    close() {
      closing.abort(new AgentError("The replica has been closed.", { code: "SESSION_BUSY" })), listening.unsubscribe(), statuses.complete(), syncs.complete(), local.close(), remote.close();
    }
  };
}
function tell(listener) {
  return (value) => queueMicrotask(() => listener(value));
}
export {
  createSyncedStore
};

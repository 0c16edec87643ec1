import type { SessionEvent } from 'brooklet';
import { evolve, findCall, initialState } from 'brooklet/core';
import type { EventBody, SessionStore, SessionWrite, StoredSession } from 'brooklet/core';
import type { DecisionGuard } from 'brooklet/sync';
import { withoutPosition } from '../../../src/core/model/without-position.ts';
import { canonical } from '../../../src/sync/devices/canonical.ts';
import { type Decision, isDecision } from '../../../src/sync/decision-guard.ts';
import { isIdempotent, type Ran } from '../../simulation/tools.ts';
import { installImmediateCrypto } from '../../support/immediate-crypto.ts';
import { createSigners, type Signers } from '../signers.ts';
import { calm, longestRest, playWith, type Report, type Stage } from './play.ts';
import { createWorld, type Place, type World } from './world.ts';

/**
 * Plays one seed with somebody who has the key of the engine, and the key of no device: who writes decisions, repeats those of others, and
 * takes back what was stored. In half of the plays a device is removed as well. Law: no tool begins without a decision that a device has
 * signed while it was known, for this call and this input, and no device begins one twice by the same decision.
 */
export async function play(seed: number): Promise<Report> {
  installImmediateCrypto();
  const signers = await createSigners({ known: ['Ann', 'Bob', 'Cem'], unknown: ['Eve'] });
  const sworn: Sworn = new Map();
  const used = new Set<string>();
  const world = createWorld(seed, {
    guardOf: (name) => noted(signers.guardOf(name), sworn, () => !signers.isRemoved(name)),
    problemsOfRan: (ran, place) => problemsOfRan(ran, place, sworn, signers, used),
  });
  const attacker = createAttacker(world, signers);
  const removedAt = world.random.chance(0.5) ? world.random.between(2, 15) : Infinity;
  let nth = 0;
  return playWith(
    world,
    seed,
    (stage) => {
      if (nth++ === removedAt) {
        world.note('Bob is removed');
        world.watch('remove', signers.remove('Bob'));
      }
      if (world.random.chance(0.5)) attacker.act(stage);
    },
    async (stage) => {
      await calm(stage);
      // People go on with what they find, on every device, while the attacker does what is left to do.
      for (let round = 0; round < 3; round++) {
        for (const id of stage.ids) attacker.forgeIn(id);
        for (const { tabs } of world.places)
          for (const { agent, store } of tabs) {
            world.watch('sync', store.sync());
            for (const id of stage.ids) world.watch('open', agent.openSession(id));
          }
        await world.time.rest(longestRest);
        for (const { tabs } of world.places)
          for (const { agent } of tabs)
            for (const id of stage.ids) {
              const session = agent.getSession(id);
              if (session && ['interrupted', 'failed'].includes(session.getStatus()))
                world.watch(
                  'resume',
                  Promise.resolve().then(() => session.resume()),
                );
            }
        await world.time.rest(longestRest);
      }
    },
  );
}

/** What devices have decided while they were known, by its signature. */
type Sworn = Map<string, { readonly sessionId: string; readonly decision: Decision; readonly name: string }>;

/** Returns the guard, which notes what it signs. */
function noted(guard: DecisionGuard, sworn: Sworn, isKnown: () => boolean): DecisionGuard {
  const note = async (write: SessionWrite, local: SessionStore): Promise<SessionWrite> => {
    const { sessionId, events } = write;
    const wasKnown = isKnown();
    const signed = await guard.sign(write, local);
    const log = [...((await local.read(sessionId))?.events ?? []), ...events];
    for (const [index, event] of signed.events.entries()) {
      const isNew = isDecision(event) && events[index] !== event;
      if (!isNew || event.proof === undefined || !wasKnown || sworn.has(event.proof.signature)) continue;
      const call = log.find((one) => one.type === 'call.requested' && one.callId === event.callId);
      sworn.set(event.proof.signature, {
        sessionId,
        decision: event,
        name: call?.type === 'call.requested' ? call.name : '',
      });
    }
    return signed;
  };
  return {
    ...guard,
    sign: (write, local) => (write.events.some(isDecision) ? note(write, local) : write),
  };
}

/** The law. What the person on the device itself has decided counts there, removed or not. */
async function problemsOfRan(
  ran: Ran,
  { profile }: Place,
  sworn: Sworn,
  signers: Signers,
  used: Set<string>,
): Promise<readonly string[]> {
  const { sessionId, callId, name } = ran;
  const isRemoved = signers.isRemoved(profile.name);
  const { events = [] } = (await profile.disk.read(sessionId)) ?? {};
  const before = effective(sessionId, callId, events);
  const decided = before.find((event) => event.type === 'approval.decided');
  const isSworn = (event: Decision): boolean => {
    const { sessionId: session, decision } = sworn.get(event.proof?.signature ?? '') ?? {};
    if (decision === undefined) return isRemoved && event.proof?.device === signers.idOf(profile.name);
    return session === sessionId && contentOf(decision) === contentOf(event);
  };
  const isRule = [...sworn.values()].some(
    ({ decision, name: tool }) =>
      tool === name && ('proposal' in decision ? decision.proposal.remember : decision.remember) !== undefined,
  );
  // Invariant: a device runs a call once by one decision. A call that was taken back as a whole is a new one, for the policy of its tool.
  const proofs = before.map(({ proof }) => `${profile.name} ${callId} ${proof?.signature}`);
  const again = proofs.length > 0 && proofs.every((proof) => used.has(proof));
  for (const proof of proofs) used.add(proof);
  return [
    ...(decided === undefined ? ['without a decision'] : []),
    ...(before.every(isSworn) ? [] : ['by a decision that nobody has made']),
    ...(decided?.decidedBy === 'rule' && !isRule && !isRemoved ? ['by a rule that nobody has made'] : []),
    ...(again && !isIdempotent(name) ? ['twice'] : []),
  ].map((problem) => `${ran.device.name} runs call ${callId} of ${name} ${problem}`);
}

/** Returns the decisions and proposals that changed a call, up to its last start. */
function effective(sessionId: string, callId: string, events: readonly SessionEvent[]): readonly Decision[] {
  const start = events.findLastIndex((event) => event.type === 'call.started' && event.callId === callId);
  let state = initialState(sessionId);
  const found: Decision[] = [];
  const callIn = (): string => JSON.stringify(findCall(state, callId)?.call.approval ?? null);
  for (const event of events.slice(0, start)) {
    const before = callIn();
    state = evolve(state, event);
    if (isDecision(event) && event.callId === callId && callIn() !== before) found.push(event);
  }
  return found;
}

function contentOf(decision: Decision): string {
  return canonical(withoutPosition(decision));
}

/** Somebody with the key of the engine. Each act is a write that the engine accepts. */
function createAttacker(world: World, signers: Signers) {
  const { engine, random, note } = world;
  /** Decisions with their signatures, as they were once stored. */
  const heard: Decision[] = [];
  const old = new Map<string, StoredSession[]>();

  async function look(id: string): Promise<StoredSession | undefined> {
    const stored = await engine.read(id);
    if (stored === undefined || stored.writeId?.includes('removing-')) return undefined;
    heard.push(...stored.events.filter(isDecision).filter(({ proof }) => proof));
    const known = old.get(id) ?? [];
    old.set(id, [...known, stored].slice(-12));
    return stored;
  }

  /** @param base what stays of the log */
  async function write(
    stored: StoredSession,
    base: readonly SessionEvent[],
    bodies: readonly EventBody[],
  ): Promise<void> {
    const { summary, writeId } = stored;
    const isReplacing = base !== stored.events;
    const last = base.at(-1)?.seq ?? 0;
    const added = bodies.map((body, index): SessionEvent => ({
      at: world.time.now(),
      v: 2,
      ...body,
      seq: last + 1 + index,
    }));
    const events = isReplacing ? [...base, ...added] : added;
    const seq = events.at(-1)?.seq ?? 0;
    if (seq === 0) return;
    const lineage = isReplacing ? `evil${random.below(1e6)}` : (writeId ?? 'x/').split('/')[0];
    note(
      `Eve writes ${summary.id} to ${seq}: ${added.map(({ type }) => type).join(', ')}${isReplacing ? ', replacing' : ''}`,
    );
    await engine.write({
      sessionId: summary.id,
      events,
      ...(isReplacing && { replaces: [[0, Number.MAX_SAFE_INTEGER]] }),
      summary: {
        ...summary,
        seq,
        status: random.oneOf(['waiting', 'interrupted', 'running']),
        updatedAt: world.time.now(),
      },
      expectedSeq: summary.seq,
      expectedWriteId: writeId,
      writeId: `${lineage}/${random.oneOf(['Ann', 'Bob', 'Eve'])}:evil${random.below(1e9)}`,
      durability: 'relaxed',
    });
  }

  /** The end of the run, so that a person resumes it, and the beginning of the call, so that it begins once more. */
  function closing(stored: StoredSession, callId: string): readonly EventBody[] {
    const run = stored.events.findLast((event) => event.type === 'run.started');
    const end: readonly EventBody[] =
      run?.type === 'run.started' ? [{ type: 'run.ended', runId: run.runId, outcome: 'interrupted' }] : [];
    const start: EventBody = { type: 'call.started', callId, attempt: 1 };
    return random.oneOf<readonly EventBody[]>([
      [],
      end,
      end,
      [start, ...end],
      [{ type: 'call.ended', callId, outcome: 'succeeded', output: '' }, ...end],
    ]);
  }

  function decisionOn(callId: string): EventBody {
    const taken = heard.length > 0 && random.chance(0.4) ? random.oneOf(heard) : undefined;
    if (taken) return { ...taken, callId: random.chance(0.5) ? callId : taken.callId };
    const proof = random.chance(0.5) && {
      proof: {
        device: signers.idOf(random.oneOf(['Ann', 'Bob', 'Eve'])),
        signature: heard.at(-1)?.proof?.signature ?? 'x',
      },
    };
    const input = random.chance(0.3) && { input: { n: 666 } };
    const remember = random.chance(0.3) && { remember: random.oneOf(['session', 'agent'] as const) };
    if (random.chance(0.3))
      return { type: 'approval.proposed', callId, proposal: { verdict: 'approved', ...input, ...remember }, ...proof };
    const decidedBy = random.oneOf(['user', 'user', 'policy', 'rule', 'timeout'] as const);
    return { type: 'approval.decided', callId, verdict: 'approved', decidedBy, ...input, ...remember, ...proof };
  }

  async function forge(id: string): Promise<void> {
    const stored = await look(id);
    const calls = stored?.events.flatMap((event) => (event.type === 'call.requested' ? [event.callId] : [])) ?? [];
    const callId = random.chance(0.7) ? calls.at(-1) : calls[random.below(calls.length || 1)];
    if (!stored || callId === undefined) return;
    await write(stored, stored.events, [decisionOn(callId), ...closing(stored, callId)]);
  }

  /** Takes back the end of the log, and stores an older state of it. */
  async function rollBack(id: string): Promise<void> {
    const stored = await look(id);
    const earlier = old.get(id) ?? [];
    if (!stored || earlier.length === 0) return;
    const from = random.oneOf(earlier).events;
    const base = from.slice(0, random.between(1, from.length));
    const calls = base.flatMap((event) => (event.type === 'call.requested' ? [event.callId] : []));
    await write(stored, base, closing({ ...stored, events: base }, calls.at(-1) ?? 'none'));
  }

  const attempt = (work: Promise<void>): void =>
    void work.catch((thrown: unknown) => note(`Eve fails: ${String(thrown)}`));
  return {
    forgeIn: (id: string) => attempt(forge(id)),
    act({ ids }: Stage) {
      const id = random.oneOf([...ids]);
      attempt(random.chance(0.7) ? forge(id) : rollBack(id));
    },
  };
}

import { openIn, type Stage } from './play.ts';
import type { Random } from './random.ts';

const mishaps = ['refused', 'lied', 'hung', 'full', 'slow', 'freeze', 'kill', 'jump'] as const;
const habits = ['close', 'reload', 'hide'] as const;
const journeys = ['away', 'away'] as const;

/** A fault of the disk, of a tab or of a clock, or what people do with tabs. */
export type Fault = (typeof mishaps)[number] | (typeof habits)[number] | (typeof journeys)[number];

/**
 * Returns the kinds of faults of one play: none of them in some, up to four in others.
 *
 * @param engineRandom decides whether people navigate away and come back
 */
export function faultsOf(random: Random, engineRandom: Random): readonly Fault[] {
  const count = random.oneOf([0, 1, 2, 2, 3, 4]);
  return [
    random.oneOf(habits),
    ...Array.from({ length: count }, () => random.oneOf(mishaps)),
    'reload',
    ...(engineRandom.chance(0.5) ? journeys : []),
  ];
}

/** Disturbs one tab, or the disk, at random. */
export function disturb(stage: Stage, place: number): void {
  const { world, tabs, faults: enabled } = stage;
  const { random, disk, time, audit } = world;
  const tab = tabs[place];
  if (tab === undefined) return;
  const { device } = tab;
  const kind = random.oneOf(enabled);
  const lasting = random.oneOf([100, 1_000, 8_000]);
  world.note(`${device.name}: ${kind}`);
  switch (kind) {
    case 'refused':
    case 'lied':
    case 'hung': {
      const faults = [kind, ...(random.chance(0.3) ? [random.oneOf(['refused', 'lied'] as const)] : [])];
      // A tab whose stored write is reported as failed, or late, may take its own run for that of another tab.
      if (faults.includes('lied')) world.mayMiss = true;
      world.cuts += faults.filter((fault) => fault !== 'refused').length;
      return disk.arm(device, faults);
    }
    case 'full':
      disk.setFull(true);
      return void time.after(lasting, () => disk.setFull(false));
    case 'slow':
      disk.setPace(random.oneOf([10, 60]));
      return void time.after(lasting, () => disk.setPace(1));
    case 'freeze':
      return device.freeze(random.oneOf([500, 5_000, 60_000]));
    case 'jump':
      world.hasJumped = true;
      return device.jump(random.oneOf([-3_600_000, -1_000, 1_000, 70_000, 86_400_000]));
    case 'hide':
      device.hide();
      return void device.schedule(lasting, device.show);
    case 'away':
      world.mayMiss = true;
      world.cuts++;
      return away(stage, place, lasting);
    default:
      // A tab that is gone does not tell the others of its last write.
      world.mayMiss = true;
      world.cuts++;
      if (kind === 'kill') device.kill();
      else device.leave();
      audit?.probe(`${device.name} has ended`);
      tabs[place] = undefined;
      if (kind === 'reload') openIn(stage, (tabs[place] = world.open()));
  }
}

/** A person navigates away from a tab, and comes back: to the page as it was, or to a new one of the same address. */
function away(stage: Stage, place: number, lasting: number): void {
  const { world, tabs } = stage;
  const { engineRandom, disk, audit, time } = world;
  const tab = tabs[place];
  if (tab === undefined || tab.device.isAside()) return;
  const { device } = tab;
  // The page gets the focus, and reads what it has missed, as the person leaves it.
  if (engineRandom.chance(0.5)) device.show();
  const isKept = device.putAside();
  world.note(`${device.name} is ${isKept ? 'put aside' : 'not kept'}`);
  audit?.probe(`${device.name} was left`);
  const goesBack = engineRandom.chance(0.6);
  if (!isKept) tabs[place] = undefined;
  // The new page has the place of the old one, which may be dropped at any time.
  if (!goesBack) openIn(stage, (tabs[place] = world.open()));
  if (!isKept) return;
  disk.lookAt(device);
  world.aside.add(tab);
  time.after(lasting, () => {
    if (!world.aside.delete(tab)) return;
    if (!goesBack) return device.kill();
    world.note(`${device.name} comes back`);
    device.comeBack();
    audit?.probe(`${device.name} has come back`);
  });
}

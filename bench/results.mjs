/**
 * The samples of each side of one case, run by run; `undefined` if the side gave up.
 * @typedef {Record<string, (import('./work.mjs').Sample | undefined)[]>} Samples
 *
 * @typedef {object} Figure
 * @property {number} median
 * @property {number} low
 * @property {number} high
 * @property {number} [ratio] median of the ratios to the floor in the same run
 * @property {number} [ratioLow] the lowest of these ratios
 * @property {number} [ratioHigh] the highest of these ratios
 *
 * By case, by side, by metric. A side that gave up has no metrics.
 * @typedef {Record<string, Record<string, Record<string, Figure>>>} Figures
 *
 * @typedef {object} Results
 * @property {string} machine
 * @property {Record<string, string>} versions
 * @property {Figures} cases
 * @property {Record<string, Origin>} [origins] by case; missing for a case that was measured before origins were noted
 *
 * How a case was measured.
 * @typedef {{ readonly date: string, readonly commit: string, readonly machine: string }} Origin
 */

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

/** Rounds to four digits, which is more than the precision of a measurement. @param {number} value */
const round = (value) => Number(value.toPrecision(4));

/** @param {Samples} samples @returns {Figures[string]} */
export function summarize(samples) {
  return Object.fromEntries(
    Object.entries(samples).map(([side, runs]) => {
      const done = runs.filter((run) => run !== undefined);
      const metrics = Object.keys(done[0] ?? {}).map((metric) => {
        const values = done.map((run) => run[metric] ?? NaN);
        const ratios = runs.flatMap((run, index) => {
          const mine = run?.[metric];
          const floor = samples.floor?.[index]?.[metric];
          return mine === undefined || !floor ? [] : [mine / floor];
        });
        /** @type {Figure} */
        const figure = {
          median: round(median(values)),
          low: round(Math.min(...values)),
          high: round(Math.max(...values)),
          ...(ratios.length > 0 && {
            ratio: round(median(ratios)),
            ratioLow: round(Math.min(...ratios)),
            ratioHigh: round(Math.max(...ratios)),
          }),
        };
        return [metric, figure];
      });
      return [side, Object.fromEntries(metrics)];
    }),
  );
}

/**
 * One line for the console.
 *
 * @param {import('./work.mjs').Work} work
 * @param {Figures[string]} sides
 */
export function compare({ metrics }, sides) {
  return Object.entries(sides)
    .map(([side, figures]) => {
      const told = metrics.map(({ id, absolute }) => {
        const figure = figures[id];
        if (figure === undefined) return 'gave up';
        return !absolute && side !== 'floor' && figure.ratio !== undefined
          ? `${figure.ratio} ×`
          : `${figure.median} (${figure.low}–${figure.high})`;
      });
      return `${side} ${told.join(', ')}`;
    })
    .join(' · ');
}

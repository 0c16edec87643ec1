import { ownSides } from './sides.mjs';

/** Factor by which a figure without a stored spread may be worse than the stored one. */
const slack = 1.3;

/**
 * The highest value of a figure that is no regression: the worst of the runs that made the stored one, or what the metric's own `slack` allows.
 *
 * @param {import('./work.mjs').Metric} metric
 * @param {number} value the stored median
 * @param {number | undefined} worst of the stored runs
 */
const limitOf = (metric, value, worst) =>
  metric.slack === undefined && worst !== undefined && worst > value ? worst : value * (metric.slack ?? slack);

/**
 * Returns a sentence for each figure of Brooklet that became worse. A figure with a floor is compared by its ratio to the floor, so that the
 * machine does not matter; a figure without one (bytes, for example) by its value.
 *
 * @param {readonly import('./work.mjs').Work[]} works
 * @param {import('./results.mjs').Results} before
 * @param {import('./results.mjs').Results} after
 * @returns {readonly string[]}
 */
export function findRegressions(works, before, after) {
  return works.flatMap(({ title, metrics, cases }) =>
    cases.flatMap(({ id, label }) =>
      metrics.flatMap((metric) =>
        ownSides.flatMap((side) => {
          const was = before.cases[id]?.[side]?.[metric.id];
          const is = after.cases[id]?.[side]?.[metric.id];
          const name = `${title}, ${label}, ${side}, ${metric.id}`;
          if (was === undefined) return [];
          if (is === undefined) return [`${name}: gave up.`];
          const [then, now, worst] =
            was.ratio !== undefined && is.ratio !== undefined
              ? [was.ratio, is.ratio, was.ratioHigh]
              : [was.median, is.median, was.high];
          return now > limitOf(metric, then, worst) ? [`${name}: ${now}, where it was ${then}.`] : [];
        }),
      ),
    ),
  );
}

import { ownSides } from './sides.mjs';

/** Factor by which a figure may be worse than the stored one, unless its metric has a `slack`. */
const slack = 1.3;

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
          const [then, now] =
            was.ratio !== undefined && is.ratio !== undefined ? [was.ratio, is.ratio] : [was.median, is.median];
          return now > then * (metric.slack ?? slack) ? [`${name}: ${now}, where it was ${then}.`] : [];
        }),
      ),
    ),
  );
}

/** How much worse a figure may be than the one that is stored, unless its metric says otherwise. */
const slack = 1.3;

/**
 * Where Brooklet has fallen behind, a sentence each. What has a floor is compared by its ratio to it, so that another machine does not
 * matter; what has none (bytes, say) as it is.
 *
 * @param {readonly import('./work.mjs').Work[]} works
 * @param {import('./results.mjs').Results} before
 * @param {import('./results.mjs').Results} after
 * @returns {readonly string[]}
 */
export function findRegressions(works, before, after) {
  return works.flatMap(({ title, metrics, cases }) =>
    cases.flatMap(({ id, label }) =>
      metrics.flatMap((metric) => {
        const was = before.cases[id]?.brooklet?.[metric.id];
        const is = after.cases[id]?.brooklet?.[metric.id];
        const name = `${title}, ${label}, ${metric.id}`;
        if (was === undefined) return [];
        if (is === undefined) return [`${name}: gave up.`];
        const [then, now] =
          was.ratio !== undefined && is.ratio !== undefined ? [was.ratio, is.ratio] : [was.median, is.median];
        return now > then * (metric.slack ?? slack) ? [`${name}: ${now}, where it was ${then}.`] : [];
      }),
    ),
  );
}

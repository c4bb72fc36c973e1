/** NaN without values. */
export const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.round((values.length - 1) * share)] ?? Number.NaN

export const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)

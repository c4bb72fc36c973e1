/** Finds what a table of models knows about a model, by the beginning of its name. */

/** The value with the longest key that one of `names` begins with; of equal ones the last. */
export const findLongestStart = <A>(
  names: ReadonlyArray<string>,
  table: ReadonlyArray<readonly [start: string, value: A]>
): A | undefined =>
  table
    .filter(([start]) => names.some((name) => name.startsWith(start)))
    .reduce<readonly [string, A] | undefined>(
      (longest, each) =>
        longest !== undefined && longest[0].length > each[0].length ? longest : each,
      undefined
    )?.[1]

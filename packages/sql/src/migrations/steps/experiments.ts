/** Creates the table of experiments. */
export const experiments = (): ReadonlyArray<string> => [
  `CREATE TABLE experiments (
    id text NOT NULL PRIMARY KEY,
    document text NOT NULL
  )`
]

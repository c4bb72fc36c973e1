/**
 * Lets records be filtered and sorted by their figures: milliseconds, nano-USD, tokens. Those of earlier versions are in no
 * range, and last where lists are sorted.
 */
export const generationFigures = (): ReadonlyArray<string> => [
  `ALTER TABLE generations ADD COLUMN latency double precision`,
  `ALTER TABLE generations ADD COLUMN cost double precision`,
  `ALTER TABLE generations ADD COLUMN tokens double precision`
]

/** The time that a page shows, which moves on by itself unless the page is paused. */
import { useReads } from "../api/reads.ts"
import { parseTimeRange, type RangeName, type TimeRange } from "./timeRange.ts"
import { useNow } from "./useNow.ts"

/** `fallback` is the range of a page whose address names none. */
export const useRange = (
  query: Readonly<Record<string, string>>,
  fallback: RangeName,
  everyMillis = 60_000
): TimeRange => parseTimeRange(query, useNow(everyMillis, usePaused()), fallback)

export const usePaused = (): boolean => useReads(({ isPaused }) => isPaused)

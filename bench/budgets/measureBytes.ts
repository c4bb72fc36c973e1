/** Counts the bytes that V8 allocates for one call. */
import v8 from "node:v8"

/** Not a number in versions of Node before 26, which do not count them. */
const readAllocatedBytes = (): number =>
  (v8.getHeapStatistics() as { total_allocated_bytes?: number }).total_allocated_bytes ?? Number.NaN

export const canMeasureBytes = !Number.isNaN(readAllocatedBytes())

const maxRounds = 60
/** Rounds without a lower figure, after which V8 has optimized the code. */
const patience = 5

/** The bytes of a call of `run` after warm-up, in rounds of `calls`. With `enough`, stops there and not before. */
export const measureBytes = async (
  run: () => Promise<unknown>,
  calls: number,
  enough?: number
): Promise<number> => {
  let least = Infinity
  let lowest = 0
  for (let round = 0; round < maxRounds; round++) {
    const before = readAllocatedBytes()
    for (let call = 0; call < calls; call++) await run()
    const bytes = (readAllocatedBytes() - before) / calls
    if (bytes < least * 0.98) lowest = round
    least = Math.min(least, bytes)
    if (enough === undefined ? round - lowest >= patience : least <= enough) break
  }
  return least
}

/** Isotonic regression: the non-decreasing line from confidence to accuracy that is nearest to what was observed. */

/** One answer: how sure it was, and whether it was right. */
export interface Observation {
  /** 0 to 1. */
  readonly confidence: number
  readonly isHit: boolean
  readonly weight: number
}

interface Block {
  weight: number
  /** Sums over the answers of the block, by weight. */
  confidence: number
  hits: number
}

/**
 * Points `[confidence, accuracy]` of a line, both non-decreasing, by pool-adjacent-violators: one in the middle of each
 * block of answers, so that answers keep apart within a block. A block is shrunk towards its own confidence by two answers that are as right as they are sure.
 */
export const fitIsotonic = (
  observations: ReadonlyArray<Observation>
): ReadonlyArray<readonly [confidence: number, accuracy: number]> => {
  const blocks: Array<Block> = []
  const byConfidence = observations.toSorted((one, other) => one.confidence - other.confidence)
  for (const [at, { confidence, isHit, weight }] of byConfidence.entries()) {
    const added = {
      weight,
      confidence: weight * confidence,
      hits: isHit ? weight : 0
    }
    const previous = blocks.at(-1)
    // Equally sure answers are in one block: nothing tells them apart.
    if (previous !== undefined && byConfidence[at - 1]!.confidence === confidence) {
      merge(previous, added)
    } else blocks.push(added)
    const next = byConfidence[at + 1]
    if (next === undefined || next.confidence !== confidence) poolViolators(blocks)
  }
  const points: Array<readonly [number, number]> = []
  let lowest = 0
  for (const { confidence, hits, weight } of blocks) {
    const mean = confidence / weight
    const shrunk = (hits + pseudoAnswers * mean) / (weight + pseudoAnswers)
    // Shrinking blocks of different sizes may put them out of order again.
    lowest = Math.min(1, Math.max(lowest, shrunk))
    points.push([mean, lowest])
  }
  return points
}

const pseudoAnswers = 2

const poolViolators = (blocks: Array<Block>): void => {
  for (;;) {
    const [previous, last] = blocks.slice(-2)
    if (previous === undefined || last === undefined) return
    if (previous.hits / previous.weight < last.hits / last.weight) return
    merge(previous, last)
    blocks.pop()
  }
}

const merge = (block: Block, { confidence, hits, weight }: Readonly<Block>): void => {
  block.weight += weight
  block.confidence += confidence
  block.hits += hits
}

/** The height of the line at `at`; beyond its ends it is level. Without points it is the diagonal. */
export const interpolate = (
  points: ReadonlyArray<readonly [number, number]>,
  at: number
): number => {
  const next = points.findIndex(([x]) => x >= at)
  if (next === -1) return points.at(-1)?.[1] ?? at
  const [x, y] = points[next]!
  const before = points[next - 1]
  if (before === undefined || x === at) return y
  return before[1] + ((at - before[0]) / (x - before[0])) * (y - before[1])
}

/** The rollups of one account and resolution in the memory of this process, by the start of their buckets. */
import type { DimensionRollups } from "../engine/observability/rollups/RollupDelta.ts"
import type { Rollup } from "../engine/observability/rollups/Rollup.ts"
import { decodeRollup, encodeRollup } from "../engine/observability/rollups/rollupDocument.ts"
import type { Dimension } from "../values/Dimension.ts"

/**
 * Buckets that have ended are kept as text, because a process keeps thousands of them and hardly reads any: as objects they
 * would take several times as much of the heap. Times are in milliseconds since the epoch.
 */
export class RollupBuckets {
  readonly #open = new Map<number, DimensionRollups>()
  readonly #ended = new Map<number, EndedBucket>()

  /** When the buckets begin, in no order. */
  listStarts(): ReadonlyArray<number> {
    return [...this.#open.keys(), ...this.#ended.keys()]
  }

  listDimensions(startedAt: number): ReadonlyArray<Dimension> {
    const bucket = this.#open.get(startedAt) ?? this.#ended.get(startedAt)?.documents
    return bucket === undefined ? [] : Array.from(bucket.keys())
  }

  /** The number of values over all dimensions. */
  countValues(startedAt: number): number {
    return this.#ended.get(startedAt)?.values ?? countValues(this.#open.get(startedAt))
  }

  find(startedAt: number, dimension: Dimension): Rollup | undefined {
    const document = this.#ended.get(startedAt)?.documents.get(dimension)
    return document === undefined
      ? this.#open.get(startedAt)?.get(dimension)
      : decodeRollup(document)
  }

  findAll(startedAt: number): DimensionRollups | undefined {
    const ended = this.#ended.get(startedAt)
    return ended === undefined
      ? this.#open.get(startedAt)
      : new Map(Array.from(ended.documents, ([dimension, text]) => [dimension, decodeRollup(text)]))
  }

  set(startedAt: number, rollups: DimensionRollups): void {
    this.#ended.delete(startedAt)
    this.#open.set(startedAt, rollups)
  }

  /** The same for a bucket to which hardly anything is added any more. */
  setEnded(startedAt: number, rollups: DimensionRollups): void {
    this.#open.delete(startedAt)
    this.#ended.set(startedAt, {
      values: countValues(rollups),
      documents: new Map(
        Array.from(rollups, ([dimension, rollup]) => [dimension, encodeRollup(rollup)])
      )
    })
  }

  delete(startedAt: number): void {
    this.#open.delete(startedAt)
    this.#ended.delete(startedAt)
  }
}

interface EndedBucket {
  readonly values: number
  /** What `encodeRollup` wrote. */
  readonly documents: ReadonlyMap<Dimension, string>
}

const countValues = (rollups: DimensionRollups | undefined): number => {
  let values = 0
  for (const rollup of rollups?.values() ?? []) values += rollup.values.size
  return values
}

/** What some simulated worlds have besides what all of them have, so that a world costs about as much as before. */
import type { FurtherOptions } from "../commonOptions.ts"
import type { World } from "../World.ts"

export interface Feature {
  /** The share of the worlds that have it. */
  readonly share: number
  /** What the instances are made with besides. */
  readonly options?: FurtherOptions
  /** Before the first process starts. */
  readonly prepare?: (world: World) => Promise<void>
  /** What is asked, and what breaks, besides. */
  readonly plan?: (world: World) => void
  /** Whether everything has ended that it began; absent: nothing takes longer than its request. */
  readonly isSettled?: (world: World) => Promise<boolean>
}

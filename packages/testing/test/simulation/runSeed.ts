/** Runs a simulated world to its end, and says which invariants it has broken. */
import { AccountId, LedgerStore, NanoUsd } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Feature } from "./features/Feature.ts"
import { drawFeatures } from "./features/features.ts"
import { listJobs } from "./invariants/findVideos.ts"
import { invariants } from "./invariants/invariants.ts"
import { lastRequestAt, planRequests } from "./script.ts"
import { calmDown, planTrouble } from "./trouble.ts"
import { maxRequestMillis, reservationLeaseMillis } from "./commonOptions.ts"
import { World, type WorldOptions } from "./World.ts"

/** An invariant that does not hold. */
interface Violation {
  readonly invariant: string
  readonly problem: string
}

export interface SeedReport {
  readonly seed: number
  /** The same for every run of the seed. */
  readonly hash: string
  readonly steps: number
  readonly requests: number
  readonly violations: ReadonlyArray<Violation>
  /** The last events, if asked for. */
  readonly trace: ReadonlyArray<string>
}

export const runSeed = async (options: WorldOptions): Promise<SeedReport> => {
  const features = drawFeatures(options.seed)
  const world = await World.make({
    ...options,
    further: features.map(({ options: further = {} }) => further)
  })
  const { client, timeline, trace } = world
  for (const { prepare } of features) await prepare?.(world)
  for (let count = world.chance.happens(0.3) ? 3 : 2; count > 0; count--) world.addSlot(`p${count}`)
  planRequests(world)
  planTrouble(world)
  for (const { plan } of features) plan?.(world)
  await timeline.runUntil(lastRequestAt + 1_000)
  calmDown(world)
  const settlesBy = timeline.now + maxSettleMillis
  while (timeline.now < settlesBy && !(await isSettled(world, features)))
    await timeline.runUntil(timeline.now + 500)
  // What waits for the database, and is tried again.
  await timeline.runUntil(timeline.now + lastWordMillis)
  for (const { machine } of world.slots) machine.end()
  await timeline.runUntil(timeline.now + maxLeaseMillis)
  await lapse(world)
  const violations: Array<Violation> = []
  for (const [invariant, check] of Object.entries(invariants)) {
    for (const problem of await check(world)) violations.push({ invariant, problem })
  }
  for (const exchange of client.exchanges) exchange.cancel()
  return {
    seed: options.seed,
    hash: trace.hash,
    steps: timeline.steps,
    requests: client.exchanges.length,
    violations,
    trace: trace.lines
  }
}

const isSettled = async (world: World, features: ReadonlyArray<Feature>): Promise<boolean> => {
  if (
    world.database.isInTransaction ||
    world.client.exchanges.some(({ outcome }) => outcome === "open") ||
    (await listJobs(world)).some(({ end }) => end === undefined)
  ) {
    return false
  }
  for (const feature of features) {
    if ((await feature.isSettled?.(world)) === false) return false
  }
  return true
}

/** The leases of steps and of jobs run out, and others go on. */
const maxSettleMillis = 180_000
const lastWordMillis = 8_000

/** A chat adds its timeout to its lease. */
const maxLeaseMillis = maxRequestMillis + reservationLeaseMillis

/** The ledger in memory charges what has lapsed with the next reservation. */
const lapse = async (world: World): Promise<void> => {
  const ledger = Context.get(world.stores, LedgerStore)
  await world.query(
    Effect.flatMap(
      Effect.orDie(
        ledger.reserve({
          account: AccountId.make("nobody"),
          limits: [],
          amount: NanoUsd.zero,
          leaseMillis: 1
        })
      ),
      ledger.release
    )
  )
}

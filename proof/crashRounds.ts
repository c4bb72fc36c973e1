/** Rounds of a process that is killed under load and started again on what it has left behind. */
import { type ChildProcess, fork } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pace, ScriptedUpstream } from "@signalbox/testing"
import * as Effect from "effect/Effect"
import { SafeIntegers, SqlClient } from "effect/sql/SqlClient"
import { expect } from "vitest"
import { clientOf } from "../packages/sql/src/postgres.ts"
import * as SqliteClient from "../packages/sql/src/SqliteClient.ts"
import { decide, managed } from "./crashAsking.ts"
import { CrashCallers, idsOf, type Told } from "./CrashCallers.ts"
import { crashKeys, crashLimits, price } from "./crashBox.ts"
import { property } from "./property.ts"

export interface CrashDatabase {
  readonly kind: "sqlite" | "postgres"
  /** A file, or an address. */
  readonly place: string
}

export const crashFile = (): CrashDatabase => ({
  kind: "sqlite",
  place: join(mkdtempSync(join(tmpdir(), "signalbox-")), "signalbox.db")
})

const program = join(import.meta.dirname, "crashServer.ts")

/** Kills a process under load so many times, and holds what is left against what its callers were told. */
export const crashRounds = async (database: CrashDatabase, rounds: number): Promise<Survived> => {
  await using upstream = await ScriptedUpstream.start()
  // Some requests are at the provider when the process is killed.
  upstream.always(pace.delay(15))
  const told: Array<Told> = []
  for (let round = 1; round <= rounds; round++) {
    const { child, origin } = await start(database, upstream.url, `life-${round}`)
    expectKept(await left(database), told)
    const callers = new CrashCallers(origin, [crashKeys.rich, crashKeys.poor], 6)
    // The kill comes at another moment each time.
    const enough = 20 + Math.floor(Math.random() * 40)
    await expect
      .poll(() => callers.with(200).length, { timeout: 60_000, interval: 1 })
      .toBeGreaterThan(enough)
    await kill(child)
    await callers.stop()
    told.push(...callers.told)
  }

  const { child, origin } = await start(database, upstream.url, "last-life")
  expectKept(await left(database), told)
  await expect
    .poll(() => steps(origin), { timeout: 90_000, interval: 200 })
    .toMatchObject({ due: 0, running: 0, died: 0 })
  // A reservation is over after its lease, and settled by the next one who reserves.
  await expect
    .poll(
      async () => {
        told.push({ key: crashKeys.rich, answer: await decide(origin, crashKeys.rich) })
        return (await left(database)).reservations
      },
      { timeout: 60_000, interval: 300 }
    )
    .toBe(0)
  const end = await left(database)
  expectKept(end, told)
  await kill(child)
  return {
    answered: idsOf(told).length,
    reserved: end.counters.map(({ reserved }) => reserved).filter((reserved) => reserved !== 0n),
    deadSteps: end.dead
  }
}

/** What all rounds together come to. */
interface Survived {
  readonly answered: number
  /** By limits under which something is reserved after all. */
  readonly reserved: ReadonlyArray<bigint>
  readonly deadSteps: number
}

const start = async ({ kind, place }: CrashDatabase, upstream: string, life: string) => {
  const child = fork(program, [kind, place, upstream, life], {
    stdio: ["ignore", "inherit", "inherit", "ipc"]
  })
  const [origin] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => Promise.reject(new Error(`${life} did not begin`)))
  ])
  return { child, origin: String(origin) }
}

const kill = async (child: ChildProcess): Promise<void> => {
  const exited = once(child, "exit")
  child.kill("SIGKILL")
  await exited
}

/** Of the kind that the process works on. */
const steps = async (origin: string): Promise<unknown> => {
  const answer = await managed(origin, "GET", "/signalbox/health")
  const kinds = property(property(answer.body, "data"), "jobs")
  return Array.isArray(kinds) ? kinds.find((job) => property(job, "kind") === "crash") : undefined
}

interface Left {
  readonly counters: ReadonlyArray<{
    readonly name: string
    readonly settled: bigint
    readonly reserved: bigint
  }>
  readonly spend: ReadonlyArray<{ readonly subject: string; readonly credits: bigint }>
  readonly reservations: number
  readonly generations: ReadonlySet<string>
  readonly dead: number
}

/** What the database has, seen from another process. */
const left = ({ kind, place }: CrashDatabase): Promise<Left> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const generations = yield* sql<{ id: string }>`SELECT id FROM generations`
    return {
      counters: yield* sql<Left["counters"][number]>`SELECT name, settled, reserved FROM counters`,
      spend: yield* sql<
        Left["spend"][number]
      >`SELECT subject, credits FROM spend WHERE span = ${"lifetime"}`,
      reservations: (yield* sql`SELECT id FROM reservations`).length,
      generations: new Set(generations.map(({ id }) => id)),
      dead: (yield* sql`SELECT seq FROM dead_steps`).length
    }
  }).pipe(
    Effect.provideService(SafeIntegers, true),
    Effect.provide(
      kind === "sqlite"
        ? SqliteClient.layer({ path: place })
        : clientOf({ url: place, maxConnections: 1 })
    ),
    Effect.runPromise
  )

/** However the process ended: what was answered is paid and recorded, and no limit is overdrawn. */
const expectKept = ({ counters, generations, spend }: Left, told: ReadonlyArray<Told>): void => {
  for (const name of ["rich", "poor"] as const) {
    const asked = told.filter(({ key }) => key === crashKeys[name])
    const statuses = asked.map(({ answer }) => answer?.status)
    const answered = BigInt(statuses.filter((status) => status === 200).length) * price
    const perhaps = BigInt(statuses.filter((status) => status !== 402).length) * price
    const hash = createHash("sha256").update(crashKeys[name]).digest("hex")
    const counter = counters.find((counter) => counter.name.includes(hash))
    const { reserved = 0n, settled = 0n } = counter ?? {}
    const spent = spend.find(({ subject }) => subject.includes(hash))?.credits ?? 0n

    expect(statuses.filter((status) => !allowed[name].has(status))).toEqual([])
    expect(settled + reserved).toBeLessThanOrEqual(BigInt(crashLimits[name]) * 1_000_000_000n)
    expect(settled + reserved).toBeGreaterThanOrEqual(answered)
    expect(settled + reserved).toBeLessThanOrEqual(perhaps)
    expect(spent).toBeGreaterThanOrEqual(answered)
    expect(spent).toBeLessThanOrEqual(perhaps)
  }
  expect(idsOf(told).filter((id) => !generations.has(id))).toEqual([])
}

/** Undefined: it was killed. 524: a slow machine took too long. */
const allowed: Readonly<Record<"rich" | "poor", ReadonlySet<number | undefined>>> = {
  rich: new Set([200, 524, undefined]),
  poor: new Set([200, 402, 524, undefined])
}

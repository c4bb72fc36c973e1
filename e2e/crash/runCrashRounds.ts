/** Repeatedly kills a process under load and restarts it on the same database. */
import { type ChildProcess, fork } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pace, ScriptedUpstream } from "@signalbox/testing"
import { expect } from "vitest"
import { bundleProgram } from "../../vitest.programs.ts"
import { decide, manage } from "./crashRequests.ts"
import { CrashLoad, toGenerationIds, type CallResult } from "./CrashLoad.ts"
import { crashKeys, crashLimits, price } from "./makeCrashInstance.ts"
import { type CrashDatabase, type Leftovers, readLeftovers } from "./readLeftovers.ts"
import { getProperty } from "../support/getProperty.ts"

export const makeCrashFile = (): CrashDatabase => ({
  kind: "sqlite",
  location: join(mkdtempSync(join(tmpdir(), "signalbox-")), "signalbox.db")
})

const program = join(import.meta.dirname, "crashServer.ts")

/** Kills a process under load, and compares the database with the responses after each round. */
export const runCrashRounds = async (
  database: CrashDatabase,
  rounds: number
): Promise<CrashSummary> => {
  await using upstream = await ScriptedUpstream.start()
  // Some requests are at the provider when the process is killed.
  upstream.always(pace.delay(15))
  const received: Array<CallResult> = []
  for (let round = 1; round <= rounds; round++) {
    const { child, origin } = await start(database, upstream.url, `life-${round}`)
    expectConsistent(await readLeftovers(database), received)
    const callers = new CrashLoad(() => origin, [crashKeys.rich, crashKeys.poor], 6)
    // Each round kills the process at a different point.
    const enough = 20 + Math.floor(Math.random() * 40)
    await expect
      .poll(() => callers.with(200).length, { timeout: 240_000, interval: 1 })
      .toBeGreaterThan(enough)
    await kill(child)
    await callers.stop()
    received.push(...callers.results)
  }

  const { child, origin } = await start(database, upstream.url, "last-life")
  expectConsistent(await readLeftovers(database), received)
  await expect
    .poll(() => waitForSteps(origin), { timeout: 240_000, interval: 200 })
    .toMatchObject({ due: 0, running: 0, died: 0 })
  // A reservation expires with its lease; the next reservation settles it.
  await expect
    .poll(
      async () => {
        received.push({ key: crashKeys.rich, response: await decide(origin, crashKeys.rich) })
        return (await readLeftovers(database)).reservations.size
      },
      { timeout: 240_000, interval: 300 }
    )
    .toBe(0)
  const end = await readLeftovers(database)
  expectConsistent(end, received)
  await kill(child)
  return {
    answered: toGenerationIds(received).length,
    reserved: end.counters.map(({ reserved }) => reserved).filter((reserved) => reserved !== 0n),
    deadSteps: end.dead
  }
}

/** The result of all rounds. */
interface CrashSummary {
  readonly answered: number
  /** The remaining reservations of each limit. */
  readonly reserved: ReadonlyArray<bigint>
  readonly deadSteps: number
}

const start = async ({ kind, location }: CrashDatabase, upstream: string, life: string) => {
  const child = fork(await bundleProgram(program), [kind, location, upstream, life], {
    stdio: ["ignore", "inherit", "inherit", "ipc"]
  })
  const [origin] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => Promise.reject(new Error(`${life} did not start`)))
  ])
  return { child, origin: String(origin) }
}

const kill = async (child: ChildProcess): Promise<void> => {
  const exited = once(child, "exit")
  child.kill("SIGKILL")
  await exited
}

/** The state of the tasks that the process runs. */
const waitForSteps = async (origin: string): Promise<unknown> => {
  const answer = await manage(origin, "GET", "/signalbox/health")
  const kinds = getProperty(getProperty(answer.body, "data"), "jobs")
  return Array.isArray(kinds)
    ? kinds.find((job) => getProperty(job, "kind") === "crash")
    : undefined
}

/** Every successful response is billed and recorded, and no limit is exceeded. */
const expectConsistent = (
  { counters, generations, spend }: Leftovers,
  received: ReadonlyArray<CallResult>
): void => {
  for (const name of ["rich", "poor"] as const) {
    const requested = received.filter(({ key }) => key === crashKeys[name])
    const statuses = requested.map(({ response }) => response?.status)
    const responses = BigInt(statuses.filter((status) => status === 200).length) * price
    const perhaps = BigInt(statuses.filter((status) => status !== 402).length) * price
    const hash = createHash("sha256").update(crashKeys[name]).digest("hex")
    const counter = counters.find((counter) => counter.name.includes(hash))
    const { reserved = 0n, settled = 0n } = counter ?? {}
    const spent = spend.find(({ subject }) => subject.includes(hash))?.credits ?? 0n

    expect(statuses.filter((status) => !allowed[name].has(status))).toEqual([])
    expect(settled + reserved).toBeLessThanOrEqual(BigInt(crashLimits[name]) * 1_000_000_000n)
    expect(settled + reserved).toBeGreaterThanOrEqual(responses)
    expect(settled + reserved).toBeLessThanOrEqual(perhaps)
    expect(spent).toBeGreaterThanOrEqual(responses)
    expect(spent).toBeLessThanOrEqual(perhaps)
  }
  expect(toGenerationIds(received).filter((id) => !generations.has(id))).toEqual([])
}

/** Undefined: the process was killed. 524: the request timed out on a slow machine. */
const allowed: Readonly<Record<"rich" | "poor", ReadonlySet<number | undefined>>> = {
  rich: new Set([200, 524, undefined]),
  poor: new Set([200, 402, 524, undefined])
}

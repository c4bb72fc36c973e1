/** Runs all checks, and reports them. */
import { dirname } from "node:path"
import { Catalog } from "@signalbox/core/adapter"
import type { Upstream } from "@signalbox/core/upstream"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import { findConfig, loadConfig, type LoadedConfig } from "../config/loadConfig.ts"
import { ExitStatus } from "../ExitStatus.ts"
import { printReport } from "../output/printReport.ts"
import { showProgress } from "../output/progress.ts"
import { makeInstance } from "../serve/makeInstance.ts"
import { chooseStorage } from "../storage/chooseStorage.ts"
import { type Check, fail, pass, renderChecks, skip } from "./Check.ts"
import { checkInstallation } from "./checkInstallation.ts"
import { checkServerClock } from "./checkServerClock.ts"
import { checkStorage } from "./checkStorage.ts"
import { checkUpstream } from "./checkUpstream.ts"

export interface DoctorFlags {
  readonly config: Option.Option<string>
  readonly database: Option.Option<string>
  readonly json: boolean
}

export const runDoctor = Effect.fnUntraced(function* (flags: DoctorFlags) {
  const found = yield* Effect.option(findConfig(flags.config))
  const folder = Option.match(found, { onNone: () => process.cwd(), onSome: dirname })
  const checks: Array<Check> = [
    ...checkInstallation([folder, import.meta.dirname], process.version)
  ]
  if (Option.isNone(found) && Option.isNone(flags.config)) {
    checks.push(skip("configuration", `there is no signalbox.config.mts in ${folder}`))
  } else {
    const loaded = yield* Effect.result(loadConfig(flags.config))
    if (Result.isFailure(loaded)) {
      checks.push(fail("configuration", "it does not load", loaded.failure.message))
    } else checks.push(...(yield* checkConfigured(flags, loaded.success)))
  }
  yield* printReport(
    {
      text: (paint) => renderChecks(checks, paint),
      json: () => ({ ok: checks.every(({ status }) => status !== "failed"), checks })
    },
    flags
  )
  if (checks.some(({ status }) => status === "failed")) return yield* new ExitStatus({ code: 1 })
})

const checkConfigured = Effect.fnUntraced(function* (flags: DoctorFlags, config: LoadedConfig) {
  const { options, path } = config
  showProgress("Looking at the storage")
  const stored = yield* checkStorage(yield* chooseStorage(flags.database, config))
  showProgress("Asking the providers")
  const listed = yield* Effect.result(listUpstreams(config))
  if (Result.isFailure(listed)) {
    return [fail("configuration", path, listed.failure.message), ...stored]
  }
  const upstreams = listed.success
  const asked = yield* Effect.forEach(
    upstreams,
    (upstream) => checkUpstream(upstream, options.settings),
    { concurrency: 8 }
  )
  const clock = stored.some(({ name }) => name === "clock")
    ? undefined
    : yield* findClock(upstreams)
  return [pass("configuration", path), ...stored, ...(clock === undefined ? [] : [clock]), ...asked]
})

const silent = Layer.succeed(Logger.CurrentLoggers, new Set<never>())

/** Lists the upstreams of an instance that stores nothing and reports nothing. */
const listUpstreams = ({ options, path }: LoadedConfig) =>
  Effect.acquireUseRelease(
    makeInstance(path, { ...Struct.omit(options, ["stores", "telemetry"]), log: false }, silent),
    ({ context }) =>
      Effect.sync(() => Array.from(Context.get(context, Catalog).current().upstreams.values())),
    (instance) => Effect.promise(() => instance.close())
  )

/** Uses the first provider that sends its time. */
const findClock = Effect.fnUntraced(function* (upstreams: ReadonlyArray<Upstream>) {
  for (const { probe } of upstreams) {
    if (probe === undefined) continue
    const checked = yield* checkServerClock(new URL(probe.url).origin)
    if (checked !== undefined) return checked
  }
  return undefined
})

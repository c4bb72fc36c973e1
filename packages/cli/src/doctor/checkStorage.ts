/** Checks the database of a server without changing it, and its clock. */
import { type DatabaseReport, inspectDatabase } from "@signalbox/sql"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChosenStorage } from "../storage/chooseStorage.ts"
import { type Check, fail, pass, skip } from "./Check.ts"

export const checkStorage = (storage: ChosenStorage): Effect.Effect<ReadonlyArray<Check>> => {
  if (storage.kind === "own") {
    return Effect.succeed([skip("storage", "the stores of the configuration are not inspected")])
  }
  return Effect.map(Effect.result(inspectDatabase(storage.database)), (inspected) =>
    Result.isFailure(inspected)
      ? [fail("storage", storage.description, inspected.failure.message)]
      : [
          describeDatabase(storage.description, inspected.success),
          ...(inspected.success.clockAheadMillis === undefined
            ? []
            : [checkClock("the database", inspected.success.clockAheadMillis)])
        ]
  )
}

const describeDatabase = (
  where: string,
  { isWritable, knownMigration, migration }: DatabaseReport
): Check => {
  if (!isWritable) {
    return fail("storage", `${where}: read-only`, "let the user of this process write to it")
  }
  if (migration > knownMigration) {
    return fail(
      "storage",
      `${where}: at migration ${migration}, and this version knows ${knownMigration}`,
      "run the version that migrated it, or a later one"
    )
  }
  return pass(
    "storage",
    migration === 0
      ? `${where}: writable, created by the first start`
      : migration < knownMigration
        ? `${where}: writable, the next start runs migrations ${migration + 1} to ${knownMigration}`
        : `${where}: writable, all ${knownMigration} migrations`
  )
}

const mostMillis = 10_000

export const checkClock = (of: string, aheadMillis: number): Check => {
  const drift = `${Math.abs(aheadMillis / 1_000).toFixed(1)} s ${aheadMillis > 0 ? "behind" : "ahead of"} ${of}`
  return Math.abs(aheadMillis) <= mostMillis
    ? pass("clock", drift)
    : fail("clock", drift, "let a time service such as chrony set the clocks")
}

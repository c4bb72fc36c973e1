/** Chooses the storage of a server: the flag, else the configuration, else the environment, else a file. */
import { open } from "node:fs/promises"
import type { Options } from "@signalbox/core"
import { type inspectDatabase, postgres, sqlite } from "@signalbox/sql"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { LoadedConfig } from "../config/loadConfig.ts"
import { readVariable } from "../readVariable.ts"

/** A storage that is not open yet. */
export type ChosenStorage =
  | {
      readonly kind: "database"
      /** Without credentials. */
      readonly description: string
      readonly layer: ReturnType<typeof postgres> | ReturnType<typeof sqlite>
      /** To inspect it. */
      readonly database: Parameters<typeof inspectDatabase>[0]
    }
  | {
      /** The option `stores` of the configuration. */
      readonly kind: "own"
      readonly description: string
      readonly stores: NonNullable<Options["stores"]>
    }

export const chooseStorage = Effect.fnUntraced(function* (
  flag: Option.Option<string>,
  { options, server }: Pick<LoadedConfig, "options" | "server">
): Effect.fn.Return<ChosenStorage> {
  if (Option.isSome(flag)) {
    if (URL.canParse(flag.value) && new URL(flag.value).password !== "") {
      yield* Console.error(
        "Warning: --database shows its password to other users of this machine. Put it into $DATABASE_URL instead."
      )
    }
    return toDatabase(flag.value)
  }
  if (options.stores !== undefined) {
    return { kind: "own", description: "stores of the configuration", stores: options.stores }
  }
  return toDatabase(server.database ?? (yield* readVariable("DATABASE_URL")) ?? "./signalbox.db")
})

/**
 * A new file is its owner's alone, and SQLite gives its `-wal` and `-shm` the same permissions
 * (https://github.com/sqlite/sqlite/blob/master/src/os_unix.c, `findCreateFileMode`). One that is there keeps its own.
 */
const createPrivately = (path: string): Effect.Effect<void> =>
  path === ":memory:" || path === "" || /^[a-z][a-z+.-]+:/i.test(path)
    ? Effect.void
    : // SQLite says better what is wrong with a path.
      Effect.ignore(Effect.tryPromise(async () => (await open(path, "a", 0o600)).close()))

/** A SQLite file, or the url of a Postgres server. */
const toDatabase = (database: string): ChosenStorage => {
  if (!/^postgres(?:ql)?:/i.test(database)) {
    return {
      kind: "database",
      description: URL.canParse(database) ? "SQLite" : `SQLite, ${database}`,
      layer: Layer.unwrap(Effect.as(createPrivately(database), sqlite({ path: database }))),
      database: { path: database }
    }
  }
  const where = URL.canParse(database) ? new URL(database) : undefined
  const url = Redacted.make(database)
  return {
    kind: "database",
    description: where === undefined ? "Postgres" : `Postgres, ${where.host}${where.pathname}`,
    layer: postgres({ url }),
    database: { url }
  }
}

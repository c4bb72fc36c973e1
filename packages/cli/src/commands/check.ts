/** `signalbox check`: every mistake of a configuration, or of catalogs in files. */
import { readFileSync } from "node:fs"
import { relative } from "node:path"
import type { Options } from "@signalbox/core"
import type { ModelConfig } from "@signalbox/core/catalog"
import * as Argument from "effect/cli/Argument"
import * as Clock from "effect/Clock"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Option from "effect/Option"
import { checkCatalogFile } from "../check/checkCatalogFile.ts"
import { findConfigMistakes } from "../check/findConfigMistakes.ts"
import { findWarnings } from "../check/findWarnings.ts"
import { type PlacedFinding, renderFindings, toFindingsJson } from "../check/renderFindings.ts"
import { describePrices } from "../check/UsedPrices.ts"
import { configFlag } from "../config/configFlag.ts"
import { findProblemLine } from "../config/findProblemLine.ts"
import { importConfig } from "../config/loadConfig.ts"
import { ExitStatus } from "../ExitStatus.ts"
import type { JsonPath } from "../files/JsonFile.ts"
import { isRecord } from "../models/readListing.ts"
import { printReport } from "../output/printReport.ts"
import { jsonFlag } from "../output/reportFlags.ts"
import { showProgress } from "../output/progress.ts"
import { usageError } from "../usageError.ts"

export const check = Command.make(
  "check",
  {
    catalogs: Argument.String("catalog").pipe(
      Argument.withDescription(
        "JSON files of models, as in the option models or as GET /api/v1/models answers. Without any, the configuration is checked"
      ),
      Argument.variadic()
    ),
    config: configFlag,
    json: jsonFlag
  },
  Effect.fnUntraced(function* (flags) {
    const found: Array<PlacedFinding> = []
    for (const path of flags.catalogs) found.push(...(yield* checkCatalogFile(path)))
    if (flags.catalogs.length === 0 || Option.isSome(flags.config)) {
      found.push(...(yield* checkConfigFile(flags.config)))
    }
    yield* printReport(
      { text: (paint) => renderFindings(found, paint), json: () => toFindingsJson(found) },
      flags
    )
    if (found.some(({ kind }) => kind === "mistake")) return yield* new ExitStatus({ code: 1 })
  })
).pipe(
  Command.withDescription(
    "Find every mistake of a configuration or of catalog files, and what is probably not meant. The exit code is 1 if there is a mistake. Opens no storage, and calls no provider."
  ),
  Command.withExamples([
    { command: "signalbox check", description: "Check signalbox.config.mts of the current folder" },
    { command: "signalbox check models.json --json", description: "Check a catalog alone" }
  ])
)

/** The line of the option. The source does not show which entry of a list a mistake is about. */
const describeLine = (source: string, path: JsonPath): string => {
  const end = path.findIndex((name) => typeof name === "number")
  const names = end < 0 ? path : path.slice(0, end)
  const line = names.length === 0 ? undefined : findProblemLine(source, `${names.join(".")}: `)
  return line === undefined ? "" : `:${line}`
}

const checkConfigFile = Effect.fnUntraced(function* (flag: Option.Option<string>) {
  const { config, path } = yield* importConfig(flag)
  showProgress(`Checking ${path}`)
  const client = yield* HttpClient.HttpClient
  const { mistakes, models, options, prices } = yield* Effect.promise(() =>
    findConfigMistakes(config, ({ load, name }) =>
      Effect.runPromise(
        load.pipe(
          Effect.timeout("60 seconds"),
          Effect.provideService(HttpClient.HttpClient, client),
          Effect.mapError((error) =>
            usageError(
              error._tag === "CatalogUnavailable"
                ? `${error.source} is not available: ${error.problem}`
                : `${name} did not answer within 60 seconds`,
              error
            )
          )
        )
      )
    )
  )
  const file = relative(".", path)
  const source = readFileSync(path, "utf8")
  const place = (kind: PlacedFinding["kind"]) => (finding: (typeof mistakes)[number]) => ({
    ...finding,
    kind,
    place: `${file}${describeLine(source, finding.path)}`
  })
  if (mistakes.length > 0 || !isRecord(config)) return mistakes.map(place("mistake"))
  // Without mistakes, it has the fields of options.
  const given = config as unknown as Options
  const warnings = yield* Effect.promise(() =>
    findWarnings(options, models satisfies ReadonlyArray<ModelConfig>, given, prices)
  )
  const placed = warnings.map(place("warning"))
  if (prices === undefined || prices.completed === 0) return placed
  const { finding, isOld } = describePrices(prices, yield* Clock.currentTimeMillis)
  return [...placed, place(isOld ? "warning" : "note")(finding)]
})

/** `signalbox models diff`: what differs between two catalogs, with the exit codes of diff. */
import { escapeControls } from "@signalbox/core/render"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ExitStatus, withExitCode } from "../ExitStatus.ts"
import { instanceFlags } from "../instance/instanceFlags.ts"
import {
  type CatalogPlace,
  describePlace,
  placeDescription,
  placeFlags,
  resolvePlace
} from "../models/CatalogPlace.ts"
import { readCatalogFile } from "../models/catalogFile.ts"
import { type ComparedCatalog, compareListing, compareModels } from "../models/ComparedModel.ts"
import { diffCatalogs, isSame } from "../models/diffCatalogs.ts"
import { downloadAllEndpoints } from "../models/downloadAllEndpoints.ts"
import { makeNameFilter } from "../models/matchesGlob.ts"
import { modelFlags } from "../models/modelFlags.ts"
import {
  describeEntry,
  downloadListing,
  findEntries,
  isRecord,
  type Listing
} from "../models/readListing.ts"
import { renderDiff } from "../models/renderDiff.ts"
import { count } from "../output/count.ts"
import { printReport } from "../output/printReport.ts"
import { jsonFlag } from "../output/reportFlags.ts"
import { clearProgress } from "../output/progress.ts"
import { usageError } from "../usageError.ts"

/** 1 says that the catalogs differ. */
const troubleCode = 2

export const diffModels = Command.make(
  "diff",
  {
    before: Argument.String("before").pipe(Argument.withDescription(placeDescription)),
    after: Argument.String("after").pipe(
      Argument.withDescription("The same; default: instance"),
      Argument.withDefault("instance")
    ),
    ...modelFlags,
    endpoints: Flag.Boolean("endpoints").pipe(
      Flag.withDescription("Also compare the endpoints of each model; a server is asked for each"),
      Flag.withDefault(false)
    ),
    ...placeFlags,
    ...instanceFlags,
    json: jsonFlag
  },
  (flags) =>
    Effect.gen(function* () {
      const placeBefore = yield* resolvePlace(flags.before, flags)
      const placeAfter = yield* resolvePlace(flags.after, flags)
      const addresses = [flags.before, flags.after].filter((text) => /^https?:/.test(text))
      if (Option.isSome(flags.sourceKeyEnv) && addresses.length !== 1) {
        return yield* usageError("--source-key-env is the key for one address, not for two or none")
      }
      const wants = makeNameFilter(flags.model, flags.exclude)
      const contentBefore = yield* readContent(placeBefore)
      const contentAfter = yield* readContent(placeAfter)
      const hidden = contentBefore._tag === "models" && contentAfter._tag === "models"
      const options = { wants, hidden, endpoints: flags.endpoints }
      const before = yield* compareContent(contentBefore, options)
      const after = yield* compareContent(contentAfter, options)
      yield* clearProgress
      yield* warnUnreadable(placeBefore, before)
      yield* warnUnreadable(placeAfter, after)
      const skipped = new Set([...before.unreadable, ...after.unreadable].map(({ model }) => model))
      const isCompared = (id: string): boolean => !skipped.has(id)
      const diff = diffCatalogs(
        pickModels(before.models, isCompared),
        pickModels(after.models, isCompared)
      )
      const not_compared = { before: before.unreadable, after: after.unreadable }
      yield* printReport(
        {
          text: (paint) => renderDiff(diff, paint),
          json: () => ({ is_same: isSame(diff), ...diff, not_compared })
        },
        flags
      )
      if (!isSame(diff)) return yield* new ExitStatus({ code: 1 })
      if (skipped.size > 0) {
        return yield* usageError(
          `${count(skipped.size, "model")} could not be compared: the warnings say why`
        )
      }
    }).pipe(withExitCode(troubleCode))
).pipe(
  Command.withDescription(
    "Compare two catalogs: models, prices, lengths, parameters. The exit code is 0 if they are the same, 1 if they differ, 2 after a failure."
  ),
  Command.withExamples([
    {
      command: "signalbox models diff models.ts https://openrouter.ai --model 'anthropic/*'",
      description: "What changed since models.ts was imported"
    },
    {
      command: "signalbox models diff models.ts instance --json",
      description: "Whether the instance of SIGNALBOX_URL serves this catalog"
    }
  ])
)

const warnUnreadable = (place: CatalogPlace, { unreadable }: ComparedCatalog) =>
  Effect.forEach(unreadable, ({ model, reason }) =>
    Console.error(
      `Warning: ${escapeControls(model)} of ${describePlace(place)} is not compared: ${escapeControls(reason)}`
    )
  )

const pickModels = (
  models: ComparedCatalog["models"],
  isWanted: (id: string) => boolean
): ComparedCatalog["models"] => new Map(Array.from(models).filter(([id]) => isWanted(id)))

/** What a place holds: models as in the options of an instance, or as they are listed. */
type Content =
  | {
      readonly _tag: "models"
      readonly models: ReadonlyArray<unknown>
      readonly place: CatalogPlace
    }
  | { readonly _tag: "listing"; readonly listing: Listing; readonly place: CatalogPlace }

const readContent = Effect.fnUntraced(function* (place: CatalogPlace) {
  if (place._tag === "server") {
    const listing = yield* downloadListing(place.server)
    return { _tag: "listing", listing, place } satisfies Content
  }
  const held = yield* readCatalogFile(place.path)
  const models = isRecord(held) && Array.isArray(held["models"]) ? held["models"] : held
  if (Array.isArray(models) && models.every((model) => isRecord(model) && "endpoints" in model)) {
    return { _tag: "models", models, place } satisfies Content
  }
  const listing = findEntries(held)
  if (listing === undefined) {
    return yield* usageError(
      `${place.path} has no models: expected a list as in the option models, or as GET /api/v1/models answers`
    )
  }
  return { _tag: "listing", listing, place } satisfies Content
})

interface CompareOptions {
  readonly wants: (id: string) => boolean
  readonly hidden: boolean
  readonly endpoints: boolean
}

const compareContent = Effect.fnUntraced(function* (
  content: Content,
  { endpoints, hidden, wants }: CompareOptions
) {
  const isWanted = (entry: unknown, index: number): boolean => wants(describeEntry(entry, index))
  if (content._tag === "models") {
    return compareModels(content.models.filter(isWanted), { endpoints, hidden })
  }
  const { place } = content
  const listing = content.listing.filter(isWanted)
  if (!endpoints) return compareListing(listing, undefined)
  if (place._tag === "file") {
    return yield* usageError(`${place.path} is a list without endpoints: leave --endpoints out`)
  }
  const listed = yield* downloadAllEndpoints(place.server, listing.map(describeEntry))
  return compareListing(listing, listed) satisfies ComparedCatalog
})

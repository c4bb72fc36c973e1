/** `signalbox models import`: makes a catalog file of a public list of models. */
import { basename } from "node:path"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { instanceFlags } from "../instance/instanceFlags.ts"
import {
  checkAbsent,
  findPathProblem,
  readCatalogFile,
  renderCatalog,
  writeCatalog
} from "../models/catalogFile.ts"
import {
  type CatalogPlace,
  placeDescription,
  placeFlags,
  resolvePlace
} from "../models/CatalogPlace.ts"
import { convertListing } from "../models/convertListing.ts"
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
import { renderImport, toImportJson } from "../models/renderImport.ts"
import { printReport } from "../output/printReport.ts"
import { jsonFlag } from "../output/reportFlags.ts"
import { usageError } from "../usageError.ts"

export const importModels = Command.make(
  "import",
  {
    source: Argument.String("source").pipe(Argument.withDescription(placeDescription)),
    file: Argument.String("file").pipe(
      Argument.withDescription("The file to write: .json, or a module .ts, .mts, .js or .mjs")
    ),
    ...modelFlags,
    servedBy: Flag.String("served-by").pipe(
      Flag.withDescription("Slug of the upstream that serves every model"),
      Flag.withDefault("openrouter")
    ),
    endpoints: Flag.Boolean("endpoints").pipe(
      Flag.withDescription(
        "Take the endpoints that the server lists for each model, at upstreams with the slugs of their providers"
      ),
      Flag.withDefault(false)
    ),
    provider: Flag.String("provider").pipe(
      Flag.withDescription("With --endpoints: only those whose tag matches, such as 'acme*'"),
      Flag.atLeast(0)
    ),
    force: Flag.Boolean("force").pipe(
      Flag.withDescription("Replace the file if it is there"),
      Flag.withDefault(false)
    ),
    ...placeFlags,
    ...instanceFlags,
    json: jsonFlag
  },
  Effect.fnUntraced(function* (flags) {
    const problem = findPathProblem(flags.file)
    if (problem !== undefined) return yield* usageError(problem)
    if (flags.provider.length > 0 && !flags.endpoints) {
      return yield* usageError("--provider selects endpoints, so it needs --endpoints")
    }
    if (!flags.force) yield* checkAbsent(flags.file)
    const place = yield* resolvePlace(flags.source, flags)
    const listing = yield* readListing(place)
    const wants = makeNameFilter(flags.model, flags.exclude)
    const converted = convertListing(listing, {
      wants,
      wantsEndpoint: makeNameFilter(flags.provider, []),
      servedBy: flags.servedBy,
      ...(flags.endpoints
        ? { endpoints: yield* readEndpoints(place, listing.map(describeEntry).filter(wants)) }
        : undefined)
    })
    if (converted.models.length === 0) {
      const [first] = converted.leftOut
      return yield* usageError(
        first === undefined
          ? `None of the ${listing.length} models matches the filters: nothing was written`
          : `No model could be taken, so nothing was written. ${first.model}: ${first.reason}`
      )
    }
    const text = renderCatalog(flags.file, converted.models, describeOrigin(place))
    yield* writeCatalog(flags.file, text, flags.force)
    yield* printReport(
      {
        text: (paint) => renderImport(flags.file, converted, paint),
        json: () => toImportJson(flags.file, converted)
      },
      flags
    )
  })
).pipe(
  Command.withDescription(
    "Make a catalog file of a list of models, with exact prices. Says what it could not take."
  ),
  Command.withExamples([
    {
      command:
        "signalbox models import https://openrouter.ai models.ts --model 'anthropic/*' --exclude '*:free'",
      description: "The models of one author, served by the upstream openrouter"
    }
  ])
)

/** The same on every machine. */
const describeOrigin = (place: CatalogPlace): string =>
  place._tag === "file" ? basename(place.path) : place.server.url

const readListing = Effect.fnUntraced(function* (place: CatalogPlace) {
  if (place._tag === "server") return yield* downloadListing(place.server)
  const entries = findEntries(yield* readCatalogFile(place.path))
  if (entries === undefined) {
    return yield* usageError(
      `${place.path} has no list of models: expected {"data": [{"id": "acme/talker", …}]}, as GET /api/v1/models answers`
    )
  }
  if (entries.some(isCatalogModel)) {
    return yield* usageError(`${place.path} is a catalog already: give it to the option models`)
  }
  return entries satisfies Listing
})

const isCatalogModel = (entry: unknown): boolean => isRecord(entry) && "endpoints" in entry

const readEndpoints = Effect.fnUntraced(function* (
  place: CatalogPlace,
  ids: ReadonlyArray<string>
) {
  if (place._tag === "server") return yield* downloadAllEndpoints(place.server, ids)
  return yield* usageError("--endpoints asks a server, and a file is none: name its address")
})

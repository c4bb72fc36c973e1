/** Says which operations of OpenRouter's API are served, and which are left out on purpose. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const listPath = join(import.meta.dirname, "referenceOperations.json")

/** The names as the repository has them. */
export const readCommittedOperations = (): ReadonlyArray<string> =>
  JSON.parse(readFileSync(listPath, "utf8")) as ReadonlyArray<string>

/** The documents of the public client's operations, in the folder that `SIGNALBOX_REFERENCE` names. */
const documents = ["wire/openapi.json", "wire/surface-openapi.json"]

const methods = new Set(["delete", "get", "patch", "post", "put"])

/** Their names, such as `GET /keys/{hash}`, in order. */
export const readReferenceOperations = (folder: string): ReadonlyArray<string> =>
  documents
    .flatMap((file) => {
      const { paths } = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
        readonly paths: Readonly<Record<string, object>>
      }
      return Object.entries(paths).flatMap(([path, operations]) =>
        Object.keys(operations)
          .filter((method) => methods.has(method))
          .map((method) => `${method.toUpperCase()} ${path}`)
      )
    })
    .toSorted()

/** Why operations whose paths begin so are not served. */
const leftOut: ReadonlyArray<readonly [path: string, reason: string]> = [
  ["/benchmarks", "statistics of OpenRouter's own traffic"],
  ["/classifications", "statistics of OpenRouter's own traffic"],
  ["/datasets", "statistics of OpenRouter's own traffic"],
  ["/containers", "files of sandboxes that OpenRouter runs"],
  ["/scim", "the host keeps its users and groups"],
  ["/oauth", "tokens of workloads: the host checks who its callers are"]
]

const findReason = (name: string): string | undefined =>
  leftOut.find(([path]) => name.split(" ")[1]?.startsWith(path) === true)?.[1]

/** The same for `:id` and `{id}`, and without the root of the API. */
const toKey = (name: string): string =>
  name.replaceAll(/:\w+|\{\w+\}/g, "{}").replace(" /api/v1/", " /")

export interface Coverage {
  readonly served: ReadonlyArray<string>
  readonly leftOut: ReadonlyArray<readonly [name: string, reason: string]>
  readonly missing: ReadonlyArray<string>
}

/** `operations`: those of the contract, such as `GET /api/v1/keys/:hash`. */
export const findCoverage = (
  operations: ReadonlyArray<string>,
  reference = readCommittedOperations()
): Coverage => {
  const keys = new Set(operations.map(toKey))
  const served = reference.filter((name) => keys.has(toKey(name)))
  const others = reference.filter((name) => !keys.has(toKey(name)))
  return {
    served,
    leftOut: others.flatMap((name) => {
      const reason = findReason(name)
      return reason === undefined ? [] : [[name, reason] as const]
    }),
    missing: others.filter((name) => findReason(name) === undefined)
  }
}

export const renderCoverage = (operations: ReadonlyArray<string>): string => {
  const { leftOut, missing, served } = findCoverage(operations)
  const notYet =
    missing.length === 0
      ? ""
      : `\nNot served yet: ${missing.map((name) => `\`${name}\``).join(", ")}.\n`
  return `## OpenRouter's operations

Of the ${served.length + leftOut.length + missing.length} operations of OpenRouter's public client, ${served.length} are served at the same paths, and ${leftOut.length} are left out
on purpose. A request for one of those is a 404. Payments are the host's as well.
${notYet}
| left out | why |
| --- | --- |
${leftOut.map(([name, reason]) => `| \`${name}\` | ${reason} |`).join("\n")}
`
}

/** Brings the list of names up to date, where the documents are at hand. */
export const writeReferenceOperations = (): void => {
  const folder = process.env["SIGNALBOX_REFERENCE"]
  if (folder === undefined) return
  const text = JSON.stringify(readReferenceOperations(folder), undefined, 2)
  writeFileSync(listPath, `${text}\n`)
}

/** Refuses a misspelt model or provider in a guardrail, which would allow or forbid nothing. */
import * as Effect from "effect/Effect"
import type { Configuration } from "../../engine/catalog/Configuration.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { editDistance, findNearestName } from "../../values/validation/findNearestName.ts"
import { shorten } from "../../values/validation/text.ts"
import type { Guardrail } from "./Guardrail.ts"

type NameLists = Partial<
  Pick<Guardrail, "allowed_models" | "allowed_providers" | "ignored_models" | "ignored_providers">
>

/**
 * Other unknown names pass, because guardrails are also made before their models, and so do those that the guardrail has
 * already.
 */
export const checkGuardrailNames = (
  { models, resolve, upstreams }: Configuration,
  lists: NameLists,
  before: NameLists = {}
): Effect.Effect<void, InvalidRequest> =>
  Effect.suspend(() => {
    for (const field of modelFields) {
      const alias = findAlias(field, lists[field], before[field], resolve)
      if (alias !== undefined) return Effect.fail(alias)
      const known = () =>
        models.flatMap(({ card, id }) => [id, card.canonical_slug, toBase(id), toAllOfAuthor(id)])
      const invalid = findUnknown(field, lists[field], before[field], known, "model")
      if (invalid !== undefined) return Effect.fail(invalid)
    }
    for (const field of providerFields) {
      const known = () => [
        ...upstreams.keys(),
        ...models.flatMap(({ endpoints }) => endpoints.map(({ tag }) => tag))
      ]
      const invalid = findUnknown(field, lists[field], before[field], known, "provider")
      if (invalid !== undefined) return Effect.fail(invalid)
    }
    return Effect.void
  })

/** Rules compare the ids of models. */
const findAlias = (
  field: string,
  names: ReadonlyArray<string> | null | undefined,
  before: ReadonlyArray<string> | null | undefined,
  resolve: Configuration["resolve"]
): InvalidRequest | undefined => {
  for (const [place, name] of names?.entries() ?? []) {
    const named = before?.includes(name) === true ? undefined : resolve(name)
    if (named?.alias === undefined) continue
    return new InvalidRequest({
      path: [field, place],
      problem: `${shorten(name)} is an alias; name the model, ${named.model.id}`
    })
  }
  return undefined
}

const modelFields = ["allowed_models", "ignored_models"] as const
const providerFields = ["allowed_providers", "ignored_providers"] as const

/** A base slug includes its variants. */
const toBase = (id: string): string => {
  const colon = id.lastIndexOf(":")
  return colon > 0 ? id.slice(0, colon) : id
}

/** `author/*` means all models of an author. */
const toAllOfAuthor = (id: string): string => `${id.slice(0, Math.max(0, id.indexOf("/")))}/*`

const findUnknown = (
  field: string,
  names: ReadonlyArray<string> | null | undefined,
  before: ReadonlyArray<string> | null | undefined,
  listKnown: () => ReadonlyArray<string>,
  what: string
): InvalidRequest | undefined => {
  const added = names?.filter((name) => before?.includes(name) !== true) ?? []
  if (names == null || added.length === 0) return undefined
  // Rules ignore case.
  const known = new Map(listKnown().map((name) => [name.toLowerCase(), name]))
  const unknown = added.filter((name) => !known.has(name.toLowerCase())).slice(0, maxCompared)
  for (const name of unknown) {
    const nearest = findNearestName(name, known.values())
    if (nearest === undefined || !isMisspelt(name, nearest)) continue
    return new InvalidRequest({
      path: [field, names.indexOf(name)],
      problem: `no ${what} of this catalog is called ${shorten(name)}; did you mean ${nearest}?`
    })
  }
  return undefined
}

/** Each is compared with the whole catalog, and a guardrail may list a thousand. */
const maxCompared = 50

/** Two letters at most: names of a family differ in a number or in a word, such as `mini` and `nano`. */
const isMisspelt = (name: string, meant: string): boolean =>
  name.replaceAll(/\D/g, "") === meant.replaceAll(/\D/g, "") &&
  editDistance(name.toLowerCase(), meant.toLowerCase(), maxEdits) <= maxEdits

const maxEdits = 2

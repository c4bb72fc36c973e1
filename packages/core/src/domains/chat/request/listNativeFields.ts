/** Names the fields of a request in another API than OpenAI's chat API that its translation to other APIs leaves out. */
import * as Predicate from "effect/Predicate"
import type { Conversation } from "../../../conversation/Conversation.ts"

/**
 * Paths such as `context_management` or `output_config.task_budget`; undefined: none. `parameters` are those of the
 * translation, which has some of the fields under their own names.
 */
export const listNativeFields = (
  { extra }: Pick<Conversation, "extra">,
  parameters: Readonly<Record<string, unknown>>
): ReadonlyArray<string> | undefined => {
  if (extra === undefined) return undefined
  const names = Object.entries(extra.fields).flatMap(([name, value]) => {
    if (Object.hasOwn(parameters, name) || routerReads.has(name)) return []
    if (!asksForSomething(value)) return []
    return partlyTranslated.has(name) && Predicate.isObject(value)
      ? Object.keys(value).map((inner) => `${name}.${inner}`)
      : [name]
  })
  return names.length === 0 ? undefined : names
}

/** The router itself reads them, or the response repeats them. */
const routerReads: ReadonlySet<string> = new Set(["metadata", "prompt_cache_key"])

/** Their untranslated remainder has no neutral form. */
const partlyTranslated: ReadonlySet<string> = new Set([
  "output_config",
  "reasoning",
  "text",
  "thinking"
])

const asksForSomething = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  value !== false &&
  value !== "disabled" &&
  !(Predicate.isObjectOrArray(value) && Object.keys(value).length === 0)

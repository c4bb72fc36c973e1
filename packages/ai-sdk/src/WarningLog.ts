/** Tells callers what models ignore, and logs it once for each of them. */
import type { ChatCall } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { isObject } from "./isObject.ts"

/** Texts that are remembered; models and parameters may be named by callers. */
const maxTexts = 256

export class WarningLog {
  readonly #slug: string
  readonly #logged = new Set<string>()

  constructor(slug: string) {
    this.#slug = slug
  }

  /** Parameters that the AI SDK has no word for. */
  logDropped(model: string, names: ReadonlyArray<string>): Effect.Effect<void> {
    return this.#log(names.map((name) => `${model} is not sent ${name.slice(0, 100)}`))
  }

  /** The warnings of an answer, as its provider wrote them; the caller learns of them before it gets the answer. */
  tellWarnings(
    { model, onChange }: Pick<ChatCall, "model" | "onChange">,
    warnings: unknown
  ): Effect.Effect<void> {
    const found = Array.isArray(warnings) ? warnings.filter(isObject) : []
    const ignored = found.flatMap(findIgnored)
    if (ignored.length > 0) onChange?.(ignored, "answer")
    return this.#log(found.map((warning) => `${model}: ${toText(warning).slice(0, 300)}`))
  }

  #log(texts: ReadonlyArray<string>): Effect.Effect<void> {
    const fresh = texts.filter((text) => !this.#logged.has(text))
    if (fresh.length === 0 || this.#logged.size >= maxTexts) return Effect.void
    for (const text of fresh) this.#logged.add(text)
    return Effect.logWarning(`upstream "${this.#slug}": ${fresh.join("; ")}`)
  }
}

const toText = (warning: Readonly<Record<string, unknown>>): string =>
  ["type", "feature", "setting", "details", "message"]
    .map((name) => warning[name])
    .filter((value) => typeof value === "string")
    .join(" ")

/** The setting of a warning such as `topK`, by its name in the HTTP API. Other warnings are about no setting. */
const findIgnored = ({ feature, type }: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  typeof feature === "string" && (type === "unsupported" || type === "compatibility")
    ? [feature.slice(0, 100).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
    : []

/** Where a catalog is: a file, a server that lists models, or the running instance. */
import * as Flag from "effect/cli/Flag"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { type InstanceFlags, resolveInstance } from "../instance/instanceFlags.ts"
import { usageError } from "../usageError.ts"
import type { CatalogServer } from "./fetchJson.ts"

export type CatalogPlace =
  | { readonly _tag: "file"; readonly path: string }
  | { readonly _tag: "server"; readonly server: CatalogServer }

export const placeDescription =
  "A file, the address of a server such as https://openrouter.ai, or the word instance for the one of --url"

export const placeFlags = {
  sourceKeyEnv: Flag.String("source-key-env").pipe(
    Flag.withDescription("Environment variable that holds a key for the address; default: no key"),
    Flag.withMetavar("NAME"),
    Flag.optional
  )
}

export interface PlaceFlags extends InstanceFlags {
  readonly sourceKeyEnv: Option.Option<string>
}

/** A key is sent only where the flags say so: the management key of an instance goes nowhere else. */
export const resolvePlace = Effect.fnUntraced(function* (text: string, flags: PlaceFlags) {
  if (text === "instance") {
    return { _tag: "server", server: yield* resolveInstance(flags) } satisfies CatalogPlace
  }
  if (!/^https?:\/\//.test(text)) return { _tag: "file", path: text } satisfies CatalogPlace
  if (!URL.canParse(text)) return yield* usageError(`${text} is no address`)
  const url = new URL(text)
  if (url.username !== "" || url.password !== "") {
    return yield* usageError("Put no password into an address: use --source-key-env")
  }
  const path = url.pathname.replace(/\/+$/, "").replace(/\/api\/v1(\/models)?$/, "")
  return {
    _tag: "server",
    server: { url: url.origin + path, key: yield* readKey(flags.sourceKeyEnv) }
  } satisfies CatalogPlace
})

const readKey = Effect.fnUntraced(function* (variable: Option.Option<string>) {
  if (Option.isNone(variable)) return undefined
  const key = yield* Effect.mapError(Config.NonEmptyString(variable.value), () =>
    usageError(`$${variable.value} holds no key: set it, or leave --source-key-env out`)
  )
  return Redacted.make(key)
})

/** The name of the place in reports. */
export const describePlace = (place: CatalogPlace): string =>
  place._tag === "file" ? place.path : place.server.url

/** The reference page: the contract made readable. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Mount } from "../server/Mount.ts"

const loadReferencePage = Effect.flatMap(
  Effect.promise(() => import("./renderReferencePage.ts")),
  ({ renderReferencePage }) => renderReferencePage
)

/** Yields the effect that serves the page; nothing is rendered before somebody asks for it. */
export const makeReferencePage = Effect.map(Effect.cached(loadReferencePage), (cached) =>
  Effect.gen(function* () {
    const parts = yield* cached
    const mount = yield* Mount
    return HttpServerResponse.html(parts.join(escapeForScript(mount === "" ? "/" : mount)))
  })
)

/** As part of a JSON string inside a script element. A prefix with parameters is the client's to choose. */
const escapeForScript = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(
      /[<>&'\u2028\u2029]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
    )

/** Serves the API reference page, rendered from the contract. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Mount } from "../server/Mount.ts"

const loadReferencePage = Effect.flatMap(
  Effect.promise(() => import("./renderReferencePage.ts")),
  ({ renderReferencePage }) => renderReferencePage
)

/** Yields the effect that serves the page. The first request renders it. */
export const makeReferencePage = Effect.map(Effect.cached(loadReferencePage), (cached) =>
  Effect.gen(function* () {
    const parts = yield* cached
    const mount = yield* Mount
    return HttpServerResponse.html(parts.join(escapeForScript(mount === "" ? "/" : mount)))
  })
)

/** Escapes text for a JSON string in a script element. With a parameterized prefix, clients choose the mount. */
const escapeForScript = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(
      /[<>&'\u2028\u2029]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
    )

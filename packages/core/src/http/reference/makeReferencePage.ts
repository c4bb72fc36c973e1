/** Serves the API reference page, rendered from the contract. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

const loadReferencePage = Effect.flatMap(
  Effect.promise(() => import("./renderReferencePage.ts")),
  ({ renderReferencePage }) => renderReferencePage
)

/** Yields the function that serves the page under a mount. The first request renders it. */
export const makeReferencePage = Effect.map(
  Effect.cached(loadReferencePage),
  (cached) => (mount: string) =>
    Effect.map(cached, (parts) =>
      HttpServerResponse.html(parts.join(escapeForScript(mount === "" ? "/" : mount)))
    )
)

/** Escapes text for a JSON string in a script element. With a parameterized prefix, clients choose the mount. */
const escapeForScript = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(
      /[<>&'\u2028\u2029]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
    )

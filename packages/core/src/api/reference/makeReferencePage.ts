/** Serves the API reference page, rendered from the contract. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { escapeHtml } from "../../values/render/renderPage.ts"

const loadReferencePage = Effect.map(
  Effect.promise(() => import("./renderReferencePage.ts")),
  ({ renderReferencePage }) => renderReferencePage()
)

/**
 * The page has styles of its own and nothing else: neither scripts nor files. The policy replaces the one of the host's
 * middleware, which may forbid the styles.
 */
const headers = {
  "cache-control": "private, max-age=300",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

/** Yields the function that serves the page under a mount. The first request renders it. */
export const makeReferencePage = Effect.map(
  Effect.cached(loadReferencePage),
  (cached) => (mount: string) =>
    Effect.map(cached, (parts) =>
      HttpServerResponse.text(parts.join(encodeMount(mount)), {
        contentType: "text/html; charset=utf-8",
        headers
      })
    )
)

/** With a parameterized prefix, clients choose the mount, which is in markup and between single quotes of a shell. */
const encodeMount = (mount: string): string => escapeHtml(mount.replaceAll("'", "%27"))

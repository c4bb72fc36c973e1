/** Serves the page and its files, which are modules of the package, so that every bundler and every host finds them. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { refuse } from "./refuse.ts"

/** Loaded with the first request. */
const load = Effect.promise(() => import("./static/files.js"))

export const respondPage: Effect.Effect<HttpServerResponse.HttpServerResponse> = Effect.map(
  load,
  ({ page }) =>
    HttpServerResponse.text(page, {
      contentType: "text/html; charset=utf-8",
      headers: { "cache-control": "no-store" }
    })
)

export const respondAsset = (name: string): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(load, ({ files }) => {
    const file = Object.hasOwn(files, name) ? files[name] : undefined
    return file === undefined
      ? refuse(404, "the console has no such file; reload the page")
      : HttpServerResponse.text(file.text, {
          contentType: file.type,
          // Private, because only callers of the console may read it.
          headers: { "cache-control": "private, max-age=31536000, immutable" }
        })
  })

/** Serves the page and its files, which are modules of the package, so that every bundler and every host finds them. */
import type { IncomingRequest } from "@signalbox/core/adapter"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
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

export const respondAsset = (
  name: string,
  { headers: { "accept-encoding": accepted = "" } }: Pick<IncomingRequest, "headers">
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(load, ({ files }) => {
    const file = Object.hasOwn(files, name) ? files[name] : undefined
    if (file === undefined) return refuse(404, "the console has no such file; reload the page")
    const options = { contentType: file.type, headers: assetHeaders }
    return acceptsGzip(accepted)
      ? HttpServerResponse.uint8Array(Result.getOrThrow(Base64.decode(file.gzip)), {
          ...options,
          headers: { ...assetHeaders, "content-encoding": "gzip" }
        })
      : HttpServerResponse.text(file.text, options)
  })

const assetHeaders = {
  // Private, because only callers of the console may read it.
  "cache-control": "private, max-age=31536000, immutable",
  vary: "accept-encoding"
} as const

/** Whether an `Accept-Encoding` lists gzip with a quality above 0 (https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3). */
export const acceptsGzip = (accepted: string): boolean =>
  accepted.split(",").some((coding) => {
    const [name = "", ...parameters] = coding.split(";").map((part) => part.trim().toLowerCase())
    return name === "gzip" && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })

/** Renders the contract as one self-contained HTML file of about 3 MB. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "../Api.ts"
import { buildIsolatedRouter } from "./buildIsolatedRouter.ts"

/** Marks the mount in the page, which is rendered only once. */
const placeholder = "/{signalbox-mount}"

const page = HttpApiScalar.layer(Api.annotate(OpenApi.Servers, [{ url: placeholder }]), {
  path: "/docs",
  scalar: { withDefaultFonts: false, hideTestRequestButton: false }
})

/** The parts of the page before, between and after each mount. */
export const renderReferencePage: Effect.Effect<ReadonlyArray<string>> = Effect.scoped(
  Effect.gen(function* () {
    const app = yield* buildIsolatedRouter(page)
    const request = HttpServerRequest.fromWeb(new Request("http://reference.invalid/docs"))
    const response = yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, request)
    const html = yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
    return html.split(placeholder)
  })
).pipe(Effect.orDie)

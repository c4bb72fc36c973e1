/** Makes images: routes the request to an upstream, checks the images, counts what they cost, records what happened. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { NotPermitted } from "../../tenants/auth/AuthErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { OneModelRoute } from "../../routing/record/makeOneModelRoute.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import type { RoutingError } from "../../routing/Routing.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import type { ImageEvent, ImageList } from "./ImageList.ts"
import type { ParsedImages } from "./parseImageRequest.ts"

/** How a request for images fails. */
export type ImageError = NotPermitted | RoutingError

/** Images that are being made. */
export interface ImageStream {
  readonly id: GenerationId
  /** Previews and texts, then the images. Fails when the answer breaks off. */
  readonly events: Stream.Stream<ImageEvent, ImageError>
}

/** Routes requests for images, among the endpoints of one model. */
export class Images extends Context.Service<
  Images,
  OneModelRoute<ParsedImages, ImageList> & {
    /**
     * Begins the answer with its first event: a failure before it is one of the effect, and may be followed by another
     * endpoint. Closing the scope ends the call at the provider, which then costs nothing.
     */
    readonly stream: (
      caller: Caller,
      parsed: ParsedImages,
      observer?: RouteObserver
    ) => Effect.Effect<ImageStream, ImageError, Scope.Scope>
  }
>()("@signalbox/core/domains/images/Images") {
  static readonly layer = layerOnDemand(
    Images,
    { submit: "call", plan: "call", stream: "call" },
    importNamed(() => import("./layerImages.ts"), "layerImages")
  )
}

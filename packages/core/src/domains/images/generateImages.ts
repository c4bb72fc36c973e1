/** Makes images in process, with the checks of the HTTP API. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { CustomerRefused } from "../../tenants/auth/AuthErrors.ts"
import type { CallerConfig } from "../../tenants/auth/CallerConfig.ts"
import { Callers, resolveCallerWith } from "../../tenants/auth/Callers.ts"
import { makeFlattenExtra, parseInProcess } from "../../routing/parseRequest.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import { Settings } from "../../instance/Settings.ts"
import type { InvalidRequest, RequestTooLarge } from "../../values/errors/RequestErrors.ts"
import * as Step from "../../values/Step.ts"
import type { ImageEvent, ImageList } from "./ImageList.ts"
import type { ImageRequest } from "./ImageRequest.ts"
import { type ImageError, Images } from "./Images.ts"
import { decodeImageRequest, isImageField } from "./parseImageRequest.ts"

export type ImageCallError = CustomerRefused | ImageError | InvalidRequest | RequestTooLarge

type ImageServices = Context.Context<Callers | Images>

/**
 * Makes the images of a request for a caller (default: the application itself), whole or in events. The scope of a stream ends the
 * call at the provider. What JSON cannot express is an `InvalidRequest`.
 */
export const makeGenerateImages = (services: ImageServices) => {
  const callers = Context.get(services, Callers)
  const images = Context.get(services, Images)
  const settings = Context.get(services, Settings)
  const begin = (request: ImageRequest, caller: CallerConfig | undefined) =>
    Step.flatMap(resolveCallerWith(callers, caller), (caller) =>
      Step.flatMap(flattenExtra(request), (flat) =>
        Step.map(parseInProcess(flat, settings, decodeImageRequest), (parsed) => ({
          caller,
          parsed
        }))
      )
    )
  return {
    generate: (
      request: ImageRequest,
      caller?: CallerConfig,
      observer?: RouteObserver
    ): Effect.Effect<ImageList, ImageCallError> =>
      Step.flatMap(begin(request, caller), ({ caller, parsed }) =>
        images.submit(caller, parsed, observer)
      ),
    stream: (
      request: ImageRequest,
      caller?: CallerConfig,
      observer?: RouteObserver
    ): Effect.Effect<Stream.Stream<ImageEvent, ImageError>, ImageCallError, Scope.Scope> =>
      Step.flatMap(begin(request, caller), ({ caller, parsed }) =>
        Effect.map(images.stream(caller, parsed, observer), ({ events }) => events)
      )
  }
}

const flattenExtra = makeFlattenExtra(isImageField)

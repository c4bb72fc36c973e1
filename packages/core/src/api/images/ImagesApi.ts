/** The operations that make images, by OpenRouter's API and at the paths of OpenAI's. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  Authentication,
  RequestTimeout,
  routedErrors,
  ServiceUnavailable
} from "../contract/ErrorEnvelope.ts"
import {
  HasClosedStatuses,
  RawBody,
  RequiredCaller,
  TakesForms,
  UnavailableStatus
} from "../contract/operationAnnotations.ts"
import { routingHeaders, routingMetadataFields } from "../contract/routingMetadataFields.ts"
import { SessionId } from "../../values/ids/Ids.ts"
import { ImageList, ImageUsage } from "../../domains/images/ImageList.ts"
import {
  ImageRequest,
  OpenAiEditRequest,
  OpenAiImageRequest
} from "../../domains/images/ImageRequest.ts"

const headers = { "x-session-id": Schema.optionalKey(SessionId), ...routingHeaders }

// Declared as bytes because the final `[DONE]` is not a JSON event.
const events = HttpApiSchema.StreamUint8Array({ contentType: "text/event-stream" })

// OpenRouter's images have no 503.
const error = [...routedErrors.filter((each) => each !== ServiceUnavailable), RequestTimeout]

const TokenDetails = Schema.Struct({ image_tokens: Schema.Int, text_tokens: Schema.Int })

/** The usage has the names of both APIs. */
const OpenAiImageList = Schema.Struct({
  ...ImageList.fields,
  usage: Schema.Struct({
    ...ImageUsage.fields,
    input_tokens: Schema.Int,
    /** All tokens count as text unless the provider tells those of images apart. */
    input_tokens_details: TokenDetails,
    output_tokens: Schema.Int,
    output_tokens_details: Schema.optionalKey(TokenDetails)
  }),
  ...routingMetadataFields
})

const streamDescription =
  "With `stream`, the answer is a stream of server-sent events, each with a `type`: previews where the provider makes them, then the images, then `[DONE]`. An `error` takes the place of the images when the answer breaks off."

export class ImagesApi extends HttpApiGroup.make("images")
  .add(
    HttpApiEndpoint.post("create", "/api/v1/images", {
      headers,
      payload: ImageRequest,
      success: [Schema.Struct({ ...ImageList.fields, ...routingMetadataFields }), events],
      error
    })
      .annotate(OpenApi.Summary, "Make images, whole or streamed.")
      .annotate(
        OpenApi.Description,
        `Make images from a prompt, and from other images if there are any. Images are files in base64. Every attempt is at an endpoint of the requested model. A failed or cancelled request costs nothing. ${streamDescription}`
      ),
    HttpApiEndpoint.post("generate", "/api/v1/images/generations", {
      headers,
      payload: OpenAiImageRequest,
      success: [OpenAiImageList, events],
      error
    })
      .annotate(OpenApi.Summary, "Make images by OpenAI's API.")
      .annotate(
        OpenApi.Description,
        `The same as \`POST /images\`, for clients of OpenAI's API. ${streamDescription}`
      ),
    HttpApiEndpoint.post("edit", "/api/v1/images/edits", {
      headers,
      payload: OpenAiEditRequest,
      success: [OpenAiImageList, events],
      error
    })
      .annotate(TakesForms, true)
      .annotate(OpenApi.Summary, "Edit images by OpenAI's API.")
      .annotate(
        OpenApi.Description,
        `Make images from other images, for clients of OpenAI's API: as JSON, or as a form (\`multipart/form-data\`) with the files \`image\` or \`image[]\`, and \`mask\`. ${streamDescription}`
      )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "model")
  .annotate(RawBody, true)
  .annotate(HasClosedStatuses, true)
  .annotate(UnavailableStatus, 502)
  .annotate(OpenApi.Title, "Images") {}

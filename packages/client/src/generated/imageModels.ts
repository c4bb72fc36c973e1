/** Image models: the operations of the group `imageModels`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"

export interface ImageModel {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly created: number
  readonly architecture: {
    readonly input_modalities: ReadonlyArray<string>
    readonly output_modalities: ReadonlyArray<string>
  }
  readonly supported_parameters: Readonly<
    Record<
      string,
      | {
          readonly type: "enum"
          readonly values: ReadonlyArray<string>
        }
      | {
          readonly type: "range"
          readonly min: number
          readonly max: number
        }
      | {
          readonly type: "boolean"
        }
    >
  >
  readonly supports_streaming: boolean
  readonly endpoints: string
}

export interface ImageModelsListOutput {
  readonly data: ReadonlyArray<ImageModel>
}

export interface ImageModelsListEndpointsInput {
  readonly author: string
  readonly slug: string
}

export interface ImageModelsListEndpointsOutput {
  readonly id: string
  readonly endpoints: ReadonlyArray<{
    readonly provider_name: string
    readonly provider_slug: string
    readonly provider_tag: string | null
    readonly pricing: ReadonlyArray<{
      readonly billable: string
      readonly unit: string
      readonly cost_usd: number
      readonly variant?: string
    }>
    readonly supported_parameters: Readonly<
      Record<
        string,
        | {
            readonly type: "enum"
            readonly values: ReadonlyArray<string>
          }
        | {
            readonly type: "range"
            readonly min: number
            readonly max: number
          }
        | {
            readonly type: "boolean"
          }
      >
    >
    readonly supports_streaming: boolean
    readonly allowed_passthrough_parameters: ReadonlyArray<string>
  }>
}

/** Image models. */
export const imageModels = (connection: Connection) => ({
  /** List the models that make images, with what they take. */
  list: (options?: CallOptions): Promise<ImageModelsListOutput> =>
    connection.call("GET /api/v1/images/models", undefined, options),
  /** List the endpoints that make images with a model, with what they take and cost. */
  listEndpoints: (
    input: ImageModelsListEndpointsInput,
    options?: CallOptions
  ): Promise<ImageModelsListEndpointsOutput> =>
    connection.call("GET /api/v1/images/models/:author/:slug/endpoints", input, options)
})

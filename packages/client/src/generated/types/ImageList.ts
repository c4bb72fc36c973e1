/** The answer to a request for images, whole or in events. */

export type ImageList = {
  readonly id: string
  readonly created: number
  readonly model: string
  readonly provider: string
  readonly data: ReadonlyArray<{
    readonly b64_json: string
    readonly media_type?: string
  }>
  readonly usage: {
    readonly prompt_tokens: number
    readonly completion_tokens: number
    readonly total_tokens: number
    readonly prompt_tokens_details?: {
      readonly image_tokens: number
    }
    readonly completion_tokens_details?: {
      readonly image_tokens?: number
    }
    readonly cost?: number
    readonly is_byok: boolean
    readonly cost_details?: {
      readonly upstream_inference_cost: number
      readonly upstream_inference_prompt_cost: number
      readonly upstream_inference_completions_cost: number
    }
  }
}

export type ImageEvent =
  | {
      readonly type: "image_generation.partial_image"
      readonly partial_image_index: number
      readonly b64_json: string
    }
  | {
      readonly type: "image_generation.text_chunk"
      readonly phase: "content" | "reasoning"
      readonly text: string
    }
  | {
      readonly type: "image_generation.completed"
      readonly b64_json: string
      readonly media_type?: string
      readonly created: number
      readonly usage?: {
        readonly prompt_tokens: number
        readonly completion_tokens: number
        readonly total_tokens: number
        readonly prompt_tokens_details?: {
          readonly image_tokens: number
        }
        readonly completion_tokens_details?: {
          readonly image_tokens?: number
        }
        readonly cost?: number
        readonly is_byok: boolean
        readonly cost_details?: {
          readonly upstream_inference_cost: number
          readonly upstream_inference_prompt_cost: number
          readonly upstream_inference_completions_cost: number
        }
      }
    }

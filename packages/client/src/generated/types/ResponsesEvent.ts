/** The events of a streamed response. */
import type { ResponseObject } from "./ResponseObject.ts"
import type {
  ResponsesAnnotation,
  ResponsesHostedItem,
  ResponsesOutputItem,
  ResponsesOutputText,
  ResponsesRefusal
} from "./ResponsesOutputItem.ts"

interface Numbered {
  /** 0 for the first event, then one more for each. */
  readonly sequence_number: number
}

interface OfItem extends Numbered {
  readonly item_id: string
  /** Its place in the output. */
  readonly output_index: number
}

interface OfContent extends OfItem {
  readonly content_index: number
}

interface OfSummary extends OfItem {
  readonly summary_index: number
}

/** The whole response as it stands: first in progress and empty, last with all items and the usage. */
interface ResponsesLifecycleEvent extends Numbered {
  readonly type:
    | "response.completed"
    | "response.created"
    | "response.failed"
    | "response.in_progress"
    | "response.incomplete"
  readonly response: ResponseObject
}

/** An item begins, empty, or is whole. */
interface ResponsesItemEvent extends Numbered {
  readonly type: "response.output_item.added" | "response.output_item.done"
  readonly output_index: number
  readonly item: ResponsesOutputItem
}

interface ResponsesPartEvent extends OfContent {
  readonly type: "response.content_part.added" | "response.content_part.done"
  readonly part: ResponsesOutputText | ResponsesRefusal | ResponsesHostedItem
}

type ResponsesTextEvent = OfContent &
  (
    | {
        readonly type: "response.output_text.delta"
        readonly delta: string
        readonly logprobs: ReadonlyArray<unknown>
      }
    | {
        readonly type: "response.output_text.done"
        readonly text: string
        readonly logprobs: ReadonlyArray<unknown>
      }
    | {
        readonly type: "response.output_text.annotation.added"
        readonly annotation_index: number
        readonly annotation: ResponsesAnnotation
      }
    | { readonly type: "response.reasoning_text.delta"; readonly delta: string }
    | { readonly type: "response.reasoning_text.done"; readonly text: string }
    | { readonly type: "response.refusal.delta"; readonly delta: string }
    | { readonly type: "response.refusal.done"; readonly refusal: string }
  )

type ResponsesCallEvent = OfItem &
  (
    | { readonly type: "response.function_call_arguments.delta"; readonly delta: string }
    | {
        readonly type: "response.function_call_arguments.done"
        readonly name: string
        readonly arguments: string
      }
    | { readonly type: "response.custom_tool_call_input.delta"; readonly delta: string }
    | { readonly type: "response.custom_tool_call_input.done"; readonly input: string }
  )

type ResponsesSummaryEvent = OfSummary &
  (
    | {
        readonly type:
          | "response.reasoning_summary_part.added"
          | "response.reasoning_summary_part.done"
        readonly part: { readonly type: "summary_text"; readonly text: string }
      }
    | { readonly type: "response.reasoning_summary_text.delta"; readonly delta: string }
    | { readonly type: "response.reasoning_summary_text.done"; readonly text: string }
  )

/**
 * An event of a streamed response. Providers with this API may send more types, such as the events of
 * `web_search_call`, which are passed through untyped.
 */
export type ResponsesEvent =
  | ResponsesCallEvent
  | ResponsesItemEvent
  | ResponsesLifecycleEvent
  | ResponsesPartEvent
  | ResponsesSummaryEvent
  | ResponsesTextEvent

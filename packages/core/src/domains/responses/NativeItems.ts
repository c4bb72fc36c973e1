/** The items of a provider with the Responses API while they are streamed, so that an answer that breaks off has them. */
import { findIndex, type Json } from "../../dialects/responses/fields.ts"
import { isObject, toList } from "../../values/json/guards.ts"

interface NativeItem {
  json: Json
  isDone: boolean
  /** The pieces of each text that grows, by its place in the item. */
  readonly texts: Map<string, GrowingText>
}

interface GrowingText extends TextPlace {
  readonly pieces: Array<unknown>
}

interface TextPlace {
  readonly list: "content" | "summary" | undefined
  readonly field: string
  /** The part that the text belongs to; empty for arguments. */
  readonly part: Json
}

export class NativeItems {
  /** A provider may give an item any index. */
  readonly #items = new Map<number, NativeItem>()

  add(type: string, event: Json): void {
    const index = findIndex(event["output_index"])
    if (index === undefined) return
    const { item } = event
    if (type.startsWith("response.output_item.") && isObject(item)) {
      const isDone = type === "response.output_item.done"
      this.#items.set(index, { json: item, isDone, texts: new Map() })
      return
    }
    const grows = growingTexts.get(type)
    const open = this.#items.get(index)
    if (grows === undefined || open === undefined) return
    const place = `${type} ${String(event["content_index"] ?? event["summary_index"])}`
    const text = open.texts.get(place)
    if (text !== undefined) text.pieces.push(event["delta"])
    else open.texts.set(place, { ...grows, pieces: [event["delta"]] })
  }

  /** The items as far as they have arrived. */
  toJson(): ReadonlyArray<Json> {
    return Array.from(this.#items)
      .toSorted(([one], [other]) => one - other)
      .map(([, item]) => (item.isDone ? item.json : toUnfinished(item)))
  }
}

const toUnfinished = ({ json, texts }: NativeItem): Json => {
  const lists = {
    content: [...toList(json["content"])],
    summary: [...toList(json["summary"])]
  }
  const fields: Record<string, unknown> = {}
  for (const { field, list, part, pieces } of texts.values()) {
    const text = pieces.join("")
    if (list === undefined) fields[field] = text
    else {
      lists[list].push({ ...part, [field]: text })
      fields[list] = lists[list]
    }
  }
  return { ...json, ...fields, status: "incomplete" }
}

const growingTexts: ReadonlyMap<string, TextPlace> = new Map<string, TextPlace>(
  Object.entries({
    "response.output_text.delta": {
      list: "content",
      field: "text",
      part: { type: "output_text", annotations: [], logprobs: [] }
    },
    "response.refusal.delta": { list: "content", field: "refusal", part: { type: "refusal" } },
    "response.reasoning_summary_text.delta": {
      list: "summary",
      field: "text",
      part: { type: "summary_text" }
    },
    "response.reasoning_text.delta": {
      list: "content",
      field: "text",
      part: { type: "reasoning_text" }
    },
    "response.function_call_arguments.delta": { list: undefined, field: "arguments", part: {} },
    "response.custom_tool_call_input.delta": { list: undefined, field: "input", part: {} }
  } satisfies Record<string, TextPlace>)
)

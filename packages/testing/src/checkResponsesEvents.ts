/** Checks the server-sent events of a streamed answer of OpenAI's Responses API. */

type Json = Readonly<Record<string, unknown>>

interface OpenItem {
  readonly added: Json
  /** Texts so far, by what they are and their place in the item. */
  readonly texts: Map<string, { text: string; isDone: boolean }>
  /** Parts of the content and of the summary that are open. */
  readonly openParts: Set<string>
  /** How many parts the content and the summary have. */
  readonly parts: Map<string, number>
  /** How many each part of the content has. */
  readonly annotations: Map<string, number>
}

export interface ResponsesEventsOptions {
  /** The types of items that the provider itself made, such as `web_search_call`; default: none. */
  readonly hosted?: ReadonlyArray<string>
}

/**
 * What is wrong with the whole body of a streamed response, in order; empty: nothing. Clients rely on the order of the
 * events, on stable ids and indices, on deltas that add up to the whole, and on a last response that has everything.
 */
export const checkResponsesEvents = (
  body: string,
  { hosted = [] }: ResponsesEventsOptions = {}
): ReadonlyArray<string> => {
  const checker = new Checker(hosted)
  const blocks = body.split("\n\n")
  if (blocks.pop() !== "") checker.report("the body does not end with a blank line")
  for (const block of blocks) checker.readBlock(block)
  checker.end()
  return checker.problems
}

class Checker {
  readonly problems: Array<string> = []
  #sequence = 0
  #responseId: unknown
  readonly #items = new Map<number, OpenItem>()
  readonly #done: Array<Json | undefined> = []
  readonly #ids = new Set<unknown>()
  #isOver = false
  #hasError = false
  #hasMark = false
  readonly #hosted: ReadonlyArray<string>

  constructor(hosted: ReadonlyArray<string>) {
    this.#hosted = hosted
  }

  report(problem: string): void {
    this.problems.push(`event ${this.#sequence - 1}: ${problem}`)
  }

  readBlock(block: string): void {
    if (block.startsWith(":") && !block.includes("\n")) return
    if (this.#hasMark) this.report("something follows [DONE]")
    if (block === "data: [DONE]") {
      this.#hasMark = true
      if (!this.#isOver) this.report("[DONE] comes before the last event")
      return
    }
    const [, name, data] = /^event: ([^\n]+)\ndata: ([^\n]+)$/.exec(block) ?? []
    if (name === undefined || data === undefined) return this.report("is not an event with a name")
    const event = toObject(JSON.parse(data))
    if (event["type"] !== name) this.report(`${name} has the type ${String(event["type"])}`)
    if (event["sequence_number"] !== this.#sequence) this.report(`${name} is out of sequence`)
    this.#sequence++
    if (this.#isOver) this.report(`${name} follows the last event`)
    this.#readEvent(name, event)
  }

  end(): void {
    if (!this.#isOver) this.report("there is no last event")
    if (!this.#hasMark) this.report("there is no [DONE]")
  }

  #readEvent(name: string, event: Json): void {
    const isFirst = this.#sequence === 1
    if (isFirst !== (name === "response.created")) this.report(`${name} is in the wrong place`)
    const isSecond = this.#sequence === 2
    if (isSecond !== (name === "response.in_progress")) this.report(`${name} is in the wrong place`)
    if (this.#hasError && name !== "response.failed") this.report(`${name} follows the error`)
    switch (name) {
      case "error":
        if (typeof event["message"] !== "string") this.report("error has no message")
        this.#hasError = true
        return
      case "response.created":
      case "response.in_progress":
        this.#readResponse(name, event, "in_progress")
        return
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
        return this.#readLast(name, event)
      case "response.output_item.added":
        return this.#addItem(event)
      case "response.output_item.done":
        return this.#finishItem(event)
      default:
        return this.#readPiece(name, event)
    }
  }

  #readResponse(name: string, event: Json, status: string): Json {
    const response = toObject(event["response"])
    this.#responseId ??= response["id"]
    if (response["id"] !== this.#responseId) this.report(`${name} has another response id`)
    if (response["status"] !== status) this.report(`${name} has another status`)
    for (const key of responseKeys) {
      if (!Object.hasOwn(response, key)) this.report(`${name} has no ${key}`)
    }
    if (status === "in_progress" && toList(response["output"]).length > 0) {
      this.report(`${name} has output`)
    }
    return response
  }

  #readLast(name: string, event: Json): void {
    this.#isOver = true
    const response = this.#readResponse(name, event, name.slice("response.".length))
    const output = toList(response["output"])
    const isFailed = name === "response.failed"
    if (isFailed !== (response["error"] !== null)) this.report(`${name} has the wrong error`)
    if ((name === "response.incomplete") !== (response["incomplete_details"] !== null)) {
      this.report(`${name} has the wrong incomplete_details`)
    }
    if (!isFailed && this.#items.size > 0) this.report(`${name} comes while items are open`)
    if (!isFailed && output.length === 0) this.report(`${name} has no output`)
    if (output.length !== this.#done.length) this.report(`${name} has another number of items`)
    for (const [index, item] of this.#done.entries()) {
      const last = toObject(output[index])
      const open = this.#items.get(index)
      if (item !== undefined && JSON.stringify(last) !== JSON.stringify(item)) {
        this.report(`${name} has another item ${index} than its done event`)
      }
      if (open !== undefined && last["id"] !== open.added["id"]) {
        this.report(`${name} has another id of item ${index}`)
      }
    }
  }

  #addItem(event: Json): void {
    const index = Number(event["output_index"])
    const item = toObject(event["item"])
    if (index !== this.#done.length) this.report(`item ${index} is added in the wrong place`)
    if (typeof item["id"] !== "string" || item["id"] === "" || this.#ids.has(item["id"])) {
      this.report(`item ${index} has no id of its own`)
    }
    const prefix = idPrefixes.get(item["type"])
    const isHosted = this.#hosted.includes(String(item["type"]))
    if (prefix === undefined && !isHosted) this.report(`item ${index} has an unknown type`)
    else if (!String(item["id"]).startsWith(prefix ?? ""))
      this.report(`item ${index} has a strange id`)
    if (item["id"] === item["call_id"]) this.report(`item ${index} has its call_id as its id`)
    if (item["status"] !== "in_progress") this.report(`item ${index} does not begin in progress`)
    for (const key of ["content", "summary", "arguments", "input"]) {
      const value = item[key]
      if (value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0)) {
        this.report(`item ${index} is not added empty`)
      }
    }
    this.#ids.add(item["id"])
    this.#done.push(undefined)
    this.#items.set(index, {
      added: item,
      texts: new Map(),
      openParts: new Set(),
      parts: new Map(),
      annotations: new Map()
    })
  }

  #finishItem(event: Json): void {
    const index = Number(event["output_index"])
    const open = this.#items.get(index)
    const item = toObject(event["item"])
    if (open === undefined) return this.report(`item ${index} is done, but not open`)
    for (const key of ["id", "type", "call_id", "name", "namespace", "role"]) {
      if (item[key] !== open.added[key]) this.report(`item ${index} has changed its ${key}`)
    }
    if (item["status"] !== "completed" && item["status"] !== "incomplete") {
      this.report(`item ${index} is done with the status ${String(item["status"])}`)
    }
    if (open.openParts.size > 0) this.report(`item ${index} is done while a part is open`)
    for (const [place, { isDone, text }] of open.texts) {
      if (!isDone) this.report(`item ${index} is done before its ${place}`)
      if (findText(item, place) !== text) this.report(`item ${index} has another ${place}`)
    }
    for (const [at, part] of toList(item["content"]).entries()) {
      const count = toList(toObject(part)["annotations"]).length
      if (count !== (open.annotations.get(`content ${at}`) ?? 0)) {
        this.report(`item ${index} has other annotations than its events`)
      }
    }
    for (const place of listPlaces(item)) {
      if (!open.texts.has(place)) this.report(`item ${index} has a ${place} without events`)
    }
    this.#done[index] = item
    this.#items.delete(index)
  }

  #readPiece(name: string, event: Json): void {
    const index = Number(event["output_index"])
    const open = this.#items.get(index)
    const kind = pieceKinds.get(name)
    const isHosted = this.#hosted.some((type) => name.startsWith(`response.${type}.`))
    if (kind === undefined && !isHosted) return this.report(`${name} is unknown`)
    if (open === undefined) return this.report(`${name} belongs to no open item`)
    if (event["item_id"] !== open.added["id"]) this.report(`${name} has another item_id`)
    if (kind === undefined) return
    if (!kind.types.includes(String(open.added["type"]))) {
      this.report(`${name} belongs to another type of item`)
    }
    const at = kind.index === undefined ? "" : ` ${String(event[kind.index])}`
    const place = `${kind.place}${at}`
    const parts = open.parts.get(kind.place) ?? 0
    switch (kind.step) {
      case "open":
        if (event[kind.index ?? ""] !== parts) this.report(`${name} is in the wrong place`)
        if (open.openParts.size > 0) this.report(`${name} comes while another part is open`)
        open.parts.set(kind.place, parts + 1)
        open.openParts.add(place)
        return
      case "close":
        if (!open.openParts.delete(place)) this.report(`${name} closes no open part`)
        if (open.texts.size === 0) this.report(`${name} closes a part without text events`)
        return
      case "annotate":
        if (!open.openParts.has(place)) this.report(`${name} belongs to no open part`)
        if (event["annotation_index"] !== (open.annotations.get(place) ?? 0)) {
          this.report(`${name} is in the wrong place`)
        }
        open.annotations.set(place, (open.annotations.get(place) ?? 0) + 1)
        return
      case "delta":
      case "done":
        if (kind.index !== undefined && !open.openParts.has(place)) {
          this.report(`${name} belongs to no open part`)
        }
        return this.#readText(name, kind, event, open, place)
    }
  }

  #readText(
    name: string,
    { step, whole }: PieceKind,
    event: Json,
    open: OpenItem,
    place: string
  ): void {
    const known = open.texts.get(place) ?? { text: "", isDone: false }
    open.texts.set(place, known)
    if (known.isDone) this.report(`${name} comes after its done event`)
    if (name.startsWith("response.output_text.") && !Array.isArray(event["logprobs"])) {
      this.report(`${name} has no logprobs`)
    }
    if (step === "delta") {
      if (typeof event["delta"] !== "string") return this.report(`${name} has no delta`)
      known.text += event["delta"]
      return
    }
    known.isDone = true
    if (event[whole] !== known.text) this.report(`${name} differs from its deltas`)
  }
}

interface PieceKind {
  readonly step: "annotate" | "close" | "delta" | "done" | "open"
  /** The types of the items that it belongs to. */
  readonly types: ReadonlyArray<string>
  readonly place: string
  /** The field with the place of its part. */
  readonly index?: "content_index" | "summary_index"
  /** The field with the whole text. */
  readonly whole: string
}

const inContent = { types: ["message", "reasoning"], index: "content_index" } as const
const inSummary = { types: ["reasoning"], index: "summary_index" } as const

const pieceKinds: ReadonlyMap<string, PieceKind> = new Map<string, PieceKind>([
  ["response.content_part.added", { ...inContent, step: "open", place: "content", whole: "" }],
  ["response.content_part.done", { ...inContent, step: "close", place: "content", whole: "" }],
  ["response.output_text.delta", { ...inContent, step: "delta", place: "content", whole: "text" }],
  ["response.output_text.done", { ...inContent, step: "done", place: "content", whole: "text" }],
  [
    "response.output_text.annotation.added",
    { ...inContent, step: "annotate", place: "content", whole: "" }
  ],
  [
    "response.reasoning_text.delta",
    { types: ["reasoning"], index: "content_index", step: "delta", place: "content", whole: "text" }
  ],
  [
    "response.reasoning_text.done",
    { types: ["reasoning"], index: "content_index", step: "done", place: "content", whole: "text" }
  ],
  ["response.refusal.delta", { ...inContent, step: "delta", place: "content", whole: "refusal" }],
  ["response.refusal.done", { ...inContent, step: "done", place: "content", whole: "refusal" }],
  [
    "response.reasoning_summary_part.added",
    { ...inSummary, step: "open", place: "summary", whole: "" }
  ],
  [
    "response.reasoning_summary_part.done",
    { ...inSummary, step: "close", place: "summary", whole: "" }
  ],
  [
    "response.reasoning_summary_text.delta",
    { ...inSummary, step: "delta", place: "summary", whole: "text" }
  ],
  [
    "response.reasoning_summary_text.done",
    { ...inSummary, step: "done", place: "summary", whole: "text" }
  ],
  [
    "response.function_call_arguments.delta",
    { types: ["function_call"], step: "delta", place: "arguments", whole: "arguments" }
  ],
  [
    "response.function_call_arguments.done",
    { types: ["function_call"], step: "done", place: "arguments", whole: "arguments" }
  ],
  [
    "response.custom_tool_call_input.delta",
    { types: ["custom_tool_call"], step: "delta", place: "input", whole: "input" }
  ],
  [
    "response.custom_tool_call_input.done",
    { types: ["custom_tool_call"], step: "done", place: "input", whole: "input" }
  ]
])

const idPrefixes: ReadonlyMap<unknown, string> = new Map([
  ["message", "msg_"],
  ["reasoning", "rs_"],
  ["function_call", "fc_"],
  ["custom_tool_call", "ctc_"]
])

const responseKeys: ReadonlyArray<string> = [
  "id",
  "object",
  "created_at",
  "completed_at",
  "status",
  "background",
  "error",
  "frequency_penalty",
  "incomplete_details",
  "instructions",
  "max_output_tokens",
  "max_tool_calls",
  "metadata",
  "model",
  "output",
  "parallel_tool_calls",
  "presence_penalty",
  "previous_response_id",
  "prompt_cache_key",
  "reasoning",
  "safety_identifier",
  "service_tier",
  "store",
  "temperature",
  "text",
  "tool_choice",
  "tools",
  "top_logprobs",
  "top_p",
  "truncation",
  "usage"
]

/** The texts that a whole item has. */
const listPlaces = (item: Json): ReadonlyArray<string> => [
  ...toList(item["content"]).map((_, at) => `content ${at}`),
  ...toList(item["summary"]).map((_, at) => `summary ${at}`),
  ...(typeof item["arguments"] === "string" ? ["arguments"] : []),
  ...(typeof item["input"] === "string" ? ["input"] : [])
]

const findText = (item: Json, place: string): unknown => {
  const [name = "", at] = place.split(" ")
  if (at === undefined) return item[name]
  const part = toObject(toList(item[name])[Number(at)])
  return part["text"] ?? part["refusal"]
}

const toList = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const toObject = (value: unknown): Json =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {}

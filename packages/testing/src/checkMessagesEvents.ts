/** Checks the events of a streamed message against the order that clients of Anthropic's API rely on. */

/** A server-sent event; `data` is its JSON, parsed. */
export interface NamedServerSentEvent {
  readonly event: string | undefined
  readonly data: unknown
}

/**
 * What is wrong with the events of one stream, in their order; empty: nothing. Arguments that were cut by the cap are
 * accepted, as clients do. A stream that ends with `error` may do so at any time.
 */
export const checkMessagesEvents = (
  events: ReadonlyArray<NamedServerSentEvent>
): ReadonlyArray<string> => {
  const check = new MessagesCheck()
  for (const event of events) check.add(event)
  return check.finish()
}

type Json = Readonly<Record<string, unknown>>
type State = "failed" | "finished" | "idle" | "started" | "stopped"

interface OpenBlock {
  readonly type: unknown
  signed: boolean
  input: string
}

class MessagesCheck {
  readonly #problems: Array<string> = []
  #state: State = "idle"
  #open: OpenBlock | undefined
  #blocks = 0
  #events = 0
  #stopReason: unknown

  add({ data, event }: NamedServerSentEvent): void {
    this.#events++
    if (!isJson(data)) return this.#report("the data is not a JSON object")
    const { type } = data
    if (event === undefined) this.#report("there is no line with the name")
    else if (event !== type) this.#report(`the name is ${event}, but the type ${String(type)}`)
    if (this.#state === "stopped" || this.#state === "failed") {
      return this.#report(`${String(type)} comes after the end`)
    }
    switch (type) {
      case "message_start":
        return this.#startMessage(data["message"])
      case "content_block_start":
        return this.#startBlock(data)
      case "content_block_delta":
        return this.#continueBlock(data)
      case "content_block_stop":
        return this.#stopBlock(data)
      case "message_delta":
        return this.#finishMessage(data)
      case "message_stop":
        if (this.#state !== "finished") this.#report("message_stop comes before message_delta")
        this.#state = "stopped"
        return
      case "ping":
        if (this.#state === "idle") this.#report("ping comes before message_start")
        return
      case "error":
        return this.#fail(data["error"])
      default:
        this.#report(`no client knows the event ${String(type)}`)
    }
  }

  finish(): ReadonlyArray<string> {
    this.#events++
    if (this.#state !== "stopped" && this.#state !== "failed") this.#report("the end is missing")
    return this.#problems
  }

  #report(problem: string): void {
    this.#problems.push(`event ${this.#events}: ${problem}`)
  }

  #startMessage(message: unknown): void {
    if (this.#state !== "idle") return this.#report("message_start comes twice")
    this.#state = "started"
    if (!isJson(message)) return this.#report("message_start has no message")
    const expected = { type: "message", role: "assistant", stop_reason: null, stop_sequence: null }
    for (const [name, value] of Object.entries(expected)) {
      if (message[name] !== value) this.#report(`message.${name} is not ${String(value)}`)
    }
    for (const name of ["id", "model"]) {
      if (typeof message[name] !== "string") this.#report(`message.${name} is no text`)
    }
    const { content } = message
    if (!Array.isArray(content) || content.length > 0) this.#report("message.content is not []")
    this.#checkUsage(message["usage"], true)
  }

  #checkUsage(usage: unknown, isStart: boolean): void {
    if (!isJson(usage)) return this.#report("usage is missing")
    for (const [name, value] of Object.entries(usage)) {
      if (name.endsWith("_tokens") && value !== null && !isCount(value)) {
        this.#report(`usage.${name} is no count`)
      }
    }
    if (!isCount(usage["output_tokens"])) this.#report("usage.output_tokens is missing")
    if (!isStart) return
    if (!isCount(usage["input_tokens"])) this.#report("usage.input_tokens is missing")
    // Some clients add up the output of both ends.
    if (usage["output_tokens"] !== 0) this.#report("usage.output_tokens is not 0 at the start")
  }

  #startBlock({ content_block: block, index }: Json): void {
    if (this.#state !== "started") this.#report("a block starts outside of the message")
    if (this.#open !== undefined) this.#report("a block starts before the last one stopped")
    if (index !== this.#blocks) this.#report(`the index is ${String(index)}, not ${this.#blocks}`)
    this.#blocks++
    const { type } = isJson(block) ? block : {}
    this.#open = { type, signed: false, input: "" }
    const problem = isJson(block) ? findBlockProblem(block) : "there is no block"
    if (problem !== undefined) this.#report(problem)
  }

  #continueBlock({ delta, index }: Json): void {
    const open = this.#open
    if (open === undefined) return this.#report("a delta comes without a block")
    if (index !== this.#blocks - 1) this.#report(`the delta is of block ${String(index)}`)
    if (!isJson(delta)) return this.#report("there is no delta")
    const { type } = delta
    const [owner, field] =
      typeof type === "string" && Object.hasOwn(deltaFields, type) ? (deltaFields[type] ?? []) : []
    if (owner === undefined || field === undefined) {
      return this.#report(`no client knows the delta ${String(type)}`)
    }
    if (owner !== open.type) this.#report(`${String(type)} comes in a block ${String(open.type)}`)
    if (open.signed) this.#report("a delta comes after the signature")
    if (type === "citations_delta") return
    const value = delta[field]
    if (typeof value !== "string" || value === "") this.#report(`${String(type)} is empty`)
    else if (type === "input_json_delta") open.input += value
    else if (type === "signature_delta") open.signed = true
  }

  #stopBlock({ index }: Json): void {
    if (this.#open === undefined) return this.#report("a block stops that is not open")
    if (index !== this.#blocks - 1) this.#report(`block ${String(index)} stops instead of the last`)
    const { input } = this.#open
    if (input !== "" && !input.startsWith("{")) this.#report("the input can never be an object")
    this.#open = undefined
  }

  #finishMessage({ delta, usage }: Json): void {
    if (this.#state !== "started")
      this.#report("message_delta comes twice, or outside of the message")
    if (this.#open !== undefined) this.#report("message_delta comes before the last block stopped")
    this.#state = "finished"
    const {
      stop_details: details,
      stop_reason: reason,
      stop_sequence: sequence
    } = isJson(delta) ? delta : {}
    this.#stopReason = reason
    if (typeof reason !== "string" || !stopReasons.has(reason)) {
      this.#report(`no client knows the stop reason ${String(reason)}`)
    }
    if (sequence !== null && typeof sequence !== "string") this.#report("stop_sequence is missing")
    if (this.#stopReason === "refusal" && !isJson(details)) this.#report("stop_details is missing")
    this.#checkUsage(usage, false)
  }

  #fail(error: unknown): void {
    this.#state = "failed"
    if (
      !isJson(error) ||
      typeof error["type"] !== "string" ||
      typeof error["message"] !== "string"
    ) {
      this.#report("the error has no type or no message")
    }
  }
}

const findBlockProblem = (block: Json): string | undefined => {
  const { type } = block
  switch (type) {
    case "text":
      return block["text"] === "" && block["citations"] === null
        ? undefined
        : "a text starts with text or without its keys"
    case "thinking":
      return block["thinking"] === "" && block["signature"] === ""
        ? undefined
        : "thinking starts with text or without its keys"
    case "redacted_thinking":
      return typeof block["data"] === "string" ? undefined : "redacted thinking has no data"
    case "tool_use":
      return isNonEmpty(block["id"]) && isNonEmpty(block["name"]) && isEmptyObject(block["input"])
        ? undefined
        : "a call starts without id or name, or with an input that is not {}"
    default:
      return `no client knows the block ${String(type)}`
  }
}

const deltaFields: Readonly<Record<string, readonly [string, string]>> = {
  text_delta: ["text", "text"],
  citations_delta: ["text", "citation"],
  thinking_delta: ["thinking", "thinking"],
  signature_delta: ["thinking", "signature"],
  input_json_delta: ["tool_use", "partial_json"]
}

const stopReasons: ReadonlySet<string> = new Set([
  "end_turn",
  "max_tokens",
  "model_context_window_exceeded",
  "pause_turn",
  "refusal",
  "stop_sequence",
  "tool_use"
])

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

const isNonEmpty = (value: unknown): boolean => typeof value === "string" && value !== ""

const isEmptyObject = (value: unknown): boolean => isJson(value) && Object.keys(value).length === 0

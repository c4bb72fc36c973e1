/** Checks the server-sent events of a streamed answer of Google's API. */

type Json = Readonly<Record<string, unknown>>

/**
 * What is wrong with the whole body of a streamed answer, in order; empty: nothing. Clients rely on events that are answers
 * of their own, on calls that are whole, on one end of each candidate, and on counts that only grow. A stream that ends
 * with an error may do so at any time. A prompt that is blocked has no candidates.
 */
export const checkGeminiEvents = (body: string): ReadonlyArray<string> => {
  const check = new GeminiCheck()
  const blocks = body.split("\n\n")
  if (blocks.pop() !== "") check.report("the body does not end with a blank line")
  for (const block of blocks) check.readBlock(block)
  check.end()
  return check.problems
}

class GeminiCheck {
  readonly problems: Array<string> = []
  #events = 0
  #hasFailed = false
  #isBlocked = false
  #responseId: unknown
  #modelVersion: unknown
  readonly #open = new Set<number>()
  readonly #finished = new Set<number>()
  readonly #callIds = new Set<unknown>()
  #usage: Json | undefined

  report(problem: string): void {
    this.problems.push(`event ${this.#events}: ${problem}`)
  }

  readBlock(block: string): void {
    this.#events++
    const data = /^data: ([^\n]+)$/.exec(block)?.[1]
    if (data === undefined) return this.report("is not a line of data")
    if (this.#hasFailed) this.report("comes after the error")
    const event = parse(data)
    if (event === undefined) return this.report("the data is not a JSON object")
    if (Object.hasOwn(event, "error")) return this.#readError(event["error"])
    this.#responseId = this.#readName(event, "responseId", this.#responseId)
    this.#modelVersion = this.#readName(event, "modelVersion", this.#modelVersion)
    this.#readUsage(event["usageMetadata"])
    const { candidates, promptFeedback } = event
    if (isJson(promptFeedback) && isNonEmpty(promptFeedback["blockReason"])) {
      this.#isBlocked = true
      return
    }
    if (!Array.isArray(candidates) || candidates.length === 0) {
      return this.report("there is no candidate")
    }
    const seen = new Set<number>()
    for (const candidate of candidates) this.#readCandidate(candidate, seen)
  }

  end(): void {
    this.#events++
    if (this.#hasFailed) return
    if (this.#finished.size === 0 && !this.#isBlocked) this.report("no candidate has ended")
    for (const index of this.#open) this.report(`candidate ${index} has not ended`)
    if (this.#usage === undefined) this.report("usageMetadata is missing")
  }

  #readError(error: unknown): void {
    this.#hasFailed = true
    if (
      !isJson(error) ||
      !Number.isInteger(error["code"]) ||
      typeof error["message"] !== "string" ||
      typeof error["status"] !== "string"
    ) {
      this.report("the error has no code, no message or no status")
    }
  }

  #readName(event: Json, name: string, known: unknown): unknown {
    const value = event[name]
    if (!isNonEmpty(value)) this.report(`${name} is missing`)
    else if (known !== undefined && value !== known) this.report(`${name} is another one`)
    return known ?? value
  }

  #readUsage(usage: unknown): void {
    if (usage === undefined) return
    if (!isJson(usage)) return this.report("usageMetadata is no object")
    const counts = countNames.map((name) => usage[name] ?? 0).filter(isCount)
    if (counts.length < countNames.length)
      return this.report("usageMetadata has a count that is none")
    for (const name of countNames) {
      if (Number(usage[name] ?? 0) < Number(this.#usage?.[name] ?? 0)) {
        this.report(`usageMetadata.${name} has shrunk`)
      }
    }
    const sum = counts.reduce((total, count) => total + count, 0)
    if (usage["totalTokenCount"] !== sum) this.report("usageMetadata.totalTokenCount is wrong")
    this.#usage = usage
  }

  #readCandidate(candidate: unknown, seen: Set<number>): void {
    if (!isJson(candidate)) return this.report("a candidate is no object")
    const { content, finishReason, index } = candidate
    if (!isCount(index)) return this.report("a candidate has no index")
    if (seen.has(index)) this.report(`candidate ${index} comes twice`)
    seen.add(index)
    if (this.#finished.has(index)) this.report(`candidate ${index} has ended already`)
    this.#open.add(index)
    if (!isJson(content) || content["role"] !== "model") {
      this.report(`candidate ${index} has no content of the model`)
    } else this.#readParts(content["parts"])
    if (finishReason === undefined) return
    if (typeof finishReason !== "string" || !finishReasons.has(finishReason)) {
      this.report(`no client knows the finish reason ${JSON.stringify(finishReason)}`)
    }
    this.#open.delete(index)
    this.#finished.add(index)
  }

  #readParts(parts: unknown): void {
    // Clients take an answer without parts for none.
    if (!Array.isArray(parts) || parts.length === 0) return this.report("there are no parts")
    for (const part of parts) {
      const problem = isJson(part) ? findPartProblem(part) : "a part is no object"
      if (problem !== undefined) this.report(problem)
      const { functionCall } = isJson(part) ? part : {}
      if (!isJson(functionCall)) continue
      const { id } = functionCall
      if (this.#callIds.has(id)) this.report(`the call ${String(id)} comes twice`)
      this.#callIds.add(id)
    }
  }
}

/** The counts that add up to the total. */
const countNames: ReadonlyArray<string> = [
  "promptTokenCount",
  "toolUsePromptTokenCount",
  "candidatesTokenCount",
  "thoughtsTokenCount"
]

const kinds: ReadonlyArray<string> = [
  "codeExecutionResult",
  "executableCode",
  "fileData",
  "functionCall",
  "inlineData",
  "text",
  "toolCall",
  "toolResponse"
]

const findPartProblem = (part: Json): string | undefined => {
  const [kind, ...others] = kinds.filter((each) => Object.hasOwn(part, each))
  if (kind === undefined || others.length > 0) return "a part has no data or several kinds of it"
  const { functionCall, inlineData, text, thought, thoughtSignature } = part
  if (thought !== undefined && thought !== true) return "thought is neither true nor absent"
  if (thoughtSignature !== undefined && !isBase64(thoughtSignature)) {
    return "thoughtSignature is not base64"
  }
  switch (kind) {
    case "text":
      return typeof text === "string" ? undefined : "text is no text"
    case "functionCall":
      return isJson(functionCall) &&
        isNonEmpty(functionCall["id"]) &&
        isNonEmpty(functionCall["name"]) &&
        isJson(functionCall["args"])
        ? undefined
        : "a call has no id, no name or no arguments"
    case "inlineData":
      return isJson(inlineData) &&
        isNonEmpty(inlineData["mimeType"]) &&
        isBase64(inlineData["data"])
        ? undefined
        : "a medium has no type or no base64"
    default:
      return undefined
  }
}

const finishReasons: ReadonlySet<string> = new Set([
  "BLOCKLIST",
  "IMAGE_OTHER",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
  "IMAGE_SAFETY",
  "LANGUAGE",
  "MALFORMED_FUNCTION_CALL",
  "MALFORMED_RESPONSE",
  "MAX_TOKENS",
  "NO_IMAGE",
  "OTHER",
  "PROHIBITED_CONTENT",
  "RECITATION",
  "SAFETY",
  "SPII",
  "STOP",
  "TOO_MANY_TOOL_CALLS",
  "UNEXPECTED_TOOL_CALL"
])

const parse = (data: string): Json | undefined => {
  try {
    const json: unknown = JSON.parse(data)
    return isJson(json) ? json : undefined
  } catch {
    return undefined
  }
}

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0

const isNonEmpty = (value: unknown): boolean => typeof value === "string" && value !== ""

/** In either alphabet. */
const isBase64 = (value: unknown): boolean =>
  typeof value === "string" && /^[a-zA-Z0-9+/_-]+={0,2}$/.test(value)

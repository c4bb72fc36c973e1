/** Splits an answer that begins with a thought between tags, which its server has left in the text. */

/** A content split into thought and text, without the tags. */
export interface SplitContent {
  readonly content: string
  readonly reasoning: string
}

/**
 * The tags that models are trained to write. vLLM, Ollama, llama.cpp and LM Studio pass them on when no reasoning
 * parser is configured (https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1569). The list has the tags of
 * DeepSeek and Qwen, of Seed (https://huggingface.co/ByteDance-Seed/Seed-OSS-36B-Instruct), of Magistral and of Kimi. Prompts ask
 * for other tags, such as `<thinking>`, so those stay in the text.
 */
const closeTags: ReadonlyMap<string, string> = new Map([
  ["<think>", "</think>"],
  ["<seed:think>", "</seed:think>"],
  ["[THINK]", "[/THINK]"],
  ["◁think▷", "◁/think▷"]
])

/**
 * Splits a whole content with an end tag alone: the templates of DeepSeek-R1 and others write the first tag into the prompt
 * (https://github.com/vllm-project/vllm/issues/12999). The tag has a line of its own; one within a line is what the answer
 * speaks of. Streams have said the thought as text by then.
 */
export const splitLoneEnd = (content: string): SplitContent => {
  const end = content.includes("<think>") ? undefined : loneEnd.exec(content)
  return end === null || end === undefined
    ? { content, reasoning: "" }
    : {
        content: content.slice(end.index + end[0].length).trimStart(),
        reasoning: content.slice(0, end.index).trim()
      }
}

const loneEnd = /^<\/think>$/m

/** The most characters that wait for a tag, or for the end of white space. */
const maxHeld = 1_024

/** Whether a tag may begin with the first characters of an answer. */
export const mayBeginThought = (content: string): boolean => {
  const start = content.trimStart()
  return start === "" ? content !== "" : findTag(start) !== undefined || isBegun(start)
}

/** Reads one choice, content by content: tags may come in pieces. White space next to a tag belongs to it. */
export class ThinkTags {
  #state: "before" | "inside" | "behind" | "done" = "before"
  #closeTag = ""
  #held = ""
  #hasThought = false

  /** Whether the next content may be more than text. */
  get isOpen(): boolean {
    return this.#state !== "done"
  }

  /** `isLast`: nothing follows. */
  read(content: string, isLast: boolean): SplitContent {
    const text = this.#held + content
    this.#held = ""
    switch (this.#state) {
      case "before":
        return this.#readStart(text, isLast)
      case "inside":
        return this.#readThought(text, isLast)
      case "behind":
        return { content: this.#skipSpace(text, isLast), reasoning: "" }
      case "done":
        return { content: text, reasoning: "" }
    }
  }

  #readStart(text: string, isLast: boolean): SplitContent {
    const start = text.trimStart()
    const tag = findTag(start)
    if (tag !== undefined) {
      this.#state = "inside"
      this.#closeTag = closeTags.get(tag) ?? ""
      return this.#readThought(start.slice(tag.length), isLast)
    }
    if (!isLast && text.length <= maxHeld && isBegun(start)) {
      this.#held = text
      return { content: "", reasoning: "" }
    }
    this.#state = "done"
    return { content: text, reasoning: "" }
  }

  #readThought(text: string, isLast: boolean): SplitContent {
    const thought = this.#hasThought ? text : text.trimStart()
    const end = thought.indexOf(this.#closeTag)
    if (end !== -1) {
      this.#state = "behind"
      const content = this.#skipSpace(thought.slice(end + this.#closeTag.length), isLast)
      return { content, reasoning: thought.slice(0, end).trimEnd() }
    }
    const said = isLast ? thought : thought.slice(0, findTagStart(thought, this.#closeTag))
    const trimmed = said.trimEnd()
    const reasoning = said.length - trimmed.length > maxHeld ? said : trimmed
    if (isLast) this.#state = "done"
    else this.#held = thought.slice(reasoning.length)
    if (reasoning !== "") this.#hasThought = true
    return { content: "", reasoning }
  }

  #skipSpace(text: string, isLast: boolean): string {
    const content = text.trimStart()
    if (content !== "" || isLast) this.#state = "done"
    return content
  }
}

const findTag = (start: string): string | undefined => {
  for (const tag of closeTags.keys()) if (start.startsWith(tag)) return tag
  return undefined
}

/** Whether it may go on as a tag. */
const isBegun = (start: string): boolean => {
  for (const tag of closeTags.keys()) if (tag.startsWith(start)) return true
  return false
}

/** The position at the end of a text where the tag may begin. */
const findTagStart = (text: string, tag: string): number => {
  for (let at = Math.max(0, text.length - tag.length + 1); at < text.length; at++) {
    if (tag.startsWith(text.slice(at))) return at
  }
  return text.length
}

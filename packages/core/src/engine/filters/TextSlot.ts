/** Where the texts of a request are. */
import { isObject } from "../../values/json/guards.ts"
import { setOwn } from "../../values/ownFields.ts"

export type TextRole = "user" | "assistant" | "system" | "tool"

/** One text of a request, and where it is. */
export interface TextSlot {
  readonly holder: object
  readonly key: string | number
  /** `json`: the text of a JSON value, such as the arguments of a call. `key`: the name of a field of free JSON. */
  readonly kind: "text" | "json" | "number" | "key"
  readonly text: string
  readonly role: TextRole
  /** Such as `messages.0.content.1.text`. */
  readonly path: string
  /** Texts with the same number are read in one go. */
  readonly run: number
  /** Whether it continues the text before it in the same message. */
  readonly isContinued: boolean
}

type Json = Readonly<Record<string, unknown>>

/**
 * What is no text for a model: names of things, media, and what its provider signed or encrypted, which must come back as
 * it was.
 */
const structural: ReadonlySet<string> = new Set(
  (
    "type role id tool_call_id call_id callId tool_use_id signature encrypted_content encrypted cache_control cache media_type " +
    "mediaType format detail file_id fileId status url image_url file_url video_url input_audio file_data server_label extra " +
    "namespace container_id approval_request_id dialect"
  ).split(" ")
)

/** Free JSON of the caller, in which every string, number and key is content. */
const freeJson: ReadonlySet<string> = new Set(["input", "action", "variables"])

/** Texts that hold JSON. */
const jsonTexts: ReadonlySet<string> = new Set(["arguments"])

/** Collects the texts of values that models read. */
export class TextSlots {
  readonly slots: Array<TextSlot> = []
  #run = 0
  #lastRole: TextRole | undefined
  #isContinued = false

  /** A list of messages, items or turns; each has a role, or is what a tool said. */
  addMessages(holder: object, key: string, path: string): void {
    const list: unknown = Reflect.get(holder, key)
    if (typeof list === "string") return this.addText(holder, key, path, "user")
    if (!Array.isArray(list)) return
    for (const [at, message] of list.entries()) {
      if (typeof message === "string") this.addText(list, at, `${path}.${at}`, "user")
      else if (isObject(message)) this.#addMessage(message, `${path}.${at}`)
    }
  }

  /** One text, or parts of it. */
  addContent(holder: object, key: string | number, path: string, role: TextRole): void {
    this.#begin(role)
    this.#add(holder, key, path, role)
  }

  addText(holder: object, key: string | number, path: string, role: TextRole): void {
    const text: unknown = Reflect.get(holder, key)
    if (typeof text !== "string" || text === "") return
    this.#begin(role)
    this.#push(holder, key, "text", text, role, path)
  }

  /** Any JSON, of which every part is content. */
  addData(holder: object, key: string | number, path: string, role: TextRole): void {
    this.#run++
    this.#lastRole = undefined
    this.#addFree(holder, key, path, role)
  }

  #addMessage(message: Json, path: string): void {
    if (isSigned(message)) return
    const role = toRole(message)
    this.#begin(role)
    for (const key of Object.keys(message)) {
      if (key !== "name" || "role" in message) this.#add(message, key, toPath(path, key), role)
    }
  }

  /** Texts of one role that follow each other are one run, in which something may be split. */
  #begin(role: TextRole): void {
    if (role !== this.#lastRole) this.#run++
    this.#lastRole = role
    this.#isContinued = false
  }

  #add(holder: object, key: string | number, path: string, role: TextRole): void {
    const value: unknown = Reflect.get(holder, key)
    // Recordings and other files are bytes.
    if (value === "" || value === null || ArrayBuffer.isView(value)) return
    if (typeof value === "string") {
      if (structural.has(String(key)) || (key === "data" && !isTextDocument(holder))) return
      if (value.startsWith("data:") && /^data:[\w/+.-]*;base64,/.test(value)) return
      this.#push(holder, key, jsonTexts.has(String(key)) ? "json" : "text", value, role, path)
    } else if (Array.isArray(value)) {
      for (const at of value.keys()) this.#add(value, at, `${path}.${at}`, role)
    } else if (isObject(value)) {
      if (structural.has(String(key)) || isSigned(value)) return
      if (freeJson.has(String(key))) return this.#addFree(holder, key, path, role)
      // Blocks of Anthropic's and items of OpenAI's API say in the middle of a message what a tool said.
      const inner = /result$|_output$/.test(String(value["type"])) ? "tool" : role
      if (inner !== this.#lastRole) this.#begin(inner)
      for (const name of Object.keys(value)) {
        if (name === "name" && typeof value[name] === "string") continue
        this.#add(value, name, toPath(path, name), inner)
      }
      if (inner !== role) this.#begin(role)
    }
  }

  #addFree(holder: object, key: string | number, path: string, role: TextRole): void {
    const value: unknown = Reflect.get(holder, key)
    if (typeof value === "string" && value !== "")
      this.#push(holder, key, "text", value, role, path)
    else if (typeof value === "number") this.#push(holder, key, "number", String(value), role, path)
    else if (Array.isArray(value)) {
      for (const at of value.keys()) this.#addFree(value, at, path, role)
    } else if (isObject(value)) {
      for (const name of Object.keys(value)) {
        if (name.length > 3) this.#push(value, name, "key", name, role, path)
        this.#addFree(value, name, path, role)
      }
    }
  }

  #push(
    holder: object,
    key: string | number,
    kind: TextSlot["kind"],
    text: string,
    role: TextRole,
    path: string
  ): void {
    const isContinued = this.#isContinued && kind === "text"
    this.#isContinued = kind === "text"
    this.slots.push({ holder, key, kind, text, role, path, run: this.#run, isContinued })
  }
}

/** Paths are in records, so they have no names that callers may choose. */
const toPath = (path: string, name: string): string =>
  /^[a-z_]{1,30}$/.test(name) ? `${path}.${name}` : path

const isTextDocument = (holder: object): boolean => "type" in holder && holder.type === "text"

/** Thoughts that a provider verifies. */
const isSigned = (part: Json): boolean =>
  typeof part["signature"] === "string" ||
  typeof part["encrypted_content"] === "string" ||
  typeof part["encrypted"] === "string" ||
  part["type"] === "redacted_thinking" ||
  part["type"] === "reasoning.encrypted"

const toRole = ({ role, type }: Json): TextRole => {
  if (role === "user" || role === "assistant" || role === "tool") return role
  if (role === "system" || role === "developer") return "system"
  if (role === "function") return "tool"
  if (typeof type === "string" && /_output$|result$/.test(type)) return "tool"
  return typeof type === "string" && type !== "message" ? "assistant" : "user"
}

/** What replaces texts, by the object that holds them. */
export interface TextEdits {
  readonly values: Map<object, Map<string | number, string>>
  readonly keys: Map<object, Map<string, string>>
}

export const makeEdits = (): TextEdits => ({ values: new Map(), keys: new Map() })

/** A copy with the texts replaced; what has none is the same object. Keys may be `__proto__`. */
export const applyEdits = <A>(value: A, edits: TextEdits): A =>
  // Safe: strings stay strings, and only free JSON has a string where a number was.
  edit(value, edits) as A

const edit = (value: unknown, edits: TextEdits): unknown => {
  if (Array.isArray(value)) {
    const texts = edits.values.get(value)
    let copy: Array<unknown> | undefined
    for (const [at, item] of value.entries()) {
      const edited = texts?.get(at) ?? edit(item, edits)
      if (edited !== item) (copy ??= [...value])[at] = edited
    }
    return copy ?? value
  }
  if (!isObject(value) || ArrayBuffer.isView(value)) return value
  const texts = edits.values.get(value)
  const names = edits.keys.get(value)
  let hasChanged = names !== undefined
  const entries = Object.keys(value).map((name): readonly [string, unknown] => {
    const edited = texts?.get(name) ?? edit(value[name], edits)
    hasChanged ||= edited !== value[name]
    return [name, edited]
  })
  if (!hasChanged) return value
  const rename = names === undefined ? undefined : makeRenamer(Object.keys(value), names)
  const copy: Record<string, unknown> = {}
  for (const [name, item] of entries) setOwn(copy, rename?.(name) ?? name, item)
  return copy
}

const makeRenamer = (all: ReadonlyArray<string>, names: ReadonlyMap<string, string>) => {
  const free = new FreeNames(all.filter((name) => !names.has(name)))
  return (name: string): string => {
    const wanted = names.get(name)
    return wanted === undefined ? name : free.take(wanted)
  }
}

/** Names of fields that may become the same, by which no field may be lost: they get numbers. */
export class FreeNames {
  readonly #taken: Set<string>
  readonly #numbers = new Map<string, number>()

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken)
  }

  take(wanted: string): string {
    let number = this.#numbers.get(wanted) ?? 1
    let free = number === 1 ? wanted : `${wanted} ${number}`
    while (this.#taken.has(free)) free = `${wanted} ${++number}`
    this.#numbers.set(wanted, number)
    this.#taken.add(free)
    return free
  }
}

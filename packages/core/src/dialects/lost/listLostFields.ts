/** Finds the fields of a request that a provider of another dialect does not get, by a table of what each dialect can say. */
import type { Dialect } from "../../conversation/Dialect.ts"
import { isObject } from "../../values/json/guards.ts"

type Json = Readonly<Record<string, unknown>>

/** What a request is written for: the API of a provider, or a call of a model of the AI SDK. */
export type WrittenFor = Dialect | "ai-sdk"

/** What becomes of a field when the request is written for another dialect; `true`: it is said in each, or asks for nothing. */
export type FieldRule = LimitedRule | true

export interface LimitedRule {
  /** Fields within the object, or within each object of the list. */
  readonly fields?: FieldRules
  /** Which objects the fields are of; others are told as a whole elsewhere. Absent: all. */
  readonly of?: (json: Json) => boolean
  /**
   * The dialects that can say it, with the path in the written request where it then is, or `true` where its parts may
   * be anywhere. Absent: all of them if it has `fields`, else none.
   */
  readonly in?: Readonly<Partial<Record<WrittenFor, string | true>>>
  /** A value that says what providers do anyway, such as a penalty of 0. */
  readonly default?: boolean | number | string
  /** Whether it asks for something; `holder` has the field. Absent: every value but the default, `false` and empty ones. */
  readonly asks?: (value: unknown, holder: Json) => boolean
  /** The name by which it is reported wherever it stands, because callers have many of them. */
  readonly as?: string
}

export type FieldRules = Readonly<Record<string, FieldRule>>

interface LostFieldsOptions {
  /** The rules of the caller's dialect. Fields without a rule are lost unless they stand in `written` under their name. */
  readonly rules: FieldRules
  readonly target: WrittenFor
  /** The request as the provider gets it. */
  readonly written: Json
}

/** Paths such as `seed` or `messages.2.name`. */
export const listLostFields = (
  request: Json,
  options: LostFieldsOptions
): ReadonlyArray<string> => {
  const search = new LostFieldSearch(options)
  search.findInObject(request, options.rules)
  return search.found
}

class LostFieldSearch {
  readonly found: Array<string> = []
  readonly #target: WrittenFor
  readonly #written: Json
  /** Where the search is; one list, because most requests lose nothing. */
  readonly #path: Array<number | string> = []

  constructor({ target, written }: LostFieldsOptions) {
    this.#target = target
    this.#written = written
  }

  findInObject(json: Json, rules: FieldRules): void {
    for (const name in json) {
      const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
      if (rule === true) continue
      const value = json[name]
      if (!asks(rule, value, json)) continue
      this.#path.push(name)
      if (!this.#isSaid(rule, name)) this.found.push(rule?.as ?? this.#path.join("."))
      else if (rule?.fields !== undefined) this.#findInValue(value, rule.fields, rule.of)
      this.#path.pop()
    }
  }

  #findInValue(value: unknown, rules: FieldRules, isRead: LimitedRule["of"]): void {
    if (isObject(value)) return this.findInObject(value, rules)
    if (!Array.isArray(value)) return
    for (let at = 0; at < value.length; at++) {
      const each: unknown = value[at]
      if (!isObject(each) || isRead?.(each) === false) continue
      this.#path.push(at)
      this.findInObject(each, rules)
      this.#path.pop()
    }
  }

  #isSaid(rule: LimitedRule | undefined, name: string): boolean {
    if (rule === undefined) return this.#path.length === 1 && Object.hasOwn(this.#written, name)
    if (rule.in === undefined) return rule.fields !== undefined
    const place = rule.in[this.#target]
    return place === true || (place !== undefined && hasPath(this.#written, place))
  }
}

const asks = (rule: LimitedRule | undefined, value: unknown, holder: Json): boolean => {
  if (value === null || value === undefined) return false
  if (rule?.asks !== undefined) return rule.asks(value, holder)
  if (value === false || value === "") return false
  if (rule?.default !== undefined && value === rule.default) return false
  if (Array.isArray(value)) return value.length > 0
  return typeof value !== "object" || hasFields(value)
}

const hasFields = (value: object): boolean => {
  for (const _ in value) return true
  return false
}

const hasPath = (json: Json, path: string): boolean => {
  let value: unknown = json
  for (const name of path.split(".")) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return false
    value = value[name]
  }
  return value !== undefined
}

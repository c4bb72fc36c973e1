/** Reads the text of the filter bar, such as `latency>2s status:failed tag.customer:acme`. Pure. */
import type { FilterValues } from "./filters.ts"
import { filterForms, rangeFilters, textFilters } from "./filterNames.ts"

export type ParsedFilter =
  | { readonly values: FilterValues; readonly problem?: undefined }
  /** What is wrong, and what is allowed. */
  | { readonly problem: string; readonly values?: undefined }

/** A name, an operator, and a value, which quotes may surround. */
const term = /([^\s:=<>"]*)(>=|<=|[:=<>])("(?:[^"\\]|\\.)*"(?=\s|$)|[^\s"]\S*|)/y
const space = /\s*/y
const word = /\S+/y

class FilterProblem extends Error {}

export const parseFilterText = (text: string): ParsedFilter => {
  const values = new Map<string, string>()
  const set = (parameter: string, value: string, written: string) => {
    if (values.has(parameter))
      throw new FilterProblem(`${written}: a request has only one of these.`)
    values.set(parameter, value)
  }
  let at = skip(space, text, 0)
  try {
    while (at < text.length) {
      term.lastIndex = at
      const [written, name = "", operator = "", quoted = ""] = term.exec(text) ?? []
      if (written === undefined || name === "") {
        throw new FilterProblem(`${text.slice(at, skip(word, text, at))} is no filter. ${allowed}`)
      }
      const end = at + written.length
      if (quoted === "" || (end < text.length && skip(space, text, end) === end)) {
        throw new FilterProblem(
          `${text.slice(at, skip(word, text, at))} has no value; put a value with spaces in quotes, such as ${name}:"a b".`
        )
      }
      const [parameter, value] = toParameter(name, operator, unquote(quoted), written)
      set(parameter, value, written)
      at = skip(space, text, end)
    }
  } catch (problem) {
    if (problem instanceof FilterProblem) return { problem: problem.message }
    throw problem
  }
  return { values: Object.fromEntries(values) }
}

const allowed = `Filters are ${filterForms.join(" ")}`

const skip = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

const unquote = (quoted: string): string => {
  if (!quoted.startsWith('"')) return quoted
  try {
    return String(JSON.parse(quoted))
  } catch {
    throw new FilterProblem(`${quoted} is no text in quotes; write \\" and \\\\ inside of them.`)
  }
}

const toParameter = (
  name: string,
  operator: string,
  value: string,
  written: string
): readonly [string, string] => {
  const range = Object.hasOwn(rangeFilters, name) ? rangeFilters[name] : undefined
  if (range !== undefined) return toBound(name, operator, value, written)
  const [, tag] = /^tag\.([A-Za-z0-9_.-]{1,64})$/.exec(name) ?? []
  const parameter = Object.hasOwn(textFilters, name) ? textFilters[name] : undefined
  if (tag === undefined && parameter === undefined) {
    throw new FilterProblem(
      name === "tag"
        ? `${written} names no tag; write it as tag.customer:acme.`
        : `There is no filter ${name}. ${allowed}`
    )
  }
  if (operator !== ":" && operator !== "=") {
    throw new FilterProblem(`${written}: ${name} has no order; write ${name}:${value}.`)
  }
  return tag === undefined ? [parameter ?? name, value] : ["tag", `${tag}:${value}`]
}

/** A comma may be the point of the viewer's language, unless it may be what parts thousands. */
const amount = /^(\$?)(\d+(?:\.\d+)?|\.\d+|0,\d+|\d+,(?:\d{1,2}|\d{4,}))([a-z]*)$/i

const toBound = (
  name: string,
  operator: string,
  value: string,
  written: string
): readonly [string, string] => {
  const { example, step, units } = rangeFilters[name]!
  const [, prefix = "", digits = "", suffix = ""] = amount.exec(value) ?? []
  const unit = Object.hasOwn(units, prefix || suffix.toLowerCase())
    ? units[prefix || suffix.toLowerCase()]
    : undefined
  if (digits === "" || unit === undefined || (prefix !== "" && suffix !== "")) {
    const names = Object.keys(units).filter(Boolean).join(", ")
    throw new FilterProblem(
      `${written}: ${name} is compared with a number, such as ${example}; its units are ${names}.`
    )
  }
  const bound = Number(digits.replace(",", ".")) * unit
  switch (operator) {
    case ">":
      return [`min_${name}`, writeNumber(bound + step)]
    case ">=":
      return [`min_${name}`, writeNumber(bound)]
    case "<":
      return [`max_${name}`, writeNumber(Math.max(0, bound - step))]
    case "<=":
      return [`max_${name}`, writeNumber(bound)]
    default:
      throw new FilterProblem(`${written}: ${name} has bounds; write ${example}.`)
  }
}

/** To a nano-unit, without an exponent. */
export const writeNumber = (value: number): string => value.toFixed(9).replace(/\.?0+$/, "")

/** Writes filters as the filter bar reads them. Pure. */
import type { FilterValues } from "./filters.ts"
import { rangeFilters, textFilters } from "./filterNames.ts"
import { writeNumber } from "./parseFilterText.ts"

export const formatFilterText = (values: FilterValues): string => {
  const texts = Object.entries(textFilters).flatMap(([name, parameter]) => {
    const value = values[parameter]
    return value === undefined ? [] : [`${name}:${quote(value)}`]
  })
  const { tag } = values
  if (tag !== undefined) {
    const at = tag.indexOf(":")
    texts.push(`tag.${tag.slice(0, at)}:${quote(tag.slice(at + 1))}`)
  }
  const ranges = Object.keys(rangeFilters).flatMap((name) => [
    ...formatBound(name, ">", values[`min_${name}`]),
    ...formatBound(name, "<", values[`max_${name}`])
  ])
  return [...texts, ...ranges].join(" ")
}

const quote = (value: string): string =>
  value === "" || /\s|^"/.test(value) ? JSON.stringify(value) : value

/** Without the step that a `>` adds, where that is shorter. */
const formatBound = (
  name: string,
  operator: ">" | "<",
  value: string | undefined
): ReadonlyArray<string> => {
  if (value === undefined) return []
  const { step } = rangeFilters[name]!
  const strict = writeNumber(Number(value) + (operator === ">" ? -step : step))
  return strict.length < value.length
    ? [`${name}${operator}${withUnit(name, strict)}`]
    : [`${name}${operator}=${withUnit(name, value)}`]
}

const withUnit = (name: string, value: string): string =>
  name === "latency" && /[1-9]0*000$/.test(value) && !value.includes(".")
    ? `${value.slice(0, -3)}s`
    : value
